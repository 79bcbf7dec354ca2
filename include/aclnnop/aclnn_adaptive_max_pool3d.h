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
 * @param self        [N,]C,D,H,W, N or C may be 0; FLOAT, FLOAT16 or BF16, any view; format ND, or
 *                    NCDHW (rank 5), NCHW (rank 4)
 * @param outputSize  (Do, Ho, Wo), none negative; a 0 gives empty outputs
 * @param outputOut   [N,]C,Do,Ho,Wo: the maxima, in self's type
 * @param indicesOut  INT32, shape of outputOut: flat positions d*H*W + h*W + w in the input plane
 * Products: Ascend910B, Ascend910_93.
 * Source: what the gradient's CANN document says of its forward.
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
