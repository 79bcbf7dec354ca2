// The kernels of MaxPool3dWithArgmaxBackward.
#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"

#include "opt/kernels/index_pool/copied_planes.h"
#include "opt/kernels/index_pool/scatter.h"
#include "opt/kernels/index_pool/scatter_channels.h"
#include "opt/kernels/index_pool/scatter_lines.h"
#include "opt/kernels/index_pool/scatter_planes.h"
#include "opt/kernels/index_pool/scatter_ring.h"
#include "opt/kernels/index_pool/select_pairs.h"
#include "opt/kernels/index_pool/window_check.h"

namespace gradproof::kernels {
namespace {

constexpr MaxPool3dBackwardKernel kTable[] = {
    index_pool::window_check::kKernel,   index_pool::scatter_channels::kKernel,
    CopiedPlanes<IndexedPool>::kKernel,  index_pool::select_pairs::kKernel,
    index_pool::scatter_planes::kKernel, index_pool::scatter_lines::kKernel,
    index_pool::scatter_ring::kKernel,   index_pool::scatter::kKernel};

}  // namespace

std::span<const MaxPool3dBackwardKernel> max_pool3d_with_argmax_backward() { return kTable; }

}  // namespace gradproof::kernels
