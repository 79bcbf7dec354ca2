// What was compared with ATen, counted by operator, convention of the call, and type.
#pragma once
#include <ATen/ATen.h>

#include <string>

namespace compare {

/// One call whose result was compared; `where` names it if it differs. Safe from several threads.
void count(const std::string& op, const std::string& convention, at::ScalarType type, bool equal,
           const std::string& where);

/// One line a row, between tabs: operator, convention, type, calls, equal ones.
void print_counts();
/// How many calls differed.
int differences();

/// Equal bit for bit.
bool same(const at::Tensor& result, const at::Tensor& due);
/// Whether a number that is at most `roundings` roundings in float of the terms' magnitudes away
/// from `due` rounds to the result: for a sum of n terms n - 1, with weights n + 3
/// (docs/contract.md).
bool close(const at::Tensor& result, const at::Tensor& due, const at::Tensor& magnitude,
           const at::Tensor& roundings);

}  // namespace compare
