// Where a configuration comes from: environment and file. Both overwrite what they mention.
#pragma once

#include <string>
#include <string_view>

#include "opt/runtime/config.h"

namespace gradproof {

inline constexpr int kMaxThreads = 1024;

/// GRADPROOF_SOC, GRADPROOF_NUM_THREADS, GRADPROOF_INSTRUCTION_SET, GRADPROOF_LOG,
/// GRADPROOF_TRACE, GRADPROOF_STRICT and GRADPROOF_CONFORMANCE; unset and empty ones say nothing. After a failure `config`
/// holds what was good.
Status read_environment(Config& config);

/// aclInit's JSON file: the keys "soc", "threads", "instruction_set", "log", "trace",
/// "strict" and "conformance" of its top-level object.
Status read_config_file(const std::string& path, Config& config);

/// Sets the chip of that name, or the usual one of that series, and with it the product. False if
/// there is none.
bool set_product(std::string_view name, Config& config);

/// Sets the log's level: "off", "info" or "debug". False if it is none of these.
bool set_log(std::string_view level, Config& config);
/// Sets the conformance: "documented" or "cann". False if it is neither.
bool set_conformance(std::string_view conformance, Config& config);
/// Sets the trace file's name, which is kept for as long as the library is loaded.
void set_trace(std::string_view file, Config& config);

/// All processors that this process may use.
int default_threads();
/// What is in force where the user chose nothing.
Config default_config();

/// Forgets what was read, so that the next call reads the environment again.
void forget_config() noexcept;
/// Changes the conformance of the configuration in force.
void choose_conformance(Conformance conformance) noexcept;
/// Puts a configuration in force, with its log and trace. ACL_ERROR_WRITE_FILE for a trace file
/// that cannot be written.
Status set_config(const Config& config);

}  // namespace gradproof
