// Replaces the header that op-plugin's generator generates from
// op_plugin/config/op_plugin_functions.yaml, for the operators here: STANDIN_OPERATORS(X) is
// X(result, name, (parameters)) for each.
#pragma once
#include <ATen/ATen.h>

#include <tuple>

using TwoTensors = std::tuple<at::Tensor, at::Tensor>;
using TwoReferences = std::tuple<at::Tensor&, at::Tensor&>;

#define STANDIN_OPERATORS(X)                                                                       \
  X(at::Tensor, max_pool3d_with_indices_backward,                                                  \
    (const at::Tensor&, const at::Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef,      \
     at::IntArrayRef, bool, const at::Tensor&))                                                    \
  X(at::Tensor&, max_pool3d_with_indices_backward_out,                                             \
    (const at::Tensor&, const at::Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef,      \
     at::IntArrayRef, bool, const at::Tensor&, at::Tensor&))                                       \
  X(TwoTensors, max_pool3d_with_indices,                                                           \
    (const at::Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, bool)) \
  X(TwoReferences, max_pool3d_with_indices_out,                                                    \
    (const at::Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, bool,  \
     at::Tensor&, at::Tensor&))                                                                    \
  X(at::Tensor, max_pool2d_with_indices_backward,                                                  \
    (const at::Tensor&, const at::Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef,      \
     at::IntArrayRef, bool, const at::Tensor&))                                                    \
  X(at::Tensor&, max_pool2d_with_indices_backward_out,                                             \
    (const at::Tensor&, const at::Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef,      \
     at::IntArrayRef, bool, const at::Tensor&, at::Tensor&))                                       \
  X(TwoTensors, max_pool2d_with_indices,                                                           \
    (const at::Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, bool)) \
  X(TwoReferences, max_pool2d_with_indices_out,                                                    \
    (const at::Tensor&, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, bool,  \
     at::Tensor&, at::Tensor&))                                                                    \
  X(at::Tensor, adaptive_max_pool3d_backward,                                                      \
    (const at::Tensor&, const at::Tensor&, const at::Tensor&))                                     \
  X(at::Tensor&, adaptive_max_pool3d_backward_out,                                                 \
    (const at::Tensor&, const at::Tensor&, const at::Tensor&, at::Tensor&))                        \
  X(TwoTensors, adaptive_max_pool3d, (const at::Tensor&, at::IntArrayRef))                         \
  X(TwoReferences, adaptive_max_pool3d_out,                                                        \
    (const at::Tensor&, at::IntArrayRef, at::Tensor&, at::Tensor&))                                \
  X(at::Tensor, upsample_bilinear2d_backward,                                                      \
    (const at::Tensor&, at::IntArrayRef, at::IntArrayRef, bool, c10::optional<double>,             \
     c10::optional<double>))                                                                       \
  X(at::Tensor&, upsample_bilinear2d_backward_out,                                                 \
    (const at::Tensor&, at::IntArrayRef, at::IntArrayRef, bool, c10::optional<double>,             \
     c10::optional<double>, at::Tensor&))                                                          \
  X(at::Tensor, upsample_bilinear2d,                                                               \
    (const at::Tensor&, at::IntArrayRef, bool, c10::optional<double>, c10::optional<double>))      \
  X(at::Tensor&, upsample_bilinear2d_out,                                                          \
    (const at::Tensor&, at::IntArrayRef, bool, c10::optional<double>, c10::optional<double>,       \
     at::Tensor&))                                                                                 \
  X(at::Tensor, replication_pad2d_backward,                                                        \
    (const at::Tensor&, const at::Tensor&, at::IntArrayRef))                                       \
  X(at::Tensor&, replication_pad2d_backward_out,                                                   \
    (const at::Tensor&, const at::Tensor&, at::IntArrayRef, at::Tensor&))                          \
  X(at::Tensor, replication_pad2d, (const at::Tensor&, at::IntArrayRef))                           \
  X(at::Tensor&, replication_pad2d_out, (const at::Tensor&, at::IntArrayRef, at::Tensor&))

#define STANDIN_DECLARE(result, name, parameters) result name parameters;

namespace op_api {
STANDIN_OPERATORS(STANDIN_DECLARE)
at::Tensor upsample_bilinear2d_backward_old(const at::Tensor&, at::IntArrayRef, at::IntArrayRef,
                                            bool, c10::optional<double>, c10::optional<double>);
at::Tensor& upsample_bilinear2d_backward_old_out(const at::Tensor&, at::IntArrayRef,
                                                 at::IntArrayRef, bool, c10::optional<double>,
                                                 c10::optional<double>, at::Tensor&);
}  // namespace op_api
