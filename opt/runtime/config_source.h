// Where a configuration comes from: environment and file. Both overwrite what they mention.
#pragma once

#include <string>
#include <string_view>

#include "opt/runtime/config.h"

namespace gradproof {

inline constexpr int kMaxThreads = 1024;

/// GRADPROOF_SOC and GRADPROOF_NUM_THREADS; unset and empty ones say nothing. After a failure
/// `config` holds what was good.
Status read_environment(Config& config);

/// aclInit's JSON file: the keys "soc" and "threads" of its top-level object.
Status read_config_file(const std::string& path, Config& config);

/// Sets the product of that name. False if there is none.
bool set_product(std::string_view product, Config& config);
/// "Ascend910, Ascend310P, ...", for messages.
std::string known_products();

/// All processors that this process may use.
int default_threads();

/// Forgets what was read, so that the next call reads the environment again.
void forget_config() noexcept;
/// Puts a configuration in force.
void set_config(const Config& config) noexcept;

}  // namespace gradproof
