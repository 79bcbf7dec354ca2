// One line of text → Case. Total and bounded: any bytes give a Case or an error with a column.
#include <locale.h>

#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "props/cases/text/text_error.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kLongestText = 1 << 16;
constexpr std::size_t kMostDimensions = 64;  // what aclCreateTensor can hold
constexpr std::size_t kLongestArray = 1024;
constexpr std::string_view kBlank = " \t\r";

/// Cuts the part before `separator` off the front of `rest`; the whole of it if there is none.
/// Fails if nothing follows the separator.
Token cut(Token& rest, char separator) {
  const std::size_t end = rest.text.find(separator);
  const Token front{rest.text.substr(0, end), rest.column};
  if (end != std::string_view::npos && end + 1 == rest.text.size())
    fail({{}, rest.column + end}, std::string("nothing follows '") + separator + "'");
  const std::size_t used = end == std::string_view::npos ? rest.text.size() : end + 1;
  rest.text.remove_prefix(used);
  rest.column += used;
  return front;
}

template <class Integer>
Integer parse_integer(const Token& token, const char* what) {
  Integer value{};
  const char* const end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    fail(token, std::string(what) + ": " + show(token.text) + " does not fit");
  }
  if (error != std::errc{} || stop != end) {
    fail(token, std::string(what) + ": expected a whole number, got " + show(token.text));
  }
  return value;
}

std::vector<std::int64_t> parse_list(Token token, const char* what, std::size_t most) {
  std::vector<std::int64_t> values;
  if (token.text.empty()) return values;
  for (;;) {
    const bool more = token.text.find(',') != std::string_view::npos;
    const Token item = cut(token, ',');
    if (values.size() == most)
      fail(item, std::string(what) + ": more than " + std::to_string(most) + " numbers");
    values.push_back(parse_integer<std::int64_t>(item, what));
    if (!more) return values;
  }
}

double parse_real(const Token& token, const char* what) {
  std::string_view text = token.text;
  if (text == "nan") return std::bit_cast<double>(std::uint64_t{0x7FF8000000000000u});
  const auto wrong = [&]() {
    fail(token, std::string(what) + ": expected a number, got " + show(token.text));
  };
  if (text.starts_with("nan#")) {
    std::uint64_t bits = 0;
    const auto [stop, error] =
        std::from_chars(text.data() + 4, text.data() + text.size(), bits, 16);
    const double value = std::bit_cast<double>(bits);
    if (error != std::errc{} || stop != text.data() + text.size() || !std::isnan(value)) wrong();
    return value;
  }
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  // Not from_chars, which libc++ has for doubles only since LLVM 20. strtod takes blanks, signs and
  // NaNs besides.
  const std::string digits(text);
  if (digits.empty() || std::string_view("0123456789.i").find(digits[0]) == std::string_view::npos)
    wrong();
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  char* stop = nullptr;
  errno = 0;
  const double value = strtod_l(digits.c_str(), &stop, c_locale);
  if (stop != digits.c_str() + digits.size()) wrong();
  if (errno == ERANGE && (std::isinf(value) || value == 0)) {  // subnormals may set it too
    fail(token, std::string(what) + ": " + show(token.text) + " does not fit a double");
  }
  return negative ? -value : value;
}

Fill parse_fill(Token token) {
  Fill fill;
  Token kind = cut(token, ',');
  std::vector<std::string_view> known;
  bool found = false;
  for (int k = 0; k <= static_cast<int>(Fill::Kind::one_bad); ++k) {
    known.push_back(name(static_cast<Fill::Kind>(k)));
    if (known.back() == kind.text) fill.kind = static_cast<Fill::Kind>(k), found = true;
  }
  if (!found) fail_unknown(kind, "a kind of fill", known);
  if (!token.text.empty()) fill.a = parse_real(cut(token, ','), "fill");
  if (!token.text.empty()) fill.b = parse_real(cut(token, ','), "fill");
  if (!token.text.empty()) fail(token, "fill: more than two numbers");
  return fill;
}

/// `memory(own|TENSOR[,bytes])`
void parse_memory(Token token, ref::Operator op, ref::Tensor& t) {
  const Token owner = cut(token, ',');
  if (owner.text != "own") {
    std::vector<std::string_view> known = {"own"};
    for (const ref::Parameter& p : ref::signature(op).parameters) {
      if (p.kind != ref::Kind::tensor) continue;
      known.push_back(p.name);
      if (p.name == owner.text) t.shares = p.slot;
    }
    if (t.shares == -1) fail_unknown(owner, "a tensor of this operator", known);
  }
  if (!token.text.empty()) t.shares_at = parse_integer<std::int64_t>(token, "memory");
}

/// `DTYPE[dims]:FORMAT` or `null`, then attributes, all separated by colons.
void parse_tensor(Token value, int slot, Case& c) {
  ref::Tensor& t = c.call.tensors[slot];
  const Token whole = value;
  Token head = cut(value, ':');
  if (head.text == "null") {
    t.null = true;
  } else {
    const std::size_t open = head.text.find('[');
    if (open == std::string_view::npos || !head.text.ends_with(']')) {
      fail(head, "expected DTYPE[dims]:FORMAT or null, got " + show(head.text));
    }
    const Token dtype{head.text.substr(0, open), head.column};
    const auto number = ref::dtype_from_name(dtype.text);
    if (!number)
      fail(dtype, show(dtype.text) + " is not a data type (FLOAT, BF16, …, or dtype(NUMBER))");
    t.dtype = *number;
    t.shape = parse_list(
        {head.text.substr(open + 1, head.text.size() - open - 2), head.column + open + 1}, "dims",
        kMostDimensions);
    const Token format = cut(value, ':');
    const auto layout = ref::format_from_name(format.text);
    if (!layout)
      fail(format, show(format.text) + " is not a format (ND, NCDHW, …, or format(NUMBER))");
    t.format = *layout;
  }
  t.strides = ref::contiguous_strides(t.shape);

  static constexpr std::string_view kAttributes[] = {"null",    "null_strides", "strides", "offset",
                                                     "storage", "null_data",    "memory",  "fill"};
  unsigned seen = 0;
  Token strides = whole;
  while (!value.text.empty()) {
    const Token attribute = cut(value, ':');
    const std::size_t open = attribute.text.find('(');
    const Token key{attribute.text.substr(0, open), attribute.column};
    unsigned which = 0;
    while (which < std::size(kAttributes) && kAttributes[which] != key.text) ++which;
    if (which == std::size(kAttributes)) fail_unknown(key, "an attribute of a tensor", kAttributes);
    if (seen & 1u << which) fail(key, show(key.text) + " is given twice");
    seen |= 1u << which;
    const bool takes_arguments = which >= 2 && which != 5;
    if (takes_arguments != (open != std::string_view::npos) ||
        (takes_arguments && !attribute.text.ends_with(')'))) {
      fail(attribute,
           show(attribute.text) +
               (takes_arguments ? ": expected arguments in parentheses" : " takes no arguments"));
    }
    Token arguments{};
    if (takes_arguments) {
      arguments = {attribute.text.substr(open + 1, attribute.text.size() - open - 2),
                   attribute.column + open + 1};
    }
    switch (which) {
      case 0: t.null = true; break;
      case 1: t.null_strides = true; break;
      case 2:
        t.strides = parse_list(arguments, "strides", kMostDimensions);
        strides = arguments;
        break;
      case 3: t.offset = parse_integer<std::int64_t>(arguments, "offset"); break;
      case 4: t.storage = parse_list(arguments, "storage", kMostDimensions); break;
      case 5: t.null_data = true; break;
      case 6: parse_memory(arguments, c.call.op, t); break;
      default: c.fills[slot] = parse_fill(arguments); break;
    }
  }
  if (!t.null_strides && t.strides.size() != t.shape.size()) {
    fail(strides, "strides: " + std::to_string(t.strides.size()) + " for " +
                      std::to_string(t.shape.size()) + " dimensions");
  }
  if (!(seen & 1u << 4)) t.storage = default_storage(t);
}

ref::IntArray parse_array(Token value) {
  ref::IntArray array;
  if (value.text == "null" || value.text.starts_with("null:")) {
    array.null = true;
    cut(value, ':');
  }
  array.values = parse_list(value, "int array", kLongestArray);
  return array;
}

std::uint8_t parse_flag(const Token& value) {
  if (value.text == "true") return 1;
  if (value.text == "false") return 0;
  std::uint8_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, number);
  if (error != std::errc{} || stop != end)
    fail(value, "expected true or false, got " + show(value.text));
  return number;
}

ref::Operator parse_operator(const Token& token) {
  std::vector<std::string_view> known;
  for (int op = 0; op < ref::kOperatorCount; ++op) {
    known.push_back(ref::signature(static_cast<ref::Operator>(op)).stem);
    if (known.back() == token.text) return static_cast<ref::Operator>(op);
  }
  if (token.text.empty()) fail(token, "expected an operator, found nothing");
  fail_unknown(token, "an operator", known);
}

ref::Product parse_product(const Token& value) {
  std::vector<std::string_view> known;
  for (int product = 0; product < ref::kProductCount; ++product) {
    known.push_back(ref::name(static_cast<ref::Product>(product)));
    if (known.back() == value.text) return static_cast<ref::Product>(product);
  }
  fail_unknown(value, "a product", known);
}

Misuse parse_misuse(const Token& value) {
  std::vector<std::string_view> known;
  for (int misuse = 0; misuse <= static_cast<int>(Misuse::dead_stream); ++misuse) {
    known.push_back(name(static_cast<Misuse>(misuse)));
    if (known.back() == value.text) return static_cast<Misuse>(misuse);
  }
  fail_unknown(value, "a misuse of phase 2", known);
}

bool parse_null(const Token& value) {
  if (value.text != "null") fail(value, "the only value that can be given here is null");
  return true;
}

/// Skips blanks, then cuts the next run of non-blanks.
Token next_token(Token& rest) {
  std::size_t begin = rest.text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) begin = rest.text.size();
  rest.text.remove_prefix(begin);
  rest.column += begin;
  const std::size_t length = std::min(rest.text.find_first_of(kBlank), rest.text.size());
  const Token token{rest.text.substr(0, length), rest.column};
  rest.text.remove_prefix(length);
  rest.column += length;
  return token;
}

}  // namespace

Case parse_case_line(std::string_view text) {
  Token rest{text};
  if (text.size() > kLongestText) {
    fail(rest, "longer than " + std::to_string(kLongestText) + " bytes");
  }
  Case c = blank_case(parse_operator(next_token(rest)));
  const auto parameters = ref::signature(c.call.op).parameters;
  std::vector<std::string_view> keys = {"soc",  "workspaceSize", "executor",
                                        "seed", "misuse",        "sequence"};
  const std::size_t fixed = keys.size();
  for (const ref::Parameter& p : parameters) keys.push_back(p.name);

  std::vector<bool> seen(keys.size());
  for (Token token = next_token(rest); !token.text.empty(); token = next_token(rest)) {
    const std::size_t equals = token.text.find('=');
    if (equals == std::string_view::npos)
      fail(token, "expected key=value, got " + show(token.text));
    const Token key{token.text.substr(0, equals), token.column};
    const Token value{token.text.substr(equals + 1), token.column + equals + 1};
    std::size_t which = 0;
    while (which < keys.size() && keys[which] != key.text) ++which;
    if (which == keys.size())
      fail_unknown(key, "a key of " + std::string(ref::signature(c.call.op).stem), keys);
    if (seen[which]) fail(key, show(key.text) + " is given twice");
    seen[which] = true;
    switch (which) {
      case 0: c.call.product = parse_product(value); continue;
      case 1: c.call.null_workspace_size = parse_null(value); continue;
      case 2: c.call.null_executor = parse_null(value); continue;
      case 3: c.seed = parse_integer<std::uint64_t>(value, "seed"); continue;
      case 4: c.misuse = parse_misuse(value); continue;
      case 5: c.sequence = parse_sequence(value.text, value.column); continue;
      default: break;
    }
    const ref::Parameter& p = parameters[which - fixed];
    switch (p.kind) {
      case ref::Kind::tensor: parse_tensor(value, p.slot, c); break;
      case ref::Kind::int_array: c.call.arrays[p.slot] = parse_array(value); break;
      case ref::Kind::flag: c.call.flags[p.slot] = parse_flag(value); break;
      case ref::Kind::real: c.call.reals[p.slot] = parse_real(value, "number"); break;
    }
  }
  for (std::size_t which = fixed; which < keys.size(); ++which) {
    if (!seen[which]) fail(rest, "'" + std::string(keys[which]) + "' is missing");
  }
  return c;
}

Case parse_case(std::string_view text) {
  try {
    return parse_case_line(text);
  } catch (const TextError& e) {
    throw InputError("column " + std::to_string(e.column) + ": " + e.message);
  }
}

}  // namespace gradproof::props
