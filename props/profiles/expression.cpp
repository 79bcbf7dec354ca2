// A recursive-descent parser, a function a line of the grammar, and the evaluation of its tree.
#include "props/profiles/expression.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

#include "props/cases/input_error.h"
#include "props/cases/listed.h"
#include "props/cases/memory_layout.h"
#include "props/cases/shapes.h"
#include "ref/element.h"

namespace gradproof::profiles {

namespace {

/// What a condition is asked of.
struct Asked {
  const ref::Call& call;
  std::string_view argument;
};
using Function = std::function<long double(const Asked&)>;

}  // namespace

struct Expression::Node {
  Function value;  ///< throws Absent; long double holds every int64 exactly
};

namespace {

/// The condition speaks about something that the call does not have.
struct Absent {};

/// The tensor that the broken rule names.
constexpr std::string_view kArgument = "argument";

const ref::Parameter* find(ref::Operator op, std::string_view name) {
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

const ref::Parameter& need(const Asked& asked, std::string_view name) {
  const ref::Parameter* p = find(asked.call.op, name == kArgument ? asked.argument : name);
  if (p == nullptr || (name == kArgument && p->kind != ref::Kind::tensor)) throw Absent();
  return *p;
}

const ref::Tensor& tensor_of(const Asked& asked, std::string_view name) {
  const ref::Tensor& t = asked.call.tensors[static_cast<std::size_t>(need(asked, name).slot)];
  if (t.null) throw Absent();
  return t;
}

const std::vector<std::int64_t>& array_of(const Asked& asked, std::string_view name) {
  const ref::IntArray& a = asked.call.arrays[static_cast<std::size_t>(need(asked, name).slot)];
  if (a.null) throw Absent();
  return a.values;
}

/// Extents of a tensor, or values of an array.
const std::vector<std::int64_t>& numbers_of(const Asked& asked, std::string_view name) {
  return need(asked, name).kind == ref::Kind::tensor ? tensor_of(asked, name).shape
                                                     : array_of(asked, name);
}

/// Whether every element of the view is one of its storage.
bool inside(const ref::Tensor& t) {
  const std::vector<std::int64_t> strides =
      t.null_strides ? ref::contiguous_strides(t.shape) : t.strides;
  long double low = static_cast<long double>(t.offset), high = low, count = 1;
  for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
    const long double far =
        (static_cast<long double>(t.shape[axis]) - 1) * static_cast<long double>(strides[axis]);
    (far < 0 ? low : high) += far;
  }
  for (const std::int64_t extent : t.storage) {
    if (extent < 0) return false;
    count *= static_cast<long double>(extent);
  }
  const long double most = std::numeric_limits<std::int64_t>::max();
  return low >= 0 && high < count && count <= most;
}

long double element(const std::vector<std::int64_t>& values, long double index) {
  if (index < 0) index += static_cast<long double>(values.size());
  if (!(index >= 0 && index < static_cast<long double>(values.size()))) throw Absent();
  return static_cast<long double>(values[static_cast<std::size_t>(index)]);
}

long double axis(const ref::Tensor& t, std::string_view name, int spatial) {
  const bool last = t.format == 1;  // NHWC
  const auto rank = static_cast<long double>(t.shape.size());
  if (name == "rank") return rank;
  if (name == "offset") return static_cast<long double>(t.offset);
  if (name == "format") return t.format;
  if (name == "dtype") return t.dtype;
  if (name == "N") {
    if (t.shape.size() < static_cast<std::size_t>(spatial) + 2) throw Absent();
    return element(t.shape, 0);
  }
  if (name == "C") return element(t.shape, last ? -1 : -spatial - 1);
  if (name == "D") {
    if (spatial < 3) throw Absent();
    return element(t.shape, -3);
  }
  return element(t.shape, (name == "H" ? -2 : -1) - (last ? 1 : 0));
}

class Parser {
 public:
  Parser(std::string_view text, std::span<const ref::Operator> operators)
      : text_(text), operators_(operators) {}

  Function all() {
    Function f = condition();
    skip();
    if (at_ < text_.size()) fail("unexpected '" + std::string(text_.substr(at_, 1)) + "'");
    return f;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw props::InputError("column " + std::to_string(at_ + 1) + " of \"" + std::string(text_) +
                            "\": " + message);
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void demand(std::string_view token) {
    if (!take(token)) fail("expected '" + std::string(token) + "'");
  }
  std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Function condition() {
    Function left = conjunction();
    while (take("||")) {
      left = [a = left, b = conjunction()](const Asked& c) -> long double {
        return a(c) != 0 || b(c) != 0 ? 1 : 0;
      };
    }
    return left;
  }
  Function conjunction() {
    Function left = test();
    while (take("&&")) {
      left = [a = left, b = test()](const Asked& c) -> long double {
        return a(c) != 0 && b(c) != 0 ? 1 : 0;
      };
    }
    return left;
  }
  Function test() {
    skip();
    if (text_.substr(at_, 2) != "!=" && take("!"))
      return [a = test()](const Asked& c) -> long double { return a(c) == 0 ? 1 : 0; };
    return compare();
  }
  Function compare() {
    Function a = sum();
    using Compare = bool (*)(long double, long double);
    static constexpr std::pair<std::string_view, Compare> kCompares[] = {
        {"<=", [](long double x, long double y) { return x <= y; }},
        {">=", [](long double x, long double y) { return x >= y; }},
        {"==", [](long double x, long double y) { return x == y; }},
        {"!=", [](long double x, long double y) { return x != y; }},
        {"<", [](long double x, long double y) { return x < y; }},
        {">", [](long double x, long double y) { return x > y; }}};
    for (const auto& [token, holds] : kCompares) {
      if (!take(token)) continue;
      return [a, b = sum(), holds = holds](const Asked& c) -> long double {
        return holds(a(c), b(c)) ? 1 : 0;
      };
    }
    return a;
  }
  Function sum() {
    Function left = product();
    for (;;) {
      if (take("+"))
        left = [a = left, b = product()](const Asked& c) { return a(c) + b(c); };
      else if (take("-"))
        left = [a = left, b = product()](const Asked& c) { return a(c) - b(c); };
      else
        return left;
    }
  }
  Function product() {
    Function left = value();
    for (;;) {
      if (take("*"))
        left = [a = left, b = value()](const Asked& c) { return a(c) * b(c); };
      else if (take("/"))
        left = [a = left, b = value()](const Asked& c) { return a(c) / b(c); };
      else if (take("%"))
        left = [a = left, b = value()](const Asked& c) { return std::fmod(a(c), b(c)); };
      else
        return left;
    }
  }
  Function value() {
    skip();
    if (take("(")) {
      Function inner = condition();
      demand(")");
      return inner;
    }
    if (take("-")) return [a = value()](const Asked& c) { return -a(c); };
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      char* end = nullptr;
      const std::string rest(text_.substr(at_));
      const long double number = std::strtold(rest.c_str(), &end);
      at_ += static_cast<std::size_t>(end - rest.c_str());
      return [number](const Asked&) { return number; };
    }
    const std::size_t begin = at_;
    const std::string name = word();
    if (name.empty()) fail("expected a number or a name");
    if (name == "floor" || name == "min" || name == "max") return function(name);
    if (name == "len" || name == "elements") {
      const std::string of = one(name == "len" ? ref::Kind::int_array : ref::Kind::tensor);
      if (name == "len")
        return [of](const Asked& c) { return static_cast<long double>(array_of(c, of).size()); };
      return [of](const Asked& c) {
        long double count = 1;
        for (const std::int64_t d : tensor_of(c, of).shape) count *= static_cast<long double>(d);
        return count;
      };
    }
    if (name == "dense" || name == "inside") {
      const std::string of = one(ref::Kind::tensor);
      if (name == "inside")
        return [of](const Asked& c) -> long double { return inside(tensor_of(c, of)); };
      return [of](const Asked& c) -> long double { return props::is_dense(tensor_of(c, of)); };
    }
    if (name == "same") return same();
    if (name == "least" || name == "most") {
      const std::string of = one(std::nullopt);
      return [of, least = name == "least"](const Asked& c) {
        const std::vector<std::int64_t>& numbers = numbers_of(c, of);
        if (numbers.empty()) throw Absent();
        const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
        return static_cast<long double>(least ? *low : *high);
      };
    }
    if (const auto number = constant(name)) return [number](const Asked&) { return *number; };
    return parameter(name, begin);
  }
  /// "(NAME)".
  std::string one(std::optional<ref::Kind> wanted) {
    demand("(");
    std::string of = list(wanted);
    demand(")");
    return of;
  }
  /// The name of something of that kind, or of a tensor or array.
  std::string list(std::optional<ref::Kind> wanted) {
    const std::size_t begin = at_;
    std::string of = word();
    const ref::Kind found = kind(of, wanted, begin);
    if (found != ref::Kind::tensor && found != ref::Kind::int_array)
      fail("'" + of + "' is neither a tensor nor an array");
    return of;
  }
  Function same() {
    demand("(");
    const std::string first = list(std::nullopt);
    demand(",");
    const std::string second = list(std::nullopt);
    demand(")");
    return [a = first, b = second](const Asked& c) -> long double {
      return numbers_of(c, a) == numbers_of(c, b);
    };
  }
  /// The number of a format or an element type.
  std::optional<long double> constant(const std::string& name) const {
    for (const ref::Operator op : operators_) {
      if (find(op, name) != nullptr) return std::nullopt;
    }
    if (const auto format = ref::format_from_name(name)) return *format;
    if (const auto dtype = ref::dtype_from_name(name)) return *dtype;
    return std::nullopt;
  }
  Function function(const std::string& name) {
    demand("(");
    Function a = sum();
    Function b;
    if (name != "floor") {
      demand(",");
      b = sum();
    }
    demand(")");
    // In double, as the documents compute floor(extent * scale): the product may round up to a
    // whole.
    if (name == "floor")
      return [a](const Asked& c) -> long double { return std::floor(static_cast<double>(a(c))); };
    if (name == "min") return [a, b](const Asked& c) { return std::fmin(a(c), b(c)); };
    return [a, b](const Asked& c) { return std::fmax(a(c), b(c)); };
  }
  Function parameter(const std::string& name, std::size_t begin) {
    const ref::Kind kind = this->kind(name, std::nullopt, begin);
    if (kind == ref::Kind::flag)
      return [name](const Asked& c) -> long double {
        return c.call.flags[static_cast<std::size_t>(need(c, name).slot)];
      };
    if (kind == ref::Kind::real)
      return [name](const Asked& c) -> long double {
        return c.call.reals[static_cast<std::size_t>(need(c, name).slot)];
      };
    const bool tensor = kind == ref::Kind::tensor;
    if (take("[")) {
      Function index = sum();
      demand("]");
      return [name, index, tensor](const Asked& c) {
        return element(tensor ? tensor_of(c, name).shape : array_of(c, name), index(c));
      };
    }
    if (!tensor) fail("'" + name + "' is an array: expected '['");
    demand(".");
    const std::string part = word();
    for (const char* known : {"N", "C", "D", "H", "W", "rank", "offset", "format", "dtype"}) {
      if (part != known) continue;
      return [name, part](const Asked& c) {
        return axis(tensor_of(c, name), part, props::spatial_axes(c.call.op));
      };
    }
    fail("a tensor has no '" + part + "', only N, C, D, H, W, rank, offset, format and dtype");
  }
  /// What the name stands for, in every operator alike.
  ref::Kind kind(const std::string& name, std::optional<ref::Kind> wanted, std::size_t begin) {
    std::optional<ref::Kind> kind = wanted;
    if (name == kArgument && wanted.value_or(ref::Kind::tensor) == ref::Kind::tensor)
      return ref::Kind::tensor;
    for (const ref::Operator op : operators_) {
      const ref::Parameter* p = find(op, name);
      if (p != nullptr && !kind) kind = p->kind;
      if (p != nullptr && *kind == p->kind) continue;
      at_ = begin;
      std::vector<std::string_view> known;
      for (const ref::Parameter& other : ref::signature(op).parameters) known.push_back(other.name);
      fail(std::string(ref::signature(op).stem) + " has no such parameter '" + name +
           "'; its parameters are " + props::listed(known));
    }
    return *kind;
  }

  std::string_view text_;
  std::span<const ref::Operator> operators_;
  std::size_t at_ = 0;
};

}  // namespace

Expression::Expression(std::string_view text, std::span<const ref::Operator> operators)
    : text_(text), root_(std::make_shared<const Node>(Node{Parser(text_, operators).all()})) {}

bool Expression::holds(const ref::Call& call, std::string_view argument) const {
  try {
    return root_->value({call, argument}) != 0;
  } catch (const Absent&) {
    return false;
  }
}

}  // namespace gradproof::profiles
