// Conditions on the numbers of a call, as a profile writes them: "padding[0] >= self.W".
//
//   condition := all ("||" all)*         all := test ("&&" test)*       test := "!" test | compare
//   compare := sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?       sum := product (("+"|"-") product)*
//   product := value (("*" | "/" | "%") value)*
//   value := NUMBER | "(" condition ")" | "-" value | floor(sum) | min(sum, sum) | max(sum, sum)
//          | len(ARRAY) | elements(TENSOR) | ARRAY "[" sum "]" | FLAG | REAL
//          | TENSOR "." ("N" | "C" | "D" | "H" | "W" | "rank" | "offset") | TENSOR "[" sum "]"
//
// Names are those of the operator's parameters. TENSOR[i] is an extent, counted from the end if i is
// negative. A condition about something that the call does not have (an element beyond an array, a
// null tensor, a parameter of another operator) does not hold.
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

  bool holds(const ref::Call& call) const;
  const std::string& text() const { return text_; }

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace gradproof::profiles
