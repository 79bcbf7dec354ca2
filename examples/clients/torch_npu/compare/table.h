// Counts the comparisons with ATen by operator, convention of the call, and type.
#pragma once
#include <ATen/ATen.h>

#include <string>

namespace compare {

/// Counts one compared call; if it differs, its name `where` is printed. Thread-safe.
void count(const std::string& op, const std::string& convention, at::ScalarType type, bool equal,
           const std::string& where);

/// Prints one tab-separated line for each row: operator, convention, type, calls, equal calls.
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
