// The configuration in force, and the environment as its source.
#include "opt/runtime/config.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <set>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "gradproof/config.h"
#include "opt/base/eternal.h"
#include "opt/runtime/chip.h"
#include "opt/runtime/config_source.h"
#include "opt/runtime/limits.h"
#include "opt/runtime/message.h"
#include "opt/runtime/observe.h"
#include "opt/runtime/process.h"
#include "opt/runtime/strict.h"

namespace gradproof {
namespace {

constexpr std::array<const char*, 2> kConformanceNames{"documented", "cann"};

// One word, so that every call can read it without a lock: strict (bit 31) | whether there is a
// trace (30) | log (2 bits) | instruction set (3) | valid (1) | conformance (1) | chip (7) |
// threads (16).
static_assert(kMaxThreads < (1 << 16));
constexpr std::uint32_t kValid = 1u << 24;
constexpr int kConformanceBit = 23;
constinit std::atomic<std::uint32_t> in_force{0};
constinit std::atomic<bool> environment_bad{false};
constinit std::mutex environment_mutex;
constinit std::atomic<const char*> trace_file{nullptr};  // in force where the word says so

std::string& environment_error() {  // guarded by environment_mutex
  static Eternal<std::string> it;
  return *it;
}

constinit std::mutex names_mutex;  // of trace files

std::uint32_t pack(const Config& c) {
  return std::uint32_t{c.strict} << 31 | std::uint32_t{c.trace != nullptr} << 30 |
         static_cast<std::uint32_t>(c.log) << 28 |
         static_cast<std::uint32_t>(c.instruction_set) << 25 | kValid |
         static_cast<std::uint32_t>(c.conformance) << kConformanceBit |
         std::uint32_t{c.chip} << 16 | static_cast<std::uint32_t>(c.threads);
}

Config unpack(std::uint32_t word) {
  const auto chip = static_cast<std::uint8_t>(word >> 16 & 0x7Fu);
  return {chip_product(chip),
          static_cast<int>(word & 0xFFFFu),
          static_cast<InstructionSet>(word >> 25 & 7u),
          static_cast<LogLevel>(word >> 28 & 3u),
          (word >> 31) != 0,
          (word >> 30 & 1u) != 0 ? trace_file.load(std::memory_order_acquire) : nullptr,
          static_cast<Conformance>(word >> kConformanceBit & 1u),
          chip};
}

/// Reads the environment unless another thread did meanwhile. 0 if there was no memory to do so:
/// the next call tries again.
std::uint32_t first_use() noexcept {
  const std::lock_guard lock(environment_mutex);
  std::uint32_t word = in_force.load(std::memory_order_acquire);
  if ((word & kValid) != 0) return word;
  try {
    Config config = default_config();
    Status status = read_environment(config);
    if (status.ok()) status = begin_observation(config);
    strict::begin(config.strict);
    if (!status.ok()) {
      environment_error() = status.message();
      environment_bad.store(true, std::memory_order_release);
    }
    trace_file.store(config.trace, std::memory_order_release);
    word = pack(config);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  in_force.store(word, std::memory_order_release);
  return word;
}

}  // namespace

Config config() noexcept {
  std::uint32_t word = in_force.load(std::memory_order_acquire);
  if ((word & kValid) == 0) word = first_use();
  return (word & kValid) != 0 ? unpack(word) : Config{};
}

Status config_status() {
  if ((in_force.load(std::memory_order_acquire) & kValid) == 0 && first_use() == 0) {
    throw std::bad_alloc();
  }
  if (!environment_bad.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(environment_mutex);
  return {ACLNN_ERR_RUNTIME_ERROR, environment_error()};
}

const char* name(Conformance conformance) noexcept {
  return kConformanceNames[static_cast<std::size_t>(conformance)];
}

bool set_product(std::string_view name, Config& config) {
  const std::optional<std::uint8_t> chip = find_chip(name);
  if (!chip) return false;
  config.chip = *chip;
  config.product = chip_product(*chip);
  return true;
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

bool set_conformance(std::string_view conformance, Config& config) {
  for (std::size_t i = 0; i < kConformanceNames.size(); ++i) {
    if (conformance == kConformanceNames[i]) {
      config.conformance = static_cast<Conformance>(i);
      return true;
    }
  }
  return false;
}

void set_trace(std::string_view file, Config& config) {
  static Eternal<std::set<std::string, std::less<>>> names;
  const std::lock_guard lock(names_mutex);
  config.trace = (*names).emplace(file).first->c_str();
}

int default_threads() {
  return std::clamp(processors(), 1, kMaxThreads);
}

Config default_config() {
  return {.threads = default_threads(), .instruction_set = best_instruction_set()};
}

Status read_environment(Config& config) {
  Status status;
  if (const char* soc = secure_getenv("GRADPROOF_SOC"); soc != nullptr && *soc != '\0') {
    if (!set_product(soc, config)) {
      status = {ACL_ERROR_INVALID_PARAM, std::string("environment variable GRADPROOF_SOC is '") +
                                             soc + "', which is no product; known are " +
                                             known_chips()};
    }
  }
  const char* threads = secure_getenv("GRADPROOF_NUM_THREADS");
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
  const char* set = secure_getenv("GRADPROOF_INSTRUCTION_SET");
  if (set != nullptr && *set != '\0') {
    if (const auto found = find_instruction_set(set)) {
      config.instruction_set = *found;
    } else if (status.ok()) {
      status = {ACL_ERROR_INVALID_PARAM,
                std::string("environment variable GRADPROOF_INSTRUCTION_SET is '") + set +
                    "', which is none of this machine's: " + available_instruction_sets()};
    }
  }
  const char* log = secure_getenv("GRADPROOF_LOG");
  if (log != nullptr && *log != '\0' && !set_log(log, config) && status.ok()) {
    status = {ACL_ERROR_INVALID_PARAM, std::string("environment variable GRADPROOF_LOG is '") +
                                           log + "', not off, info or debug"};
  }
  const char* trace = secure_getenv("GRADPROOF_TRACE");
  if (trace != nullptr && *trace != '\0') set_trace(trace, config);
  const char* strict = secure_getenv("GRADPROOF_STRICT");
  if (strict != nullptr && *strict != '\0') {
    config.strict = std::string_view(strict) == "1";
    if (!config.strict && std::string_view(strict) != "0" && status.ok()) {
      status = {ACL_ERROR_INVALID_PARAM, std::string("environment variable GRADPROOF_STRICT is '") +
                                             strict + "', not 0 or 1"};
    }
  }
  const char* conformance = secure_getenv("GRADPROOF_CONFORMANCE");
  if (conformance != nullptr && *conformance != '\0' && !set_conformance(conformance, config) &&
      status.ok()) {
    status = {ACL_ERROR_INVALID_PARAM,
              std::string("environment variable GRADPROOF_CONFORMANCE is '") + conformance +
                  "', not documented or cann"};
  }
  return status;
}

void choose_conformance(Conformance conformance) noexcept {
  config();  // so that there is a word to change
  std::uint32_t word = in_force.load(std::memory_order_acquire);
  const std::uint32_t bit = static_cast<std::uint32_t>(conformance) << kConformanceBit;
  while ((word & kValid) != 0 &&
         !in_force.compare_exchange_weak(word, (word & ~(1u << kConformanceBit)) | bit)) {
  }
}

Status set_config(const Config& config) {
  GRADPROOF_TRY(begin_observation(config));
  strict::begin(config.strict);
  const std::lock_guard lock(environment_mutex);
  trace_file.store(config.trace, std::memory_order_release);
  environment_bad.store(false, std::memory_order_release);
  environment_error().clear();
  in_force.store(pack(config), std::memory_order_release);
  return {};
}

void config_at_fork(Fork phase) noexcept {
  for (std::mutex* mutex : {&environment_mutex, &names_mutex}) {
    phase == Fork::ahead ? mutex->lock() : mutex->unlock();
  }
}

void forget_config() noexcept {
  end_observation();
  strict::end();
  const std::lock_guard lock(environment_mutex);
  environment_bad.store(false, std::memory_order_release);
  environment_error().clear();
  in_force.store(0, std::memory_order_release);
}

}  // namespace gradproof

extern "C" const char* gradproof_conformance(void) {
  return gradproof::name(gradproof::config().conformance);
}

extern "C" aclError gradproof_set_conformance(const char* conformance) {
  return gradproof::without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    gradproof::Config config = gradproof::config();
    if (conformance == nullptr || !gradproof::set_conformance(conformance, config)) {
      return gradproof::fail(ACL_ERROR_INVALID_PARAM,
                             "gradproof_set_conformance: conformance is %s, not documented or cann",
                             conformance == nullptr ? "null" : conformance);
    }
    gradproof::choose_conformance(config.conformance);
    return ACL_SUCCESS;
  });
}

extern "C" const char* aclrtGetSocName() {
  const std::uint8_t chip = gradproof::config().chip;
  const std::int32_t status = gradproof::without_throwing(
      __func__, ACL_ERROR_BAD_ALLOC, [] { return gradproof::report(gradproof::config_status()); });
  return status == 0 ? gradproof::chip_name(chip) : nullptr;
}
