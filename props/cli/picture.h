// Small tensors, printed whole.
#pragma once

#include <ostream>
#include <string_view>

#include "ref/exact.h"

namespace gradproof::cli {

/// Prints the values plane by plane, or says how many there are if they are more than 256.
void print_tensor(std::ostream& out, std::string_view name, const ref::Dense& tensor);
/// The same for exact values of one output.
void print_exact(std::ostream& out, std::string_view name, const ref::Evaluation& evaluation, int slot, const ref::Tensor& tensor);

}  // namespace gradproof::cli
