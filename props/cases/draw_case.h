// The parts of a generated case: shapes and parameters of each family, and data.
#pragma once

#include "props/cases/draw.h"
#include "props/cases/generator.h"

namespace gradproof::props {

/// Elements of the largest tensor; of a mask, whose elements are bytes, 32-bit words count.
std::int64_t largest(const ref::Call& call);
void set_input_shape(ref::Call& call, const std::vector<std::int64_t>& shape);
/// Whether an image is to be of a mebibyte or more.
bool is_large(const Limits& limits);
/// Pairwise different extents, or one of the special classes: extent 1, equal ones, a long axis.
std::vector<std::int64_t> draw_shape(Draw& draw, const Cell& cell, const Limits& limits);

// Shapes and parameters of a call whose tensors have their types and rank already.
void draw_pool(Draw& draw, ref::Call& call, const Cell& cell, const Limits& limits);
void draw_adaptive(Draw& draw, ref::Call& call, const Cell& cell, const Limits& limits);
void draw_upsample(Draw& draw, ref::Call& call, const Cell& cell, const Limits& limits);
void draw_pad(Draw& draw, ref::Call& call, const Cell& cell, const Limits& limits);

/// Data recipes, the seed, and perhaps a misuse.
void draw_data(Draw& draw, Case& c);

}  // namespace gradproof::props
