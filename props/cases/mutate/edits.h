// Edits of numbers in calls, shared by mutations.
#pragma once

#include <algorithm>

#include "props/cases/mutate/mutator.h"

namespace gradproof::props {

bool any_empty(const ref::Call& c);
void set_inputs(ref::Call& c, const std::vector<std::int64_t>& shape);
std::vector<std::int64_t> input_shape(const ref::Call& c);
/// One extent of the forward input, and of the pooled shape where that is free, set together.
bool set_lead(ref::Call& c, std::size_t axis, std::int64_t extent);
/// No memory of that size exists: with null data pointers nothing can lie where something else
/// does.
void forget_data(ref::Call& c);
/// The array with that many elements; new ones are as the last.
void set_all(ref::IntArray& array, std::size_t length);
/// The windows' int arrays in their longest form, so that each element can be edited alone.
void spell_out(ref::Call& c);

}  // namespace gradproof::props
