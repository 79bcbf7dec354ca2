// The operators, one line each: the stem, and the C function's name without "aclnn".
//
// A line's place is the operator's number, which the byte form of cases carries, so a new operator
// goes to the end, whether it is a gradient or a forward.
#pragma once

// clang-format off
#define GRADPROOF_OPERATORS(X)                                   \
  X(max_pool3d_with_argmax_backward, MaxPool3dWithArgmaxBackward) \
  X(max_pool2d_with_mask_backward, MaxPool2dWithMaskBackward)     \
  X(upsample_bilinear2d_backward, UpsampleBilinear2dBackwardV2)   \
  X(replication_pad2d_backward, ReplicationPad2dBackward)         \
  X(adaptive_max_pool3d_backward, AdaptiveMaxPool3dBackward)      \
  X(max_pool3d_with_argmax, MaxPool3dWithArgmax)                  \
  X(max_pool2d_with_mask, MaxPool2dWithMask)                      \
  X(upsample_bilinear2d, UpsampleBilinear2d)                      \
  X(replication_pad2d, ReplicationPad2d)                          \
  X(adaptive_max_pool3d, AdaptiveMaxPool3d)
// clang-format on
