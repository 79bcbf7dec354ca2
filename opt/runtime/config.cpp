// The configuration in force, the environment as its source, and what the program chooses itself.
#include "opt/runtime/config.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "gradproof/config.h"
#include "opt/base/eternal.h"
#include "opt/base/no_cancel.h"
#include "opt/runtime/chip.h"
#include "opt/runtime/config_source.h"
#include "opt/runtime/limits.h"
#include "opt/runtime/message.h"
#include "opt/runtime/observe.h"
#include "opt/runtime/options.h"
#include "opt/runtime/process.h"
#include "opt/runtime/stream.h"
#include "opt/runtime/strict.h"

namespace gradproof {
namespace {

constexpr std::array<const char*, 2> kConformanceNames{"documented", "cann"};

// One word, so that every call can read it without a lock: strict (bit 31) | whether there is a
// trace (30) | log (2 bits) | instruction set (3) | valid (1) | conformance (1) | chip (7) |
// statistics (1, bit 15) | threads (15). The queue's limit is read by streams alone (stream.h).
static_assert(kMaxThreads < (1 << 15));
constexpr std::uint32_t kValid = 1u << 24;
constexpr std::uint32_t kStatistics = 1u << 15;
constexpr int kConformanceBit = 23;
constinit std::atomic<std::uint32_t> in_force{0};
constinit std::atomic<bool> environment_bad{false};
constinit std::atomic<const char*> trace_file{nullptr};  // in force where the word says so

/// What was chosen, by whom.
struct Choices {
  Config others;  ///< aclInit's file, the environment and the defaults
  std::map<const Option*, std::string> by_program;
  std::string environment_error;
};
constinit std::mutex choices_mutex;
Choices& choices() {  // guarded by choices_mutex
  static Eternal<Choices> it;
  return *it;
}

/// Whether a configuration was put in force, and not yet forgotten.
bool in_use() { return (in_force.load(std::memory_order_acquire) & kValid) != 0; }

std::uint32_t pack(const Config& c) {
  return std::uint32_t{c.strict} << 31 | std::uint32_t{c.trace != nullptr} << 30 |
         static_cast<std::uint32_t>(c.log) << 28 |
         static_cast<std::uint32_t>(c.instruction_set) << 25 | kValid |
         static_cast<std::uint32_t>(c.conformance) << kConformanceBit |
         std::uint32_t{c.chip} << 16 | (c.statistics ? kStatistics : 0) |
         static_cast<std::uint32_t>(c.threads);
}

Config unpack(std::uint32_t word) {
  const auto chip = static_cast<std::uint8_t>(word >> 16 & 0x7Fu);
  return {chip_product(chip),
          static_cast<int>(word & (kStatistics - 1)),
          static_cast<InstructionSet>(word >> 25 & 7u),
          static_cast<LogLevel>(word >> 28 & 3u),
          (word >> 31) != 0,
          (word >> 30 & 1u) != 0 ? trace_file.load(std::memory_order_acquire) : nullptr,
          static_cast<Conformance>(word >> kConformanceBit & 1u),
          chip,
          (word & kStatistics) != 0,
          queue_limit.load(std::memory_order_relaxed)};
}

/// Puts the choices in force. Under the lock. Where it throws std::bad_alloc, what is in force is
/// what was before.
Status enforce() {
  Config config = choices().others;
  for (const auto& [option, value] : choices().by_program) option->set(value, config);
  Status status = begin_observation(config);
  if (!status.ok()) config.trace = nullptr;
  strict::begin(config.strict);
  trace_file.store(config.trace, std::memory_order_release);
  queue_limit.store(config.queue_limit, std::memory_order_relaxed);
  in_force.store(pack(config), std::memory_order_release);
  return status;
}

/// After a change that failed: puts the former choices in force again, or none. A trace that they
/// name was begun before, which takes no memory a second time.
void restore(bool used) noexcept {
  if (!used) {
    strict::begin(false);
    in_force.store(0, std::memory_order_release);
    return;
  }
  try {
    (void)enforce();
  } catch (const std::bad_alloc&) {  // uncovered: out of memory
    // What is in force is what was, without a trace.
  }
}

/// Puts changed choices in force. If that fails or throws, `undo()` gives the former ones.
template <class Undo>
Status enforce_or(Undo&& undo) {
  const bool used = in_use();
  try {
    Status status = enforce();
    if (status.ok()) return status;
    undo();
    restore(used);
    return status;
  } catch (...) {
    undo();
    restore(used);
    throw;
  }
}

/// Reads the environment unless another thread did meanwhile; false if there was no memory to do
/// so: the next call tries again.
bool read_first(Remarks& remarks) noexcept {
  const std::lock_guard lock(choices_mutex);
  if (in_use()) return true;  // perhaps uncovered: race
  try {
    choices().others = default_config();
    Status status = read_environment(choices().others, remarks);
    Status begun = enforce();
    if (status.ok()) status = std::move(begun);
    if (!status.ok()) {
      choices().environment_error = status.message();
      environment_bad.store(true, std::memory_order_release);
    }
  } catch (const std::bad_alloc&) {  // uncovered: out of memory
    return false;
  }
  return true;
}

/// The configuration's word after the environment was read; 0 if it could not be.
std::uint32_t first_use() noexcept {
  const NoCancel whole;  // limits are read from files
  Remarks remarks;
  if (!read_first(remarks)) return 0;  // uncovered: out of memory
  log_remarks(remarks);                // to a function of the program's: without the lock
  return in_force.load(std::memory_order_acquire);
}

/// What the program chooses for an option, or that it no longer chooses.
Status choose(const Option& option, const char* value) {
  const NoCancel whole;
  const std::lock_guard lock(choices_mutex);
  auto changed = choices().by_program;
  value != nullptr ? (void)changed.insert_or_assign(&option, value) : (void)changed.erase(&option);
  const auto exchange = [&]() noexcept { choices().by_program.swap(changed); };
  exchange();
  if (!in_use()) return {};     // the first call, or aclInit, does it
  return enforce_or(exchange);  // a trace that cannot be written: all is as it was
}

aclError no_option(const char* function, const char* key) {
  return fail(ACL_ERROR_INVALID_PARAM, "%s: unknown key %s; known keys: %s", function,
              key != nullptr ? key : "null", known_options().c_str());
}

}  // namespace

Config config() noexcept {
  std::uint32_t word = in_force.load(std::memory_order_acquire);
  if ((word & kValid) == 0) word = first_use();
  return (word & kValid) != 0 ? unpack(word) : Config{};  // perhaps uncovered: out of memory
}

Status config_status() {
  // perhaps uncovered: out of memory
  if ((in_force.load(std::memory_order_acquire) & kValid) == 0 && first_use() == 0) {
    throw std::bad_alloc();
  }
  if (!environment_bad.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(choices_mutex);
  return {ACLNN_ERR_RUNTIME_ERROR, choices().environment_error};
}

const char* name(Conformance conformance) noexcept {
  return kConformanceNames[static_cast<std::size_t>(conformance)];
}

int default_threads() { return std::clamp(processors(), 1, kMaxThreads); }

Config default_config() {
  return {.threads = default_threads(), .instruction_set = best_instruction_set()};
}

Status set_config(const Config& config) {
  const std::lock_guard lock(choices_mutex);
  const Config before = std::exchange(choices().others, config);
  Status status = enforce_or([&]() noexcept { choices().others = before; });
  if (!status.ok()) return status;
  environment_bad.store(false, std::memory_order_release);
  choices().environment_error.clear();
  return status;
}

void config_at_fork(Fork phase) noexcept {
  phase == Fork::ahead ? choices_mutex.lock() : choices_mutex.unlock();
  options_at_fork(phase);
}

void forget_config() noexcept {
  end_observation();
  strict::end();
  const std::lock_guard lock(choices_mutex);
  environment_bad.store(false, std::memory_order_release);
  choices().environment_error.clear();
  in_force.store(0, std::memory_order_release);
}

}  // namespace gradproof

using namespace gradproof;

extern "C" {

const char* gradproof_option(const char* key) {
  static thread_local char text[4096];  // as long as a file's name can be
  const std::int32_t status = without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const Option* const option = key != nullptr ? find_option(key) : nullptr;
    if (option == nullptr) return no_option("gradproof_option", key);
    std::snprintf(text, sizeof text, "%s", option->value(config()).c_str());
    return ACL_SUCCESS;
  });
  return status == ACL_SUCCESS ? text : nullptr;
}

aclError gradproof_set_option(const char* key, const char* value) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const char* const function = "gradproof_set_option";
    const Option* const option = key != nullptr ? find_option(key) : nullptr;
    if (option == nullptr) return no_option(function, key);
    Config tried;
    if (value != nullptr && !option->set(value, tried)) {
      return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is '%s', %s", function, key, value,
                  option->refusal().c_str());
    }
    const Status status = choose(*option, value);
    return status.ok() ? ACL_SUCCESS : fail(status.code(), "%s: %s", function, status.message());
  });
}

const char* gradproof_conformance(void) { return name(config().conformance); }

aclError gradproof_set_conformance(const char* conformance) {
  if (conformance == nullptr) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: conformance is null", __func__);
  }
  return gradproof_set_option("conformance", conformance);
}

const char* aclrtGetSocName() {
  const std::uint8_t chip = config().chip;
  const std::int32_t status =
      without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [] { return report(config_status()); });
  return status == 0 ? chip_name(chip) : nullptr;
}

}  // extern "C"
