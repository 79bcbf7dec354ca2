// The kernels of AdaptiveMaxPool3d.
#include "opt/kernels/forward/window_max.h"

namespace gradproof::kernels {
namespace {

constexpr MaxPool3dKernel kTable[] = {window_max::kKernel};

}  // namespace

std::span<const MaxPool3dKernel> adaptive_max_pool3d() { return kTable; }

}  // namespace gradproof::kernels
