// The kernels of UpsampleBilinear2dBackwardV2.
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"

#include "opt/kernels/upsample/gather.h"
#include "opt/kernels/upsample/tiles.h"

namespace gradproof::kernels {
namespace {

constexpr UpsampleBackwardKernel kTable[] = {upsample::kGatherChannels, upsample::kGatherRows,
                                             upsample::gather::kKernel};

}  // namespace

std::span<const UpsampleBackwardKernel> upsample_bilinear2d_backward() { return kTable; }

}  // namespace gradproof::kernels
