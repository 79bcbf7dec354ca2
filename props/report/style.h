// How a report looks on the terminal: colours, the length of lines, tables that fit.
#pragma once

#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::report {

/// The width of what is no terminal: a line stays whole for programs that read it.
inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

struct Style {
  bool color = false;
  std::size_t width = kUnlimited;  ///< columns of a line

  std::string good(std::string_view text) const;
  std::string bad(std::string_view text) const;
  std::string unsure(std::string_view text) const;
  std::string heading(std::string_view text) const;
};

/// COLUMNS, where that is set; else the width of the terminal behind the file descriptor, if it is
/// one.
std::size_t columns(int descriptor);

/// The text's lines, those of more than `width` characters broken at blanks; what goes on begins
/// with `indent` more blanks than the line. A longer word has its own line.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 2);

/// The command for a shell in lines of at most `width` characters, where it has blanks to break it
/// at. What is pasted is the same command.
std::string wrapped_command(std::string_view command, std::size_t width);

/// Its first line, with "…" where more than `width` characters were cut.
std::string shortened(std::string_view text, std::size_t width);

/// The first column is left-aligned, the others right-aligned. Columns that do not fit are left
/// out, those with the smallest `keep` first.
class Table {
 public:
  struct Column {
    std::string head;
    int keep = 0;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::ostream& out, const Style& style) const;

 private:
  std::size_t width(std::size_t column) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gradproof::report
