// AdaptiveMaxPool3dBackward: the same sum as MaxPool3dWithArgmaxBackward, for any pooled extents.
#include "ref/row.h"

namespace gradproof::ref {

namespace {

using namespace parameters;

constexpr Parameter kParameters[] = {in("gradOutput", 0), described("self", 1), in("indices", 2),
                                     out("gradInput", 3)};

}  // namespace

constinit const OperatorRow rows::adaptive_max_pool3d_backward = {
    .parameters = kParameters,
    .backward = true,
    .companion = Operator::adaptive_max_pool3d,
    .rules = &kAdaptivePoolBackwardRules,
    .plane = scatter_by_index,
    .arithmetic = Arithmetic::sum,
    .plane_axes = 3,
    .windows = adaptive_ranges,
};

}  // namespace gradproof::ref
