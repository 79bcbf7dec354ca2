/// Cases for RapidCheck: generators that respect its size and shrink, and classification.
///
/// C++17 and later; needs the libraries gradproof::testing and rapidcheck.
#ifndef GRADPROOF_TESTING_GENERATE_HPP_
#define GRADPROOF_TESTING_GENERATE_HPP_

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "gradproof/subject/dispatch.hpp"
#include "gradproof/testing/case.hpp"

namespace gradproof::testing {
namespace detail {

inline bool has_type_of(const Case& c, const std::vector<aclDataType>& types) {
  return types.empty() || std::find(types.begin(), types.end(), c.type()) != types.end();
}

template <class C>
rc::Shrinkable<C> shrinkable(C c, std::vector<aclDataType> types = {});

/// What RapidCheck tries instead of a failing case: its simpler variants and, when all of these
/// pass, small cases of the same kind; each list is made when it is asked for.
template <class C>
class Variants {
 public:
  Variants(C c, std::vector<aclDataType> types) : case_(std::move(c)), types_(std::move(types)) {}
  /// The next one.
  rc::Maybe<rc::Shrinkable<C>> operator()() {
    while (true) {
      for (; next_ < list_.size(); ++next_) {
        if (has_type_of(list_[next_], types_)) return shrinkable(C(list_[next_++]), types_);
      }
      if (lists_ == 2) return rc::Nothing;
      list_ = lists_++ == 0 ? case_.simpler() : case_.small();
      next_ = 0;
    }
  }

 private:
  C case_;
  std::vector<aclDataType> types_;
  std::vector<Case> list_;
  std::size_t next_ = 0;
  int lists_ = 0;
};

template <class C>
rc::Shrinkable<C> shrinkable(C c, std::vector<aclDataType> types) {
  return rc::shrinkable::lambda([c] { return c; },
                                [c, types] { return rc::makeSeq<Variants<C>>(c, types); });
}

}  // namespace detail

/// Cases of one operator with elements of these types, of all that it has if there are none. So are
/// their shrunk variants.
template <template <class> class Op>
rc::Gen<CaseOf<Op>> cases(std::vector<aclDataType> types = {}) {
  return [types](const rc::Random& random, int size) {
    rc::Random drawn = random;
    return detail::shrinkable(
        CaseOf<Op>(Case::draw(detail::OperatorOf<Op>::value, types, drawn.next(), size)), types);
  };
}

/// Tags the property's current case, so that RapidCheck counts how many there were of each element
/// type and how many were contiguous.
inline void classify(const Case& c) {
  RC_CLASSIFY(true, subject::detail::name_of(c.type()));
  RC_CLASSIFY(c.is("all-contiguous"), "contiguous");
}

}  // namespace gradproof::testing

namespace rc {

/// Cases of all gradients.
template <>
struct Arbitrary<gradproof::testing::Case> {
  /// Each operator is as likely as the next.
  static Gen<gradproof::testing::Case> arbitrary() {
    using gradproof::testing::Operator;
    return [](const Random& random, int size) {
      Random drawn = random;
      const auto op = static_cast<Operator>(drawn.next() % gradproof::testing::kOperatorCount);
      return gradproof::testing::detail::shrinkable(
          gradproof::testing::Case::draw(op, {}, drawn.next(), size));
    };
  }
};

/// Cases of one gradient.
template <template <class> class Op>
struct Arbitrary<gradproof::testing::CaseOf<Op>> {
  /// Of all its types.
  static Gen<gradproof::testing::CaseOf<Op>> arbitrary() { return gradproof::testing::cases<Op>(); }
};

}  // namespace rc

#endif
