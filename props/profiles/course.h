// How phase 1 goes on where an implementation does not have a rule that the call breaks.
#pragma once

#include <string_view>
#include <vector>

#include "ref/rules.h"

namespace gradproof::profiles {

/// A call on its way through the rules. What was passed is replaced by what keeps its rule, or the
/// rule is left out, so that later rules may assume what they do.
class Course {
 public:
  explicit Course(const ref::Call& call) : call_(call), broken_(ref::expect(call)) {}

  /// The first rule that is broken and was not passed; none if the call is taken.
  const ref::Expectation& broken() const { return broken_; }
  /// Goes on behind that violation.
  void pass();

 private:
  void repair(std::string_view rule, ref::Tensor& tensor);

  ref::Call call_;
  std::vector<std::string_view> left_out_;
  ref::Expectation broken_;
};

}  // namespace gradproof::profiles
