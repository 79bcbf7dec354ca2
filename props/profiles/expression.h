// Conditions on the numbers of a call, as a profile writes them: "padding[0] >= self.W".
//
//   condition := all ("||" all)*         all := test ("&&" test)*       test := "!" test | compare
//   compare := sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?       sum := product (("+"|"-")
//   product)* product := value (("*" | "/" | "%") value)* value := NUMBER | "(" condition ")" | "-"
//   value | floor(sum) | min(sum, sum) | max(sum, sum)
//          | len(ARRAY) | elements(TENSOR) | dense(TENSOR) | inside(TENSOR)
//          | same(LIST, LIST) | least(LIST) | most(LIST) | ARRAY "[" sum "]" | FLAG | REAL
//          | TENSOR "." ("N" | "C" | "D" | "H" | "W" | "rank" | "offset" | "format" | "dtype")
//          | TENSOR "[" sum "]" | FORMAT | DTYPE         LIST := TENSOR | ARRAY
//
// Names are those of the operator's parameters; `argument` is the tensor that the broken rule
// names. TENSOR[i] is an extent, counted from the end if i is negative. dense: row-major without
// gaps, at any offset; inside: the view lies in the storage that the tensor states; same: the same
// extents or values, of which least and most are the smallest and the largest. A condition about
// something that the call does not have (an element beyond an array, a null tensor, a parameter of
// another operator, the argument of a call that breaks no rule) does not hold.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ref/call.h"

namespace gradproof::profiles {

class Expression {
 public:
  /// Throws InputError with the column. Names must be parameters of each of the operators.
  Expression(std::string_view text, std::span<const ref::Operator> operators);

  /// @param argument  that the broken rule names; empty if none is broken
  bool holds(const ref::Call& call, std::string_view argument = {}) const;
  const std::string& text() const { return text_; }

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace gradproof::profiles
