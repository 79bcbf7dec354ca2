// The shapes of a valid call: which tensors are the large and the small image, and what each must
// be.
//
// Written apart from ref's rule table on purpose: the generator's idea of valid is held against
// ref::expect by the tests.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "props/cases/case.h"
#include "props/cases/traits.h"

namespace gradproof::props {

/// The tensors that have the forward input's shape, first the one that decides it.
std::vector<int> input_side(ref::Operator op);
/// The tensor that has the forward output's shape (gradOutput, out, …).
int output_side(ref::Operator op);
/// The tensor that linear operators are linear in: gradOutput, or self of a forward.
int data_slot(ref::Operator op);
/// The indices tensor or mask; -1 if the operator has none.
int indices_slot(ref::Operator op);
inline bool has_windows(ref::Operator op) { return family(op).windows; }
inline bool has_mask(ref::Operator op) { return family(op).has_mask(); }
/// 3 or 2: the axes that windows, scales or padding speak about.
inline int spatial_axes(ref::Operator op) { return family(op).axes; }
/// Whether H and W of the tensor are its dimensions 1 and 2.
bool channels_last(ref::Operator op, const ref::Tensor& t);
/// Position of the first spatial axis in a tensor's shape (NHWC has the channels last).
std::size_t first_spatial(const ref::Call& call);

/// Element `axis` of an array that has one value for all axes or one each.
std::int64_t spread(const std::vector<std::int64_t>& values, std::size_t axis);
struct Window {
  std::int64_t in, kernel, stride, pad;
};
/// The windows of a pool with int arrays of legal lengths, axis by axis.
std::vector<Window> windows(const ref::Call& call);
/// The pooled extent, nothing if it is below 1 or not an int64.
std::optional<std::int64_t> pooled_extent(const Window& w, bool ceil);
/// The padded or cropped extent; likewise.
std::optional<std::int64_t> padded_extent(std::int64_t in, std::int64_t before, std::int64_t after);
/// Bytes of the mask for that pooled shape (N, C, Ho, Wo or without N).
std::vector<std::int64_t> mask_shape(const std::vector<std::int64_t>& pooled,
                                     std::int64_t kernel_elements);

/// A scale of upsampling that fits (ref/scales.h): (out + part)/in, 0 ≤ part < 1, up to rounding.
double fitting_scale(std::int64_t in, std::int64_t out, double part = 0);

/// Elements of a shape; nothing if it is negative or does not fit int64.
std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& shape);
/// Gives the tensor that shape with a plain layout: contiguous, offset 0, storage just as large.
void reshape(ref::Tensor& t, std::vector<std::int64_t> shape);
/// Sets one extent and gives the tensor a plain layout. Does nothing if there is no such dimension
/// or it has that extent.
void resize(ref::Tensor& t, std::size_t axis, std::int64_t extent);
/// Gives every tensor (and inputSize) the shape that follows from the forward input's shape and the
/// parameters; tensors whose shape changes get a plain layout. False if there is no such shape,
/// with the call half changed.
bool conform(ref::Call& call);

}  // namespace gradproof::props
