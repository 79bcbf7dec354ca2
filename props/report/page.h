// What all HTML pages of reports have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradproof::report {

/// The page up to and including its heading. It is self-contained, and follows the reader's light
/// or dark colour scheme. @param verdict  "passed", "failed" or "incomplete"; it also sets the
/// colour
std::string page_head(std::string_view title, std::string_view verdict);
inline constexpr std::string_view kPageEnd = "</body>\n</html>\n";

std::string page_section(std::string_view title, std::string_view says);
/// A row of a table; cells are HTML. The first `words` columns contain text, the others numbers.
std::string page_row(const std::vector<std::string>& cells, std::string_view tag = "td",
                     std::size_t words = 1);
/// "1.50".
std::string fixed_digits(double value, int digits);

}  // namespace gradproof::report
