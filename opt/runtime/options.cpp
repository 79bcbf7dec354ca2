// The options, one row each.
#include "opt/runtime/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <optional>
#include <set>

#include "opt/base/eternal.h"
#include "opt/runtime/chip.h"
#include "opt/runtime/config_source.h"

namespace gradproof {
namespace {

constexpr std::array<const char*, 3> kLogLevels{"off", "info", "debug"};
constexpr std::array<Conformance, 2> kConformances{Conformance::documented, Conformance::cann};

constinit std::mutex names_mutex;  // of trace files

/// The text as a number from 1 to `most`.
std::optional<std::uint32_t> number(std::string_view text, std::uint32_t most) {
  std::uint32_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < 1 || value > most) return std::nullopt;
  return value;
}

std::string not_a_number(std::uint32_t most) {
  return "must be a whole number from 1 to " + std::to_string(most);
}

bool set_flag(std::string_view value, bool& flag) {
  if (value != "0" && value != "1") return false;
  flag = value == "1";
  return true;
}
std::string not_a_flag() { return "must be 1 (true) or 0 (false)"; }
std::string shown(bool flag) { return flag ? "1" : "0"; }

bool set_soc(std::string_view name, Config& config) {
  const std::optional<std::uint8_t> chip = find_chip(name);
  if (!chip) return false;
  config.chip = *chip;
  config.product = chip_product(*chip);
  return true;
}

bool set_threads(std::string_view text, Config& config) {
  const auto value = number(text, kMaxThreads);
  if (value) config.threads = static_cast<int>(*value);
  return value.has_value();
}

bool set_instruction_set(std::string_view name, Config& config) {
  const auto found = find_instruction_set(name);
  if (found) config.instruction_set = *found;
  return found.has_value();
}

bool set_log(std::string_view level, Config& config) {
  const auto found = std::find(kLogLevels.begin(), kLogLevels.end(), level);
  if (found == kLogLevels.end()) return false;
  config.log = static_cast<LogLevel>(found - kLogLevels.begin());
  return true;
}

/// The name is kept for as long as the process lives.
bool set_trace(std::string_view file, Config& config) {
  if (file.empty() || file.find('\0') != file.npos) return false;
  const std::lock_guard lock(names_mutex);  // before the static is made, so that fork() waits
  static Eternal<std::set<std::string, std::less<>>> names;
  auto found = (*names).find(file);  // a name that is there takes no memory
  if (found == (*names).end()) found = (*names).emplace(file).first;
  config.trace = found->c_str();
  return true;
}

bool set_conformance(std::string_view value, Config& config) {
  for (const Conformance conformance : kConformances) {
    if (value != name(conformance)) continue;
    config.conformance = conformance;
    return true;
  }
  return false;
}

bool set_queue_limit(std::string_view text, Config& config) {
  const auto value = number(text, kMaxQueue);
  if (value) config.queue_limit = *value;
  return value.has_value();
}

constexpr Option kOptions[] = {
    {"soc", "GRADPROOF_SOC", ValueKind::word, set_soc,
     [] { return "which is not a known product; known: " + known_chips(); },
     [](const Config& c) { return std::string(chip_name(c.chip)); }},
    {"threads", "GRADPROOF_NUM_THREADS", ValueKind::number, set_threads,
     [] { return not_a_number(kMaxThreads); },
     [](const Config& c) { return std::to_string(c.threads); }},
    {"instruction_set", "GRADPROOF_INSTRUCTION_SET", ValueKind::word, set_instruction_set,
     [] {
       return "which this machine does not support; supported: " + available_instruction_sets();
     },
     [](const Config& c) { return std::string(name(c.instruction_set)); }},
    {"log", "GRADPROOF_LOG", ValueKind::word, set_log,
     [] { return std::string("must be off, info or debug"); },
     [](const Config& c) { return std::string(kLogLevels[static_cast<std::size_t>(c.log)]); }},
    {"trace", "GRADPROOF_TRACE", ValueKind::word, set_trace,
     [] { return std::string("must be the name of a file"); },
     [](const Config& c) { return std::string(c.trace != nullptr ? c.trace : ""); }},
    {"strict", "GRADPROOF_STRICT", ValueKind::flag,
     [](std::string_view value, Config& c) { return set_flag(value, c.strict); }, not_a_flag,
     [](const Config& c) { return shown(c.strict); }},
    {"conformance", "GRADPROOF_CONFORMANCE", ValueKind::word, set_conformance,
     [] { return std::string("must be documented or cann"); },
     [](const Config& c) { return std::string(name(c.conformance)); }},
    {"queue_limit", "GRADPROOF_QUEUE_LIMIT", ValueKind::number, set_queue_limit,
     [] { return not_a_number(kMaxQueue); },
     [](const Config& c) { return std::to_string(c.queue_limit); }},
    {"statistics", "GRADPROOF_STATISTICS", ValueKind::flag,
     [](std::string_view value, Config& c) { return set_flag(value, c.statistics); }, not_a_flag,
     [](const Config& c) { return shown(c.statistics); }},
};

}  // namespace

std::span<const Option> options() noexcept { return kOptions; }

const Option* find_option(std::string_view key) noexcept {
  for (const Option& option : kOptions) {
    if (key == option.key) return &option;
  }
  return nullptr;
}

std::string known_options() {
  std::string list;
  for (const Option& option : kOptions)
    list += (list.empty() ? "" : ", ") + std::string(option.key);
  return list;
}

void options_at_fork(Fork phase) noexcept {
  phase == Fork::ahead ? names_mutex.lock() : names_mutex.unlock();
}

}  // namespace gradproof
