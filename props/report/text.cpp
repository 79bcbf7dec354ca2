// Cleaning and escaping.
#include "props/report/text.h"

#include <cstdint>
#include <cstdio>

namespace gradproof::report {
namespace {

/// Length of the UTF-8 character at the start of `s`; 0 if it is malformed or not allowed in XML.
std::size_t character(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(s[i]); };
  const std::uint8_t first = byte(0);
  if (first == '\n' || (first >= 0x20 && first < 0x7F)) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || s.size() < length) return 0;
  std::uint32_t code = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF, c1 = code >= 0x80 && code < 0xA0;
  // Marks that change the writing direction could disguise the text.
  const bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return code < kLeast[length] || code > 0x10FFFF || (code & 0xFFFE) == 0xFFFE || surrogate || c1 ||
                 turns
             ? 0
             : length;
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = character(bytes);
    if (length > 0) {
      text += bytes.substr(0, length);
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<std::uint8_t>(bytes[0]));
      text += code;
    }
    bytes.remove_prefix(length > 0 ? length : 1);
  }
  return text;
}

std::string escaped(std::string_view bytes, Place place) {
  std::string text;
  for (const char c : printable(bytes)) {
    switch (c) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '"': text += "&quot;"; break;
      case '\'': text += "&#39;"; break;
      case '\n': text += place == Place::attribute ? "&#10;" : "\n"; break;
      default: text += c;
    }
  }
  return text;
}

std::string shell_word(const std::string& word) {
  if (!word.empty() &&
      word.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+") ==
          std::string::npos) {
    return word;
  }
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace gradproof::report
