// What nlohmann's exceptions say, for messages.
#pragma once

#include <string>
#include <string_view>

namespace gradproof::props {

/// The text of an exception without "[json.exception.parse_error.101] " before it.
inline std::string json_reason(std::string_view what) {
  if (what.starts_with("[json.exception.")) what.remove_prefix(what.find(']') + 2);
  return std::string(what);
}

/// The same without "parse error at line 3, column 5: ", for messages that name the place.
inline std::string placed_json_reason(std::string_view what) {
  const std::string reason = json_reason(what);
  const std::size_t at = reason.starts_with("parse error") ? reason.find(": ") : reason.npos;
  return at == reason.npos ? reason : reason.substr(at + 2);
}

}  // namespace gradproof::props
