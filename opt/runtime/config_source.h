// Where a configuration comes from besides the program: environment and file. Both overwrite what
// they mention.
#pragma once

#include <string>
#include <vector>

#include "opt/runtime/config.h"

namespace gradproof {

/// What is likely misspelt: lines for the log, once the configuration is in force.
using Remarks = std::vector<std::string>;
void log_remarks(const Remarks& remarks) noexcept;

/// The options' variables; unset and empty ones say nothing. After a failure `config` holds what
/// was good. Remarks on other variables whose names begin as theirs.
Status read_environment(Config& config, Remarks& remarks);

/// aclInit's JSON file: the options' keys in its top-level object. Other keys are CANN's; remarks
/// on those that differ from an option's in upper and lower case alone.
Status read_config_file(const std::string& path, Config& config, Remarks& remarks);

/// All processors that this process may use.
int default_threads();
/// What is in force where the user chose nothing.
Config default_config();

/// Forgets what was read, so that the next call reads the environment again.
void forget_config() noexcept;
/// Puts a configuration in force, under what the program chose by gradproof_set_option, with log
/// and trace. ACL_ERROR_WRITE_FILE for a trace file that cannot be written.
Status set_config(const Config& config);

}  // namespace gradproof
