/* Gradient of 3-D max pooling from the positions of the maxima.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_BACKWARD_H_
#define GRADPROOF_ACLNNOP_ACLNN_MAX_POOL3D_WITH_ARGMAX_BACKWARD_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * Per sample and channel, gradInput.flat[indices.flat[o]] += gradOutput.flat[o] for every output
 * position o; all other elements become 0. An index is the flat position d*H*W + h*W + w in the
 * input plane. Equal indices add up; any index inside the plane is honoured, one outside makes the
 * stream's next synchronisation answer 507035.
 *
 * Shapes: self and gradInput [N,]C,D,H,W; gradOutput and indices [N,]C,Do,Ho,Wo with, per axis,
 * out = floor((in + 2*padding - kernel + (ceilMode ? stride-1 : 0)) / stride) + 1, one less in ceil
 * mode if the last window would start in the right padding. No tensor may be empty.
 * @param gradOutput  FLOAT, FLOAT16 or BF16, any view; format ND, or NCDHW (rank 5), NCHW (rank 4)
 * @param self        the forward's input: described, its data is not read
 * @param indices     INT32, otherwise as gradOutput
 * @param kernelSize  1 or 3 numbers > 0, in elements (one number stands for all axes)
 * @param stride      0 (as kernelSize), 1 or 3 numbers > 0
 * @param padding     1 or 3 numbers, 0 to kernel/2
 * @param dilation    1 or 3 numbers, all 1
 * @param ceilMode    whether pooled extents are rounded up, and so count a window that is cut off
 * @param gradInput   written in full; type, format and rank of gradOutput, no overlapping view
 * Products: Ascend910B, Ascend910_93. Source: the operator's CANN document.
 */
ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *indices,
    const aclIntArray *kernelSize, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool ceilMode, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnMaxPool3dWithArgmaxBackward(void *workspace, uint64_t workspaceSize,
                                                       aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
