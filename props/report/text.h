// Escapes text from libraries and file names for every output format.
#pragma once

#include <string>
#include <string_view>

namespace gradproof::report {

/// Converts to valid UTF-8 without control characters other than line feeds; every other byte
/// becomes \xNN. Output of a library can then neither break a report's syntax nor control a
/// terminal.
std::string printable(std::string_view bytes);

/// The same, with the five special characters of XML and HTML escaped; `attribute` also escapes
/// line feeds, which attributes would lose.
enum class Place : unsigned char { text, attribute };
std::string escaped(std::string_view bytes, Place place = Place::text);

/// The word in single quotes for a shell, if it needs them.
std::string shell_word(const std::string& word);

}  // namespace gradproof::report
