// Messages about text that cannot be read.
#include "props/cases/text/text_error.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "props/cases/listed.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kLongestShown = 40;

/// Levenshtein distance of two words of bounded length.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string show(std::string_view text) {
  std::string shown = "'";
  for (char c : text.substr(0, kLongestShown)) {
    if (c >= 0x20 && c < 0x7F) {
      shown += c;
    } else {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\x%02x", static_cast<unsigned char>(c));
      shown += buffer;
    }
  }
  return shown + (text.size() > kLongestShown ? "…'" : "'");
}

void fail(const Token& at, const std::string& message) { throw TextError{at.column, message}; }

void fail_unknown(const Token& at, const std::string& what,
                  std::span<const std::string_view> known) {
  std::string message = show(at.text) + " is not " + what;
  std::string_view best;
  std::size_t nearest = 3;  // more than two slips are another word
  for (std::string_view word : known) {
    if (at.text.size() > kLongestShown + word.size()) continue;
    const std::size_t d = distance(at.text, word);
    if (d < nearest && d < word.size()) nearest = d, best = word;
  }
  if (!best.empty()) fail(at, message + "; did you mean '" + std::string(best) + "'?");
  fail(at, message + "; expected one of " + listed({known.begin(), known.end()}));
}

}  // namespace gradproof::props
