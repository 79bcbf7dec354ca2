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

#include "gradproof/subject/calls.hpp"

namespace gradproof::props {
struct Case;  // the suite's own
}

namespace gradproof::testing {

/// The gradients.
enum class Operator : std::uint8_t {
  max_pool3d_with_argmax_backward,  ///< subject::MaxPool3dWithArgmaxBackward
  max_pool2d_with_mask_backward,    ///< subject::MaxPool2dWithMaskBackward
  upsample_bilinear2d_backward,     ///< subject::UpsampleBilinear2dBackward
  replication_pad2d_backward,       ///< subject::ReplicationPad2dBackward
  adaptive_max_pool3d_backward,     ///< subject::AdaptiveMaxPool3dBackward
};
inline constexpr int kOperatorCount = 5;  ///< how many there are

namespace detail {
template <template <class> class Op>
struct OperatorOf;
template <>
struct OperatorOf<subject::MaxPool3dWithArgmaxBackward> {
  static constexpr Operator value = Operator::max_pool3d_with_argmax_backward;
};
template <>
struct OperatorOf<subject::MaxPool2dWithMaskBackward> {
  static constexpr Operator value = Operator::max_pool2d_with_mask_backward;
};
template <>
struct OperatorOf<subject::UpsampleBilinear2dBackward> {
  static constexpr Operator value = Operator::upsample_bilinear2d_backward;
};
template <>
struct OperatorOf<subject::ReplicationPad2dBackward> {
  static constexpr Operator value = Operator::replication_pad2d_backward;
};
template <>
struct OperatorOf<subject::AdaptiveMaxPool3dBackward> {
  static constexpr Operator value = Operator::adaptive_max_pool3d_backward;
};
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
std::shared_ptr<Memory> lay_out(const Case& c, subject::MaxPool3dWithArgmaxBackward<void>& call);
std::shared_ptr<Memory> lay_out(const Case& c, subject::MaxPool2dWithMaskBackward<void>& call);
std::shared_ptr<Memory> lay_out(const Case& c, subject::UpsampleBilinear2dBackward<void>& call);
std::shared_ptr<Memory> lay_out(const Case& c, subject::ReplicationPad2dBackward<void>& call);
std::shared_ptr<Memory> lay_out(const Case& c, subject::AdaptiveMaxPool3dBackward<void>& call);

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
