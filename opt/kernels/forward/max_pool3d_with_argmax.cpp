// The kernels of MaxPool3dWithArgmax.
#include "opt/kernels/forward/window_max.h"

namespace gradproof::kernels {
namespace {

constexpr MaxPool3dKernel kTable[] = {window_max::kKernel};

}  // namespace

std::span<const MaxPool3dKernel> max_pool3d_with_argmax() { return kTable; }

}  // namespace gradproof::kernels
