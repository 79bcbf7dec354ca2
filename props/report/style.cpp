// Terminal colours, line breaks and column widths.
#include "props/report/style.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace gradproof::report {
namespace {

constexpr std::size_t kLeast = 40;

std::string painted(bool color, const char* code, std::string_view text) {
  if (!color) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

/// Number of UTF-8 characters; each takes one column.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string Style::good(std::string_view text) const { return painted(color, "32", text); }
std::string Style::bad(std::string_view text) const { return painted(color, "1;31", text); }
std::string Style::unsure(std::string_view text) const { return painted(color, "33", text); }
std::string Style::heading(std::string_view text) const { return painted(color, "1", text); }

std::size_t columns(int descriptor) {
  std::size_t found = kUnlimited;
  winsize size{};
  if (const char* word = std::getenv("COLUMNS"); word != nullptr && std::atoi(word) > 0)
    found = static_cast<std::size_t>(std::atoi(word));
  else if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    found = size.ws_col;
  return std::max(found, kLeast);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t used = 0, margin = 0;  // characters in the line, and its leading blanks
  bool begun = false;                // whether the line has a word
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (begun && used + 1 + length(word) > width) {
      used = margin + indent;
      lines += '\n' + std::string(used, ' ');
    } else if (begun) {
      lines += ' ';
      ++used;
    } else if (word.empty() && end < text.size() && text[end] == ' ') {
      lines += ' ';
      ++used;
      ++margin;
    }
    lines += word;
    used += length(word);
    begun = begun || !word.empty();
    if (end < text.size() && text[end] == '\n') {
      lines += '\n';
      used = margin = 0;
      begun = false;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string wrapped_command(std::string_view command, std::size_t width) {
  std::string lines;
  std::size_t used = 0;
  bool quoted = false;  // in single quotes, where a backslash is literal
  for (std::size_t at = 0; at < command.size();) {
    std::size_t end = at;
    bool now = quoted;
    for (; end < command.size() && (end == at || command[end - 1] != ' '); ++end) {
      if (command[end] == '\'')
        now = !now;
      else if (command[end] == '\\' && !now)
        ++end;
    }
    const std::string_view word = command.substr(at, end - at);
    if (used > 0 && used + length(word) + 2 > width) {
      lines += quoted ? "'\\\n'" : "\\\n  ";
      used = quoted ? 1 : 2;
    }
    lines += word;
    used += length(word);
    quoted = now;
    at = end;
  }
  return lines;
}

std::string shortened(std::string_view text, std::size_t width) {
  std::string line(text.substr(0, text.find('\n')));
  if (length(line) <= width) return line;
  while (length(line) >= width) line.pop_back();
  return line + "…";
}

std::size_t Table::width(std::size_t column) const {
  std::size_t most = length(columns_[column].head);
  for (const auto& row : rows_) most = std::max(most, length(row[column]));
  return most;
}

void Table::print(std::ostream& out, const Style& style) const {
  std::vector<std::size_t> shown(columns_.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  const auto total = [&] {
    return std::accumulate(shown.begin(), shown.end(), shown.size() * 2 - 2,
                           [&](std::size_t sum, std::size_t at) { return sum + width(at); });
  };
  while (shown.size() > 2 && total() > style.width) {
    shown.erase(std::min_element(shown.begin() + 1, shown.end(), [&](std::size_t a, std::size_t b) {
      return columns_[a].keep < columns_[b].keep;
    }));
  }
  const auto line = [&](const auto& cell) {
    std::string text;
    for (const std::size_t at : shown) {
      const std::string word = cell(at);
      const std::string gap(width(at) - length(word), ' ');
      text += at == 0 ? word + gap : "  " + gap + word;
    }
    return text;
  };
  out << style.heading(line([&](std::size_t at) { return columns_[at].head; })) << '\n';
  for (const auto& row : rows_) out << line([&](std::size_t at) { return row[at]; }) << '\n';
}

}  // namespace gradproof::report
