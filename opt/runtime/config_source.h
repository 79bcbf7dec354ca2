// Where a configuration comes from besides the program: environment and file. Both overwrite what
// they mention.
#pragma once

#include <string>

#include "opt/runtime/config.h"

namespace gradproof {

/// The options' variables; unset and empty ones say nothing. After a failure `config` holds what
/// was good.
Status read_environment(Config& config);

/// aclInit's JSON file: the options' keys in its top-level object.
Status read_config_file(const std::string& path, Config& config);

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
