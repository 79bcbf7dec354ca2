/* 2-D max pooling with the bit mask of the maxima.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_H_
#define GRADPROOF_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * The padding counts as minus infinity; the first maximum in window order (h, then w) wins and
 * alone sets its bit; a NaN in the window is its maximum. Bits and bytes without a meaning become
 * 0. Pooled extents and the mask's layout are those of aclnn_max_pool2d_with_indices_backward.h.
 * @param self        [N,]C,H,W; FLOAT, FLOAT16 or (not on Ascend910) BF16, any view; format NCHW,
 *                    ND or NCL
 * @param kernelSize  1 or 2 numbers > 0, in elements (one number stands for both axes)
 * @param stride      0 (as kernelSize), 1 or 2 numbers > 0
 * @param padding     1 or 2 numbers, 0 to kernel/2
 * @param dilation    1 or 2 numbers, all 1
 * @param ceilMode    whether pooled extents are rounded up, and so count a window that is cut off
 * @param out         [N,]C,Ho,Wo: the maxima, in self's type
 * @param indices     INT8: the mask, [N,]C,kH*kW,(ceil(Ho*Wo/16)+1)*32
 * Products: Ascend910, Ascend910B, Ascend910_93.
 * Source: what the gradient's CANN document says of its forward.
 */
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskGetWorkspaceSize(
    const aclTensor *self, const aclIntArray *kernelSize, const aclIntArray *stride,
    const aclIntArray *padding, const aclIntArray *dilation, bool ceilMode, aclTensor *out,
    aclTensor *indices, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnMaxPool2dWithMask(void *workspace, uint64_t workspaceSize,
                                             aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
