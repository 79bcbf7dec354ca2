// Case lines that say what they showed.
#include "props/cases/text/shown.h"

#include <charconv>

#include "props/cases/text/text_error.h"

namespace gradproof::props {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr int kMostThreads = 1024;

/// A file's name is one word of the line.
constexpr std::string_view kBlankInName = "%20";

std::string replaced(std::string text, std::string_view part, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

/// Whether the token was one of these words.
bool take(const Token& token, Shown& shown) {
  const std::size_t equals = token.text.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = token.text.substr(0, equals), value = token.text.substr(equals + 1);
  if (key == "property") {
    if (value.empty()) fail(token, "property: a name is missing");
    if (!shown.property.empty()) fail(token, "property is given twice");
    shown.property = value;
  } else if (key == "accuracy") {
    if (value != "contract" && value != "device")
      fail(token, "accuracy is contract or device, not " + show(value));
    if (!shown.profile.empty()) fail(token, "profile is given twice");
    if (value == "device") shown.profile = "float-coordinates";
  } else if (key == "profile") {
    if (value.empty()) fail(token, "profile: a name is missing");
    if (!shown.profile.empty()) fail(token, "profile is given twice");
    shown.profile = replaced(std::string(value), kBlankInName, " ");
  } else if (key == "threads") {
    if (shown.threads != 0) fail(token, "threads is given twice");
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, shown.threads);
    if (error != std::errc{} || stop != end || shown.threads < 1 || shown.threads > kMostThreads)
      fail(token, "threads is a number from 1 to 1024, not " + show(value));
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string to_text(const Case& c, const Shown& shown) {
  std::string text = to_text(c);
  if (!shown.property.empty()) text += " property=" + shown.property;
  if (shown.threads > 0) text += " threads=" + std::to_string(shown.threads);
  if (!shown.profile.empty()) text += " profile=" + replaced(shown.profile, " ", kBlankInName);
  return text;
}

Case parse_case_line(std::string_view text, Shown& shown) {
  // What is taken becomes blank, so that the columns of the rest stay what they are.
  std::string rest(text);
  for (std::size_t at = 0; (at = text.find_first_not_of(kBlank, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
    if (take({text.substr(at, end - at), at + 1}, shown)) rest.replace(at, end - at, end - at, ' ');
    at = end;
  }
  return parse_case_line(rest);
}

Case parse_case(std::string_view text, Shown& shown) {
  try {
    return parse_case_line(text, shown);
  } catch (const TextError& e) {
    throw InputError("column " + std::to_string(e.column) + ": " + e.message);
  }
}

}  // namespace gradproof::props
