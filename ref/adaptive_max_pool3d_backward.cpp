// AdaptiveMaxPool3dBackward: the same sum as MaxPool3dWithArgmaxBackward, for any pooled extents.
#include "ref/operators.h"

namespace gradproof::ref {

Plane adaptive_max_pool3d_backward(const Task& task) { return scatter_by_index(task); }

}  // namespace gradproof::ref
