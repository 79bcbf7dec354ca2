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
 * a NaN in the window is its maximum. Shapes, types, parameters and products are those of
 * aclnn_max_pool3d_with_argmax_backward.h.
 * @param self     [N,]C,D,H,W
 * @param out      [N,]C,Do,Ho,Wo: the maxima
 * @param indices  INT32, shape of out: flat positions d*H*W + h*W + w in the input plane
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
