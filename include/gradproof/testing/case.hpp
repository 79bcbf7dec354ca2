/// Cases: valid calls of the gradients with their data, drawn, shrunk, printed, and laid out in
/// memory.
///
/// C++17 and later; needs the library gradproof::testing. docs/testing-library.md explains all of
/// it.
#ifndef GRADPROOF_TESTING_CASE_HPP_
#define GRADPROOF_TESTING_CASE_HPP_

#include <cstdint>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gradproof/subject/gradients.hpp"

namespace gradproof::props {
struct Case;  // the suite's own
}

namespace gradproof::testing {

/// The gradients, by the stems of GRADPROOF_GRADIENTS.
enum class Operator : std::uint8_t {
#define GRADPROOF_ENUMERATOR(stem, Struct) stem,
  GRADPROOF_GRADIENTS(GRADPROOF_ENUMERATOR)
#undef GRADPROOF_ENUMERATOR
};
#define GRADPROOF_ONE(stem, Struct) +1
inline constexpr int kOperatorCount = GRADPROOF_GRADIENTS(GRADPROOF_ONE);  ///< how many there are
#undef GRADPROOF_ONE

namespace detail {
template <template <class> class Op>
struct OperatorOf;
#define GRADPROOF_OPERATOR_OF(stem, Struct)           \
  template <>                                         \
  struct OperatorOf<subject::Struct> {                \
    static constexpr Operator value = Operator::stem; \
  };
GRADPROOF_GRADIENTS(GRADPROOF_OPERATOR_OF)
#undef GRADPROOF_OPERATOR_OF
}  // namespace detail

/// A valid call of a gradient, with the recipe of its data. Copies are cheap.
class Case {
 public:
  /// Reads a case line (docs/case.md), as `text` and `gradproof verify` print it. Throws
  /// std::runtime_error with the reason if it is none, or not of a valid call of a gradient.
  static Case parse(const std::string& line);
  /// A random case, the same for the same arguments: layouts, extents, parameters and data of all
  /// case classes, within the operators' documents, on the product Ascend910B.
  ///
  /// @param types element types to choose from, all of the operator's if empty
  /// @param size  0 to 100 as in RapidCheck: how large tensors get
  static Case draw(Operator op, const std::vector<aclDataType>& types, std::uint64_t seed,
                   int size);

  /// Of the suite's own form; for the library.
  explicit Case(props::Case own);

  /// The operator.
  Operator op() const;
  /// Of the gradients' elements.
  aclDataType type() const;
  /// The case line.
  std::string text() const;
  /// Labels of the case classes that it belongs to: "ceil", "strided-output", …
  std::vector<std::string> classes() const;
  /// Whether it belongs to the class.
  bool is(const std::string& label) const;
  /// Simpler cases, simplest first, for shrinking.
  std::vector<Case> simpler() const;
  /// Random cases with at most 64 elements in a tensor, of the same operator, type, rank and
  /// format; none if the case is that small itself. For shrinking where no step leads to so small a
  /// case.
  std::vector<Case> small() const;
  /// Elements of the largest tensor.
  std::int64_t elements() const;
  /// The suite's own form; for the library.
  const props::Case& own() const { return *own_; }

  /// Whether call and data are the same.
  friend bool operator==(const Case& a, const Case& b);
  /// Prints the case line; RapidCheck and GoogleTest show cases so.
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.text(); }

 private:
  std::shared_ptr<const props::Case> own_;
};

/// A case of one operator, by its struct: CaseOf<subject::ReplicationPad2dBackward>.
template <template <class> class Op>
class CaseOf : public Case {
 public:
  /// Throws std::invalid_argument if the case is another operator's.
  explicit CaseOf(Case c) : Case(std::move(c)) {
    if (op() != detail::OperatorOf<Op>::value)
      throw std::invalid_argument("the case is of another operator: " + text());
  }
};

namespace detail {

class Memory;
/// Each sets the call's fields and gives its views memory that is filled.
#define GRADPROOF_LAY_OUT(stem, Struct) \
  std::shared_ptr<Memory> lay_out(const Case& c, subject::Struct<void>& call);
GRADPROOF_GRADIENTS(GRADPROOF_LAY_OUT)
#undef GRADPROOF_LAY_OUT

}  // namespace detail

/// A case's tensors in memory: inputs filled, the result full of 0xFF bytes, as is everything
/// between and around the elements. Strides and offsets are the case's. Copies share the memory.
template <template <class> class Op>
class Tensors {
 public:
  /// Lays the tensors out and fills them.
  explicit Tensors(const CaseOf<Op>& c) : memory_(detail::lay_out(c, call_)) {}

  /// The call as a kernel of the subject kit meets it, with types known at run time.
  const Op<void>& call() const { return call_; }
  /// The same with elements T; throws std::invalid_argument if the case has others.
  template <class T>
  Op<T> as() const {
    Op<void> untyped = call_;
    if (std::get<0>(untyped.views()).type != aclnn::element_type<T>)
      throw std::invalid_argument("the case has elements of another type");
    return subject::typed<T>(untyped);
  }
  /// For `compare`.
  const detail::Memory& memory() const { return *memory_; }

 private:
  Op<void> call_;
  std::shared_ptr<detail::Memory> memory_;
};

}  // namespace gradproof::testing

#endif
