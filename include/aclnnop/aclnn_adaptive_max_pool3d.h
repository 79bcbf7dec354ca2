/* Adaptive 3-D max pooling with the positions of the maxima.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL3D_H_
#define GRADPROOF_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL3D_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * Window l of an axis with input extent n and output extent m is [floor(l*n/m), ceil((l+1)*n/m)).
 * The first maximum in window order (d, then h, then w) wins; a NaN in the window is its maximum.
 * Shapes, types and products are those of aclnn_adaptive_max_pool3d_backward.h.
 * @param self        [N,]C,D,H,W
 * @param outputSize  (Do, Ho, Wo)
 * @param outputOut   [N,]C,Do,Ho,Wo: the maxima
 * @param indicesOut  INT32, shape of outputOut: flat positions d*H*W + h*W + w in the input plane
 */
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool3dGetWorkspaceSize(
    const aclTensor *self, const aclIntArray *outputSize, aclTensor *outputOut,
    aclTensor *indicesOut, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool3d(void *workspace, uint64_t workspaceSize,
                                             aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
