// The configuration in force, and the environment as its source.
#include "opt/runtime/config.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <set>

#include <tbb/info.h>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "opt/runtime/config_source.h"
#include "opt/runtime/message.h"
#include "opt/runtime/observe.h"
#include "opt/runtime/strict.h"

namespace gradproof {
namespace {

constexpr std::array<const char*, 4> kProductNames{"Ascend910", "Ascend310P", "Ascend910B",
                                                   "Ascend910_93"};

// One word, so that every call can read it without a lock: strict (bit 31) | whether there is a
// trace (30) | log (2 bits) | instruction set (3) | valid (1) | product (8) | threads (16).
static_assert(kMaxThreads < (1 << 16));
constexpr std::uint32_t kValid = 1u << 24;
std::atomic<std::uint32_t> in_force{0};
std::atomic<bool> environment_bad{false};
std::mutex environment_mutex;
std::atomic<const char*> trace_file{nullptr};  // in force where the word says so
std::string environment_error;                 // guarded by environment_mutex

std::uint32_t pack(const Config& c) {
  return std::uint32_t{c.strict} << 31 | std::uint32_t{c.trace != nullptr} << 30 |
         static_cast<std::uint32_t>(c.log) << 28 |
         static_cast<std::uint32_t>(c.instruction_set) << 25 | kValid |
         static_cast<std::uint32_t>(c.product) << 16 | static_cast<std::uint32_t>(c.threads);
}

Config unpack(std::uint32_t word) {
  return {static_cast<Product>(word >> 16 & 0xFFu),
          static_cast<int>(word & 0xFFFFu),
          static_cast<InstructionSet>(word >> 25 & 7u),
          static_cast<LogLevel>(word >> 28 & 3u),
          (word >> 31) != 0,
          (word >> 30 & 1u) != 0 ? trace_file.load(std::memory_order_acquire) : nullptr};
}

/// Reads the environment unless another thread did meanwhile.
std::uint32_t first_use() noexcept {
  const std::lock_guard lock(environment_mutex);
  std::uint32_t word = in_force.load(std::memory_order_acquire);
  if ((word & kValid) != 0) return word;
  Config config;
  try {
    config = default_config();
    Status status = read_environment(config);
    if (status.ok()) status = begin_observation(config);
    strict::begin(config.strict);
    if (!status.ok()) {
      environment_error = status.message();
      environment_bad.store(true, std::memory_order_release);
    }
  } catch (const std::bad_alloc&) {
    environment_bad.store(true, std::memory_order_release);  // without words for it
  }
  trace_file.store(config.trace, std::memory_order_release);
  word = pack(config);
  in_force.store(word, std::memory_order_release);
  return word;
}

}  // namespace

Config config() noexcept {
  const std::uint32_t word = in_force.load(std::memory_order_acquire);
  return unpack((word & kValid) != 0 ? word : first_use());
}

Status config_status() {
  if ((in_force.load(std::memory_order_acquire) & kValid) == 0) first_use();
  if (!environment_bad.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(environment_mutex);
  return {ACLNN_ERR_RUNTIME_ERROR, environment_error};
}

const char* name(Product product) noexcept {
  return kProductNames[static_cast<std::size_t>(product)];
}

bool set_product(std::string_view product, Config& config) {
  for (std::size_t i = 0; i < kProductNames.size(); ++i) {
    if (product == kProductNames[i]) {
      config.product = static_cast<Product>(i);
      return true;
    }
  }
  return false;
}

std::string known_products() {
  std::string list;
  for (const char* product : kProductNames) {
    if (!list.empty()) list += ", ";
    list += product;
  }
  return list;
}

bool set_log(std::string_view level, Config& config) {
  constexpr std::array<const char*, 3> levels{"off", "info", "debug"};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (level == levels[i]) {
      config.log = static_cast<LogLevel>(i);
      return true;
    }
  }
  return false;
}

void set_trace(std::string_view file, Config& config) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  config.trace = names.emplace(file).first->c_str();
}

int default_threads() {
  return std::clamp(tbb::info::default_concurrency(), 1, kMaxThreads);
}

Config default_config() {
  return {.threads = default_threads(), .instruction_set = best_instruction_set()};
}

Status read_environment(Config& config) {
  Status status;
  if (const char* soc = std::getenv("GRADPROOF_SOC"); soc != nullptr && *soc != '\0') {
    if (!set_product(soc, config)) {
      status = {ACL_ERROR_INVALID_PARAM, std::string("environment variable GRADPROOF_SOC is '") +
                                             soc + "', which is no product; known are " +
                                             known_products()};
    }
  }
  const char* threads = std::getenv("GRADPROOF_NUM_THREADS");
  if (threads != nullptr && *threads != '\0') {
    const std::string_view text = threads;
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= 1 &&
        value <= kMaxThreads) {
      config.threads = value;
    } else if (status.ok()) {
      status = {ACL_ERROR_INVALID_PARAM, "environment variable GRADPROOF_NUM_THREADS is '" +
                                             std::string(text) + "', not a number from 1 to " +
                                             std::to_string(kMaxThreads)};
    }
  }
  const char* set = std::getenv("GRADPROOF_INSTRUCTION_SET");
  if (set != nullptr && *set != '\0') {
    if (const auto found = find_instruction_set(set)) {
      config.instruction_set = *found;
    } else if (status.ok()) {
      status = {ACL_ERROR_INVALID_PARAM,
                std::string("environment variable GRADPROOF_INSTRUCTION_SET is '") + set +
                    "', which is none of this machine's: " + available_instruction_sets()};
    }
  }
  const char* log = std::getenv("GRADPROOF_LOG");
  if (log != nullptr && *log != '\0' && !set_log(log, config) && status.ok()) {
    status = {ACL_ERROR_INVALID_PARAM, std::string("environment variable GRADPROOF_LOG is '") +
                                           log + "', not off, info or debug"};
  }
  const char* trace = std::getenv("GRADPROOF_TRACE");
  if (trace != nullptr && *trace != '\0') set_trace(trace, config);
  const char* strict = std::getenv("GRADPROOF_STRICT");
  if (strict != nullptr && *strict != '\0') {
    config.strict = std::string_view(strict) == "1";
    if (!config.strict && std::string_view(strict) != "0" && status.ok()) {
      status = {ACL_ERROR_INVALID_PARAM, std::string("environment variable GRADPROOF_STRICT is '") +
                                             strict + "', not 0 or 1"};
    }
  }
  return status;
}

Status set_config(const Config& config) {
  GRADPROOF_TRY(begin_observation(config));
  strict::begin(config.strict);
  const std::lock_guard lock(environment_mutex);
  trace_file.store(config.trace, std::memory_order_release);
  environment_bad.store(false, std::memory_order_release);
  environment_error.clear();
  in_force.store(pack(config), std::memory_order_release);
  return {};
}

void forget_config() noexcept {
  end_observation();
  strict::end();
  const std::lock_guard lock(environment_mutex);
  environment_bad.store(false, std::memory_order_release);
  environment_error.clear();
  in_force.store(0, std::memory_order_release);
}

}  // namespace gradproof

extern "C" const char* aclrtGetSocName() {
  const gradproof::Product product = gradproof::config().product;
  const std::int32_t status = gradproof::without_throwing(
      __func__, ACL_ERROR_BAD_ALLOC, [] { return gradproof::report(gradproof::config_status()); });
  return status == 0 ? gradproof::name(product) : nullptr;
}
