// The kernels of MaxPool3dWithArgmaxBackward.
#include "opt/kernels/max_pool3d_with_argmax_backward.h"

#include "opt/kernels/index_copies.h"
#include "opt/kernels/index_scatter.h"
#include "opt/kernels/index_windows.h"
#include "opt/kernels/simd/index_channels.h"
#include "opt/kernels/simd/index_lines.h"
#include "opt/kernels/simd/index_pairs.h"
#include "opt/kernels/simd/index_planes.h"
#include "opt/kernels/simd/index_slab.h"

namespace gradproof::kernels {
namespace {

constexpr MaxPool3dBackwardKernel kTable[] = {
    index_windows::kKernel, index_channels::kKernel, CopiedPlanes<IndexedPool>::kKernel,
    index_planes::kKernel,  index_lines::kKernel,    index_pairs::kKernel,
    index_slab::kKernel,    index_scatter::kKernel};

}  // namespace

std::span<const MaxPool3dBackwardKernel> max_pool3d_with_argmax_backward() { return kTable; }

}  // namespace gradproof::kernels
