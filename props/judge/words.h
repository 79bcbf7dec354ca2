// Looks for names and numbers in messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradproof::props {

/// Whether the text contains the word, as a part of another one too.
bool names(const std::string& message, std::string_view word);

/// Whether the text has the value as a number or name of its own: 3 is not in 13, -3 or 3.5.
bool says_value(const std::string& message, std::string_view value);
/// Whether it has all values of one of the lists, or there is none. Equal values need as many
/// places.
bool says_any(const std::string& message, const std::vector<std::vector<std::string>>& values);

/// Whether a word is missing, as in "is an , not an aclTensor".
bool lacks_a_word(const std::string& message);

/// "7 and 8", or "7 and 8, or 1 and 2".
std::string in_words(const std::vector<std::vector<std::string>>& values);

}  // namespace gradproof::props
