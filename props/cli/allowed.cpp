// Checks values of options in words that name what is allowed.
#include "props/cli/allowed.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace gradproof::cli {
namespace {

/// Large bounds are powers of two, and read best as such.
std::string bound(std::uint64_t number) {
  if (number == std::numeric_limits<std::uint64_t>::max()) return "2^64-1";
  const bool power = number > 1'000'000 && std::has_single_bit(number);
  return power ? "2^" + std::to_string(std::countr_zero(number)) : std::to_string(number);
}

std::string range(std::uint64_t least, std::uint64_t most) {
  if (least == most) return bound(least);
  return "a whole number from " + bound(least) + " to " + bound(most);
}

bool is_whole_number(const std::string& word, std::uint64_t least, std::uint64_t most) {
  char* end = nullptr;
  errno = 0;
  const std::uint64_t number = std::strtoull(word.c_str(), &end, 0);  // as CLI11 converts it
  return errno == 0 && end != word.c_str() && *end == '\0' &&
         word.find_first_of("- \t\n") == std::string::npos && number >= least && number <= most;
}

}  // namespace

std::string must_be(const std::string& allowed, const std::string& word) {
  return "must be " + allowed + ", not '" + word + '\'';
}

CLI::Validator time_between(double least, double most) {
  return {[=](std::string& word) {
            char* unit = nullptr;
            double seconds = std::strtod(word.c_str(), &unit);
            const std::string_view rest = unit;
            if (rest == "m") seconds *= 60;
            if (rest == "h") seconds *= 3600;
            const bool known = rest.empty() || rest == "s" || rest == "m" || rest == "h";
            if (word.empty() || unit == word.c_str() || !known || !std::isfinite(seconds))
              return must_be("a time such as 90, 90s, 2m or 1.5h", word);
            char text[64];
            if (seconds < least || seconds > most) {
              std::snprintf(text, sizeof text, "from %.10g to %.10g seconds", least, most);
              return must_be(text, word);
            }
            std::snprintf(text, sizeof text, "%.17g", seconds);
            word = text;
            return std::string();
          },
          ""};
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[=](std::string& word) {
            return is_whole_number(word, least, most) ? "" : must_be(range(least, most), word);
          },
          ""};
}

CLI::Validator whole_number_or(const std::string& other, std::uint64_t stands_for,
                               std::uint64_t least, std::uint64_t most) {
  return {[=](std::string& word) {
            if (word == other) {
              word = std::to_string(stands_for);
            } else if (!is_whole_number(word, least, most)) {
              return must_be(other + ", or " + range(least, most), word);
            }
            return std::string();
          },
          ""};
}

CLI::Validator one_of(std::initializer_list<std::string_view> words) {
  const std::vector<std::string_view> known(words);
  std::string list;
  for (const std::string_view word : known) {
    list += list.empty() ? "" : word == known.back() ? " or " : ", ";
    list += word;
  }
  return {[=](std::string& word) {
            const bool is_known = std::find(known.begin(), known.end(), word) != known.end();
            return is_known ? "" : must_be(list, word);
          },
          ""};
}

CLI::Validator not_empty() {
  return {[](std::string& word) { return std::string(word.empty() ? "must not be empty" : ""); },
          ""};
}

}  // namespace gradproof::cli
