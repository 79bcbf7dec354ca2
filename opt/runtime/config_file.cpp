// aclInit's JSON file.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <system_error>

#include <nlohmann/json.hpp>

#include "acl/acl_base.h"
#include "opt/runtime/config_source.h"
#include "opt/runtime/options.h"

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

/// What nlohmann says, without "[json.exception.parse_error.101] " before it.
std::string reason(const nlohmann::json::exception& error) {
  const std::string_view what = error.what();
  return std::string(what.substr(what.find("] ") + 2));
}

/// The members of the file's top-level object, as its events come. No document is built from nested
/// values: nlohmann needs memory to destroy one, and ends the process when there is none. What a
/// nested value was is kept as an empty one of its type.
class TopLevel : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Json = nlohmann::json;

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(number_integer_t value) override { return scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(value); }
  bool number_float(number_float_t value, const string_t&) override { return scalar(value); }
  bool string(string_t& value) override { return scalar(std::move(value)); }
  bool binary(binary_t&) override { return true; }  // JSON has none
  bool start_object(std::size_t) override { return begin(Json::value_t::object); }
  bool key(string_t& name) override {
    if (depth_ == 1) key_ = std::move(name);
    return true;
  }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t) override { return begin(Json::value_t::array); }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    error_ = reason(error);  // it names line and column
    return false;
  }

  const auto& members() const { return members_; }
  /// The latest member of that name; null if there is none.
  const Json* find(std::string_view name) const {
    const auto found = members_.find(name);
    return found == members_.end() ? nullptr : &found->second;
  }
  const Json& root() const { return root_; }
  const std::string& error() const { return error_; }

 private:
  template <class Value>
  bool scalar(Value&& value) {
    if (depth_ == 0) root_ = std::forward<Value>(value);
    if (depth_ == 1 && root_.is_object()) {
      members_.insert_or_assign(std::move(key_), Json(std::forward<Value>(value)));
    }
    return true;
  }
  bool begin(Json::value_t type) {
    scalar(Json(type));
    ++depth_;
    return true;
  }

  Json root_;
  std::map<std::string, Json, std::less<>> members_;
  std::string key_, error_;
  std::size_t depth_ = 0;
};

/// A value for a message.
std::string shown(const nlohmann::json& value) {
  if (value.is_structured()) return std::string("an ") + value.type_name();
  return value.dump();
}

/// Whether they differ in upper and lower case alone. Keys of options are small letters.
bool differ_in_case(std::string_view name, std::string_view key) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return name != key &&
         std::equal(name.begin(), name.end(), key.begin(), key.end(),
                    [&](char written, char meant) { return small(written) == meant; });
}

/// The value as the option takes it; nothing if it is of another kind.
std::optional<std::string> text_of(const nlohmann::json& value, ValueKind kind) {
  if (kind == ValueKind::word && value.is_string()) return value.get<std::string>();
  if (kind == ValueKind::number && value.is_number_integer()) return value.dump();
  if (kind == ValueKind::flag && value.is_boolean()) return value.get<bool>() ? "1" : "0";
  return std::nullopt;
}

std::string refusal(const Option& option) {
  return option.kind == ValueKind::flag ? "must be true or false" : option.refusal();
}

}  // namespace

Status read_config_file(const std::string& path, Config& config, Remarks& remarks) {
  std::string text;
  GRADPROOF_TRY(read_all(path, text));
  TopLevel file;
  try {
    if (!nlohmann::json::sax_parse(text, &file)) {
      return {ACL_ERROR_PARSE_FILE, quoted(path) + " is not JSON: " + file.error()};
    }
    if (!file.root().is_object()) {
      return {ACL_ERROR_PARSE_FILE,
              quoted(path) + ": the top level is " + file.root().type_name() + ", not an object"};
    }
    for (const Option& option : options()) {
      for (const auto& [name, ignored] : file.members()) {
        if (!differ_in_case(name, option.key)) continue;
        remarks.push_back(quoted(path) + ": unknown key \"" + name + "\"; the option is \"" +
                          option.key + '"');
      }
      const nlohmann::json* const value = file.find(option.key);
      if (value == nullptr) continue;
      const std::optional<std::string> given = text_of(*value, option.kind);
      if (given && option.set(*given, config)) continue;
      return {ACL_ERROR_FILE_ATTR_INVALID, quoted(path) + ": \"" + option.key + "\" is " +
                                               shown(*value) + ", " + refusal(option)};
    }
    return {};
  } catch (const nlohmann::json::exception& error) {  // uncovered: a message that is no UTF-8
    return {ACL_ERROR_PARSE_FILE, quoted(path) + " is not JSON: " + reason(error)};
  }
}

}  // namespace gradproof
