/* 3-D max pooling with the positions of the maxima.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_H_
#define GRADPROOF_ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * The padding counts as minus infinity; the first maximum in window order (d, then h, then w) wins;
 * a NaN in the window is its maximum. Pooled extents are those of
 * aclnn_max_pool3d_with_argmax_backward.h. No tensor may be empty.
 * @param self        [N,]C,D,H,W; FLOAT, FLOAT16 or BF16, any view; format ND, or NCDHW (rank 5),
 *                    NCHW (rank 4)
 * @param kernelSize  1 or 3 numbers > 0, in elements (one number stands for all axes)
 * @param stride      0 (as kernelSize), 1 or 3 numbers > 0
 * @param padding     1 or 3 numbers, 0 to kernel/2
 * @param dilation    1 or 3 numbers, all 1
 * @param ceilMode    whether pooled extents are rounded up, and so count a window that is cut off
 * @param out         [N,]C,Do,Ho,Wo: the maxima, in self's type
 * @param indices     INT32, shape of out: flat positions d*H*W + h*W + w in the input plane
 * Products: Ascend910B, Ascend910_93.
 * Source: what the gradient's CANN document says of its forward.
 */
ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmaxGetWorkspaceSize(
    const aclTensor *self, const aclIntArray *kernelSize, const aclIntArray *stride,
    const aclIntArray *padding, const aclIntArray *dilation, bool ceilMode, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmax(void *workspace, uint64_t workspaceSize,
                                               aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
