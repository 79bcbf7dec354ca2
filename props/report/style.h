// How a report looks on the terminal: colours, the length of lines, tables that fit.
#pragma once

#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::report {

/// Width if the output is not a terminal: lines are not broken, for programs that read them.
inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

struct Style {
  bool color = false;
  std::size_t width = kUnlimited;  ///< columns of a line

  std::string good(std::string_view text) const;
  std::string bad(std::string_view text) const;
  std::string unsure(std::string_view text) const;
  std::string heading(std::string_view text) const;
};

/// COLUMNS, if set; else the width of the terminal of the file descriptor; else kUnlimited.
std::size_t columns(int descriptor);

/// Breaks lines of more than `width` characters at blanks; continuation lines are indented by
/// `indent` more blanks. A word that is too long has its own line.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 2);

/// Breaks a shell command at blanks into lines of at most `width` characters. Pasted into a shell,
/// it is the same command.
std::string wrapped_command(std::string_view command, std::size_t width);

/// The first line of the text, cut to `width` characters with "…" if it is longer.
std::string shortened(std::string_view text, std::size_t width);

/// The first column is left-aligned, the others right-aligned. If the table is too wide, columns
/// are omitted, those with the smallest `keep` first.
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
