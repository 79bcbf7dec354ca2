// Text that comes from a library or a file name, made fit for every place that shows it.
#pragma once

#include <string>
#include <string_view>

namespace gradproof::report {

/// Valid UTF-8 without control characters but line feeds: every other byte becomes \xNN. What a
/// library says can so neither break a report's syntax nor command a terminal.
std::string printable(std::string_view bytes);

/// The same with the five characters escaped that mean something to XML and HTML; `attribute` also
/// keeps line feeds, which attributes would lose.
enum class Place : unsigned char { text, attribute };
std::string escaped(std::string_view bytes, Place place = Place::text);

/// The word in single quotes for a shell, if it needs them.
std::string shell_word(const std::string& word);

}  // namespace gradproof::report
