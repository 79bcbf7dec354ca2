// Names and numbers in messages.
#include "props/judge/words.h"

#include <algorithm>
#include <cctype>

namespace gradproof::props {
namespace {

bool is(const std::string& text, std::size_t at, int (*kind)(int)) {
  return at < text.size() && kind(static_cast<unsigned char>(text[at])) != 0;
}

/// Whether what is at [begin, end) is no part of a longer number or name.
bool is_whole(const std::string& text, std::size_t begin, std::size_t end) {
  if (begin > 0) {
    const char before = text[begin - 1];
    if (is(text, begin - 1, std::isalnum) || before == '-' || before == '_') return false;
    if (before == '.' && begin > 1 && is(text, begin - 2, std::isdigit)) return false;
  }
  if (is(text, end, std::isalnum) || (end < text.size() && text[end] == '_')) return false;
  return !(end < text.size() && text[end] == '.' && is(text, end + 1, std::isdigit));
}

/// How often the text has the value.
std::ptrdiff_t places(const std::string& text, std::string_view value) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + 1)) {
    if (is_whole(text, at, at + value.size())) ++count;
  }
  return count;
}

bool says_all(const std::string& message, const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(), [&](const std::string& value) {
    return places(message, value) >= std::count(values.begin(), values.end(), value);
  });
}

}  // namespace

bool names(const std::string& message, std::string_view word) {
  return message.find(word) != std::string::npos;
}

bool says_value(const std::string& message, std::string_view value) {
  return places(message, value) > 0;
}

bool says_any(const std::string& message, const std::vector<std::vector<std::string>>& values) {
  return values.empty() ||
         std::any_of(values.begin(), values.end(),
                     [&](const std::vector<std::string>& all) { return says_all(message, all); });
}

bool lacks_a_word(const std::string& message) {
  return names(message, " ,") || names(message, "  ") || names(message, "(null)");
}

std::string in_words(const std::vector<std::vector<std::string>>& values) {
  std::string text;
  for (const std::vector<std::string>& all : values) {
    if (!text.empty()) text += ", or ";
    for (std::size_t i = 0; i < all.size(); ++i) text += (i > 0 ? " and " : "") + all[i];
  }
  return text;
}

}  // namespace gradproof::props
