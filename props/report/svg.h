// Charts as inline SVG. Colours are CSS classes of the page (see html.cpp), so that they follow its
// scheme; every mark has a title, and no fact is told by colour alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::report {

/// "1234", "12k", "3.4M".
std::string compact(std::uint64_t count);

/// A histogram of Distribution::bins on a logarithmic scale of counts; the last bar is apart.
std::string histogram(std::string_view label, const std::uint64_t* bins, std::size_t count);

enum class State : unsigned char { good, bad, none };

struct Mark {
  State state = State::none;
  std::string text;   ///< short; in the cell
  std::string title;  ///< in full
};

/// Rows × columns; a cell holds as many marks as it is divided into, one above the other.
struct Matrix {
  std::string label;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<Mark>> cells;  ///< rows.size()·columns.size(); empty: does not apply
};
std::string matrix(const Matrix& m);

/// A horizontal bar that fills `part` of its length (0 … 1), for use within a table.
std::string bar(std::string_view label, double part, State state);

}  // namespace gradproof::report
