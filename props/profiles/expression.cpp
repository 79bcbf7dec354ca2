// A recursive-descent parser, a function a line of the grammar, and the evaluation of its tree.
#include "props/profiles/expression.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include "props/cases/input_error.h"
#include "props/cases/shapes.h"

namespace gradproof::profiles {

struct Expression::Node {
  /// Throws Absent. long double holds every int64 exactly.
  std::function<long double(const ref::Call&)> value;
};

namespace {

using Function = std::function<long double(const ref::Call&)>;

/// The condition speaks about something that the call does not have.
struct Absent {};

const ref::Parameter* find(ref::Operator op, std::string_view name) {
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

const ref::Parameter& need(const ref::Call& call, const std::string& name) {
  const ref::Parameter* p = find(call.op, name);
  if (p == nullptr) throw Absent();
  return *p;
}

const ref::Tensor& tensor_of(const ref::Call& call, const std::string& name) {
  const ref::Tensor& t = call.tensors[static_cast<std::size_t>(need(call, name).slot)];
  if (t.null) throw Absent();
  return t;
}

const std::vector<std::int64_t>& array_of(const ref::Call& call, const std::string& name) {
  const ref::IntArray& a = call.arrays[static_cast<std::size_t>(need(call, name).slot)];
  if (a.null) throw Absent();
  return a.values;
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
    if (at_ < text_.size()) fail("'" + std::string(text_.substr(at_, 1)) + "' is not expected");
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
    if (!take(token)) fail("'" + std::string(token) + "' is missing");
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
      left = [a = left, b = conjunction()](const ref::Call& c) -> long double {
        return a(c) != 0 || b(c) != 0 ? 1 : 0;
      };
    }
    return left;
  }
  Function conjunction() {
    Function left = test();
    while (take("&&")) {
      left = [a = left, b = test()](const ref::Call& c) -> long double {
        return a(c) != 0 && b(c) != 0 ? 1 : 0;
      };
    }
    return left;
  }
  Function test() {
    skip();
    if (text_.substr(at_, 2) != "!=" && take("!"))
      return [a = test()](const ref::Call& c) -> long double { return a(c) == 0 ? 1 : 0; };
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
      return [a, b = sum(), holds = holds](const ref::Call& c) -> long double {
        return holds(a(c), b(c)) ? 1 : 0;
      };
    }
    return a;
  }
  Function sum() {
    Function left = product();
    for (;;) {
      if (take("+"))
        left = [a = left, b = product()](const ref::Call& c) { return a(c) + b(c); };
      else if (take("-"))
        left = [a = left, b = product()](const ref::Call& c) { return a(c) - b(c); };
      else
        return left;
    }
  }
  Function product() {
    Function left = value();
    for (;;) {
      if (take("*"))
        left = [a = left, b = value()](const ref::Call& c) { return a(c) * b(c); };
      else if (take("/"))
        left = [a = left, b = value()](const ref::Call& c) { return a(c) / b(c); };
      else if (take("%"))
        left = [a = left, b = value()](const ref::Call& c) { return std::fmod(a(c), b(c)); };
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
    if (take("-")) return [a = value()](const ref::Call& c) { return -a(c); };
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      char* end = nullptr;
      const std::string rest(text_.substr(at_));
      const long double number = std::strtold(rest.c_str(), &end);
      at_ += static_cast<std::size_t>(end - rest.c_str());
      return [number](const ref::Call&) { return number; };
    }
    const std::size_t begin = at_;
    const std::string name = word();
    if (name.empty()) fail("a number or a name is missing");
    if (name == "floor" || name == "min" || name == "max") return function(name);
    if (name == "len" || name == "elements") {
      demand("(");
      const std::size_t inner = at_;
      const std::string of = word();
      kind(of, name == "len" ? ref::Kind::int_array : ref::Kind::tensor, inner);
      demand(")");
      if (name == "len")
        return [of](const ref::Call& c) { return static_cast<long double>(array_of(c, of).size()); };
      return [of](const ref::Call& c) {
        long double count = 1;
        for (const std::int64_t d : tensor_of(c, of).shape) count *= static_cast<long double>(d);
        return count;
      };
    }
    return parameter(name, begin);
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
    if (name == "floor") return [a](const ref::Call& c) { return std::floor(a(c)); };
    if (name == "min") return [a, b](const ref::Call& c) { return std::fmin(a(c), b(c)); };
    return [a, b](const ref::Call& c) { return std::fmax(a(c), b(c)); };
  }
  Function parameter(const std::string& name, std::size_t begin) {
    const ref::Kind kind = this->kind(name, std::nullopt, begin);
    if (kind == ref::Kind::flag)
      return [name](const ref::Call& c) -> long double {
        return c.flags[static_cast<std::size_t>(need(c, name).slot)];
      };
    if (kind == ref::Kind::real)
      return [name](const ref::Call& c) -> long double {
        return c.reals[static_cast<std::size_t>(need(c, name).slot)];
      };
    const bool tensor = kind == ref::Kind::tensor;
    if (take("[")) {
      Function index = sum();
      demand("]");
      return [name, index, tensor](const ref::Call& c) {
        return element(tensor ? tensor_of(c, name).shape : array_of(c, name), index(c));
      };
    }
    if (!tensor) fail("'" + name + "' is an array: '[' is missing");
    demand(".");
    const std::string part = word();
    for (const char* known : {"N", "C", "D", "H", "W", "rank", "offset"}) {
      if (part != known) continue;
      return [name, part](const ref::Call& c) {
        return axis(tensor_of(c, name), part, props::spatial_axes(c.op));
      };
    }
    fail("a tensor has N, C, D, H, W, rank and offset, no '" + part + "'");
  }
  /// What the name stands for, in every operator alike.
  ref::Kind kind(const std::string& name, std::optional<ref::Kind> wanted, std::size_t begin) {
    std::optional<ref::Kind> kind = wanted;
    for (const ref::Operator op : operators_) {
      const ref::Parameter* p = find(op, name);
      if (p != nullptr && !kind) kind = p->kind;
      if (p != nullptr && *kind == p->kind) continue;
      at_ = begin;
      std::string known;
      for (const ref::Parameter& other : ref::signature(op).parameters)
        known += (known.empty() ? "" : ", ") + std::string(other.name);
      fail("'" + name + "' is no such parameter of " + std::string(ref::signature(op).stem) +
           ", which has " + known);
    }
    return *kind;
  }

  std::string_view text_;
  std::span<const ref::Operator> operators_;
  std::size_t at_ = 0;
};

}  // namespace

Expression::Expression(std::string_view text, std::span<const ref::Operator> operators)
    : text_(text),
      root_(std::make_shared<const Node>(Node{Parser(text_, operators).all()})) {}

bool Expression::holds(const ref::Call& call) const {
  try {
    return root_->value(call) != 0;
  } catch (const Absent&) {
    return false;
  }
}

}  // namespace gradproof::profiles
