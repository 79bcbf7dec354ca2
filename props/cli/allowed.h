// The values that options accept; for others the message is "--OPTION: must be …, not 'VALUE'".
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

namespace gradproof::cli {

/// "must be ALLOWED, not 'WORD'"; the parser puts "--OPTION: " in front.
std::string must_be(const std::string& allowed, const std::string& word);

/// "90", "90s", "2m", "1.5h": a time in that range, converted to seconds.
CLI::Validator time_between(double least, double most);
/// A whole number in that range. CLI11 converts -1, and numbers that are too large, to the maximum.
CLI::Validator whole_number(std::uint64_t least = 0,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// A whole number in that range, or `word`, which is converted to `stands_for`.
CLI::Validator whole_number_or(const std::string& word, std::uint64_t stands_for,
                               std::uint64_t least, std::uint64_t most);
CLI::Validator one_of(std::initializer_list<std::string_view> words);
CLI::Validator not_empty();

}  // namespace gradproof::cli
