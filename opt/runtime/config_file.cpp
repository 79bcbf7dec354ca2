// aclInit's JSON file.
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

#include "acl/acl_base.h"
#include "opt/runtime/config_source.h"

namespace gradproof {
namespace {

constexpr std::size_t kMaxBytes = 10u << 20;  // as in CANN

std::string quoted(const std::string& path) { return "configuration file '" + path + "'"; }

Status read_all(const std::string& path, std::string& text) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1 << 12> piece;  // an ordinary file is shorter
  while (text.size() <= kMaxBytes && (file.read(piece.data(), piece.size()), file.gcount() > 0))
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  if (!file && !file.eof()) {
    return {ACL_ERROR_INVALID_FILE,
            quoted(path) + " cannot be read: " + std::generic_category().message(errno)};
  }
  if (text.size() > kMaxBytes) {
    return {ACL_ERROR_INVALID_FILE_SIZE, quoted(path) + " is larger than 10 MiB"};
  }
  return {};
}

/// A value for a message. Only scalars are printed: nlohmann prints nested ones recursively, and
/// the file decides how deep.
std::string shown(const nlohmann::json& value) {
  if (value.is_structured()) return std::string("an ") + value.type_name();
  return value.dump();
}

Status read_soc(const nlohmann::json& value, const std::string& path, Config& config) {
  if (value.is_string() && set_product(value.get_ref<const std::string&>(), config)) return {};
  return {ACL_ERROR_FILE_ATTR_INVALID, quoted(path) + ": \"soc\" is " + shown(value) +
                                           ", which is no product; known are " + known_products()};
}

Status read_threads(const nlohmann::json& value, const std::string& path, Config& config) {
  // nlohmann compares across its number types without overflow.
  if (value.is_number_integer() && value >= 1 && value <= kMaxThreads) {
    config.threads = value.get<int>();
    return {};
  }
  return {ACL_ERROR_FILE_ATTR_INVALID, quoted(path) + ": \"threads\" is " + shown(value) +
                                           ", not a whole number from 1 to " +
                                           std::to_string(kMaxThreads)};
}

Status read_instruction_set(const nlohmann::json& value, const std::string& path, Config& config) {
  if (value.is_string()) {
    if (const auto found = find_instruction_set(value.get_ref<const std::string&>())) {
      config.instruction_set = *found;
      return {};
    }
  }
  return {ACL_ERROR_FILE_ATTR_INVALID,
          quoted(path) + ": \"instruction_set\" is " + shown(value) +
              ", which is none of this machine's: " + available_instruction_sets()};
}

Status read_log(const nlohmann::json& value, const std::string& path, Config& config) {
  if (value.is_string() && set_log(value.get_ref<const std::string&>(), config)) return {};
  return {ACL_ERROR_FILE_ATTR_INVALID,
          quoted(path) + ": \"log\" is " + shown(value) + ", not \"off\", \"info\" or \"debug\""};
}

Status read_trace(const nlohmann::json& value, const std::string& path, Config& config) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    return {ACL_ERROR_FILE_ATTR_INVALID,
            quoted(path) + ": \"trace\" is " + shown(value) + ", not the name of a file"};
  }
  set_trace(value.get_ref<const std::string&>(), config);
  return {};
}

}  // namespace

Status read_config_file(const std::string& path, Config& config) {
  std::string text;
  GRADPROOF_TRY(read_all(path, text));
  try {
    const nlohmann::json root = nlohmann::json::parse(text);
    if (!root.is_object()) {
      return {ACL_ERROR_PARSE_FILE,
              quoted(path) + ": the top level is " + root.type_name() + ", not an object"};
    }
    if (const auto soc = root.find("soc"); soc != root.end()) {
      GRADPROOF_TRY(read_soc(*soc, path, config));
    }
    if (const auto threads = root.find("threads"); threads != root.end()) {
      GRADPROOF_TRY(read_threads(*threads, path, config));
    }
    if (const auto set = root.find("instruction_set"); set != root.end()) {
      GRADPROOF_TRY(read_instruction_set(*set, path, config));
    }
    if (const auto log = root.find("log"); log != root.end()) {
      GRADPROOF_TRY(read_log(*log, path, config));
    }
    if (const auto trace = root.find("trace"); trace != root.end()) {
      GRADPROOF_TRY(read_trace(*trace, path, config));
    }
    if (const auto strict = root.find("strict"); strict != root.end()) {
      if (!strict->is_boolean()) {
        return {ACL_ERROR_FILE_ATTR_INVALID,
                quoted(path) + ": \"strict\" is " + shown(*strict) + ", not true or false"};
      }
      config.strict = strict->get<bool>();
    }
    return {};
  } catch (const nlohmann::json::exception& error) {  // its text names line and column
    return {ACL_ERROR_PARSE_FILE, quoted(path) + " is not JSON: " + error.what()};
  }
}

}  // namespace gradproof
