// Calls and small tensors as a person wants to see them.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/describe/size.h"
#include "ref/exact.h"

namespace gradproof::props {

/// The operator, its product, and each argument: descriptors of tensors, values of the rest.
void print_call(std::ostream& out, const Case& c);

/// Prints the values plane by plane, or says how many there are if they are more than 256.
void print_tensor(std::ostream& out, std::string_view name, const ref::Dense& tensor);
/// The same for exact values of one output.
void print_exact(std::ostream& out, std::string_view name, const ref::Evaluation& evaluation,
                 int slot, const ref::Tensor& tensor);

/// What a valid call reads, what it must write, and what a library wrote.
void print_inputs(std::ostream& out, const Case& c, const std::vector<ref::Dense>& data);
void print_expected(std::ostream& out, const Case& c, const std::vector<ref::Dense>& data);
/// Elements are marked that are wrong both as documented and as the profile says. Masks are shown
/// as positions.
/// @param of_run  follows the shape: of which run the outputs are, where that is not plain
void print_got(std::ostream& out, const Case& c, const std::vector<ref::Dense>& data,
               const std::vector<ref::Dense>& outputs, const ref::Numerics& of_profile,
               const std::string& of_run = "");

/// Beside other findings a picture must be small to be of use: no tensor has more elements than
/// kReadable.
bool can_be_pictured(const Case& c);

}  // namespace gradproof::props
