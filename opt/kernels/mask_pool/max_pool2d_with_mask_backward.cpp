// The kernels of MaxPool2dWithMaskBackward.
#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"

#include "opt/kernels/mask_pool/copied_planes.h"
#include "opt/kernels/mask_pool/gather_channels.h"
#include "opt/kernels/mask_pool/gather_lanes.h"
#include "opt/kernels/mask_pool/gather_planes.h"
#include "opt/kernels/mask_pool/gather_rows.h"
#include "opt/kernels/mask_pool/scatter.h"
#include "opt/kernels/mask_pool/select_pairs.h"

namespace gradproof::kernels {
namespace {

constexpr MaxPool2dBackwardKernel kTable[] = {
    mask_pool::gather_channels::kKernel, CopiedPlanes<MaskPool>::kKernel,
    mask_pool::gather_planes::kKernel,   mask_pool::select_pairs::kKernel,
    mask_pool::gather_lanes::kKernel,    mask_pool::gather_rows::kKernel,
    mask_pool::scatter::kKernel};

}  // namespace

std::span<const MaxPool2dBackwardKernel> max_pool2d_with_mask_backward() { return kTable; }

}  // namespace gradproof::kernels
