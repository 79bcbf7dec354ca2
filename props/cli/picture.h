// Small tensors, printed whole.
#pragma once

#include <ostream>
#include <string_view>

#include "props/cli/checker.h"
#include "ref/exact.h"

namespace gradproof::cli {

/// Prints the values plane by plane, or says how many there are if they are more than 256.
void print_tensor(std::ostream& out, std::string_view name, const ref::Dense& tensor);
/// The same for exact values of one output.
void print_exact(std::ostream& out, std::string_view name, const ref::Evaluation& evaluation,
                 int slot, const ref::Tensor& tensor);

/// What a valid call reads, what it must write, and what a library wrote.
void print_inputs(std::ostream& out, const props::Case& c, const std::vector<ref::Dense>& data);
void print_expected(std::ostream& out, const props::Case& c, const std::vector<ref::Dense>& data);
void print_got(std::ostream& out, const props::Case& c, const std::vector<ref::Dense>& outputs);

/// All three in one text; "" for a call that breaks a rule and for one with more than 64 elements
/// in a tensor. A call over which the library is lost is not made again.
std::string picture(Checker& checker, const Failure& failure);

}  // namespace gradproof::cli
