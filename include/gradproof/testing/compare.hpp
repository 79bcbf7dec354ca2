/// Results against the reference: exact values, bounds, and what is wrong.
///
/// C++17 and later; needs the library gradproof::testing.
#ifndef GRADPROOF_TESTING_COMPARE_HPP_
#define GRADPROOF_TESTING_COMPARE_HPP_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gradproof/testing/case.hpp"

namespace gradproof::testing {

/// What one number of the result may be. A complex element has two.
struct Expected {
  long double exact = 0;   ///< the exact sum; NaN and infinities by IEEE arithmetic
  std::int64_t terms = 0;  ///< how many terms were added; 0: exactly 0 is due
  long double low = 0;     ///< the smallest right result
  /// The largest right result. Where sums may overflow, infinities and NaN are right besides.
  long double high = 0;
};

/// A number of the result that is wrong.
struct Wrong {
  std::vector<std::int64_t> at;  ///< position in N, C, (D,) H, W
  int part = 0;                  ///< 1: the imaginary part of a complex element
  long double got = 0;           ///< what the result has
  Expected expected;             ///< what it may have
};

/// What `compare` says.
struct Verdict {
  std::int64_t values = 0;   ///< numbers compared
  std::int64_t wrong = 0;    ///< how many of them are wrong
  std::vector<Wrong> first;  ///< the first few of these, by position
  /// The largest error, as a fraction of what is allowed: above 1 if something is wrong, infinite
  /// where nothing is allowed.
  double worst = 0;
  std::string finding;  ///< what is wrong, in a few lines; empty if nothing is
  /// Whether nothing is wrong.
  explicit operator bool() const { return finding.empty(); }
  /// Prints the finding.
  friend std::ostream& operator<<(std::ostream& out, const Verdict& v) { return out << v.finding; }
};

namespace detail {

Verdict compare(const Memory& memory, const Case& c);
Verdict compare(const Case& c, const std::vector<std::byte>& elements);
std::vector<std::int64_t> result_shape(const Case& c);
/// The end of a finding: the conformance that calls of libgradproof follow, unless it is
/// `documented`, as the cases and expected results are.
std::string conformance_note();

}  // namespace detail

/// What each number of the result may be, by rows of N, C, (D,) H, W.
std::vector<Expected> expected(const Case& c);

/// Judges what a kernel wrote into the case's tensors: the result, and that nothing else changed.
/// Throws std::invalid_argument if they are another case's.
template <template <class> class Op>
Verdict compare(const Tensors<Op>& result, const CaseOf<Op>& c) {
  return detail::compare(result.memory(), c);
}

/// Judges a result in memory of the caller's own, in N, C, (D,) H, W with any strides. Throws
/// std::invalid_argument if its type or shape is not that of the case's result.
template <class T, int rank>
Verdict compare(const subject::View<T, rank>& result, const Case& c) {
  if (result.type != c.type()) throw std::invalid_argument("the result has another type");
  const std::vector<std::int64_t> shape = detail::result_shape(c);
  if (shape != std::vector<std::int64_t>(result.shape.begin(), result.shape.end()))
    throw std::invalid_argument("the result has another shape");
  const std::size_t size = aclDataTypeSize(result.type);
  std::vector<std::byte> elements(static_cast<std::size_t>(result.size()) * size);
  std::byte* next = elements.data();
  for (const subject::Dims<rank>& at : result.positions()) {
    const auto* const data = reinterpret_cast<const std::byte*>(result.data);
    std::memcpy(next, data + result.distance(at) * static_cast<std::ptrdiff_t>(size), size);
    next += size;
  }
  return detail::compare(c, elements);
}

}  // namespace gradproof::testing

namespace gradproof {
using testing::compare;
}  // namespace gradproof

#endif
