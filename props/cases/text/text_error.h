// Errors of the text form: where they are, and the known word that was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "props/cases/input_error.h"
#include "props/cases/text/shown.h"

namespace gradproof::props {

/// A piece of a case's text and the column that it starts at, from 1.
struct Token {
  std::string_view text;
  std::size_t column = 1;
};

/// What is wrong and where. parse_case and read_case_file turn it into the InputError of their
/// user.
struct TextError {
  std::size_t column;
  std::string message;
};

/// The text in quotes, shortened, with everything unprintable escaped.
std::string show(std::string_view text);
[[noreturn]] void fail(const Token& at, const std::string& message);
/// Fails with "…; did you mean 'x'?", or with the list of what is known if nothing is close.
[[noreturn]] void fail_unknown(const Token& at, const std::string& what,
                               std::span<const std::string_view> known);

/// parse_case, throwing TextError.
Case parse_case_line(std::string_view text);
Case parse_case_line(std::string_view text, Shown& shown);

}  // namespace gradproof::props
