// The environment as a source of the configuration.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include <unistd.h>

#include "acl/acl_base.h"
#include "opt/runtime/config_source.h"
#include "opt/runtime/observe.h"
#include "opt/runtime/options.h"

namespace gradproof {
namespace {

/// Variables of the project's tools, which run programs that use the library.
constexpr std::string_view kOfTools[] = {
    "GRADPROOF_AARCH64_CASES", "GRADPROOF_CLIENTS",    "GRADPROOF_EXEC",
    "GRADPROOF_FUZZ_FINDINGS", "GRADPROOF_FUZZ_KEEP",  "GRADPROOF_FUZZ_LIBRARY",
    "GRADPROOF_FUZZ_PROFILE",  "GRADPROOF_FUZZ_SHOW",  "GRADPROOF_FUZZ_TARGET",
    "GRADPROOF_REF",           "GRADPROOF_REPOSITORY", "GRADPROOF_SHARED",
    "GRADPROOF_URL",
};

/// The value of a variable; null if it is empty, and in a set-uid program.
const char* value_of(const char* variable) {
  const char* const value = secure_getenv(variable);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

bool known(std::string_view variable) {
  const auto options_ = options();
  return std::any_of(options_.begin(), options_.end(),
                     [&](const Option& option) { return variable == option.variable; }) ||
         std::find(std::begin(kOfTools), std::end(kOfTools), variable) != std::end(kOfTools);
}

std::string known_variables() {
  std::string list;
  for (const Option& option : options())
    list += (list.empty() ? "" : ", ") + std::string(option.variable);
  return list;
}

/// Names that look like options, most of which are misspelt.
void remark_unknown(Remarks& remarks) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (!text.starts_with("GRADPROOF_") || known(name) || value_of(name.c_str()) == nullptr)
      continue;
    remarks.push_back("unknown environment variable " + name +
                      "; known variables: " + known_variables());
  }
}

}  // namespace

Status read_environment(Config& config, Remarks& remarks) {
  Status status;
  for (const Option& option : options()) {
    const char* const value = value_of(option.variable);
    if (value == nullptr || option.set(value, config) || !status.ok()) continue;
    status = {ACL_ERROR_INVALID_PARAM, std::string("environment variable ") + option.variable +
                                           " is '" + value + "', " + option.refusal()};
  }
  remark_unknown(remarks);
  return status;
}

void log_remarks(const Remarks& remarks) noexcept {
  for (const std::string& remark : remarks) log_line(LogLevel::info, "%s", remark.c_str());
}

}  // namespace gradproof
