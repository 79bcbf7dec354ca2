// Charts as inline SVG. Colours are CSS classes of the page (see page.cpp), so that they follow its
// scheme; every mark has a title, and no information is in colour alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::report {

/// "1234", "12k", "3.4M".
std::string compact(std::uint64_t count);

/// A histogram of Distribution::bins with a logarithmic scale of counts.
std::string histogram(std::string_view label, const std::uint64_t* bins, std::size_t count);

enum class State : unsigned char { good, bad, none };

struct Mark {
  State state = State::none;
  std::string text;   ///< short; in the cell
  std::string title;  ///< in full
};

/// A table of rows and columns; the marks of a cell are stacked.
struct Matrix {
  std::string label;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<Mark>> cells;  ///< rows.size()·columns.size(); empty: does not apply
};
std::string matrix(const Matrix& m);

/// A horizontal bar, filled to `part` (0 … 1) of its length, for use in a table.
std::string bar(std::string_view label, double part, State state);

}  // namespace gradproof::report
