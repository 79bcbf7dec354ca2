/* Gradient of 2-D max pooling from the bit mask of the maxima.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H_
#define GRADPROOF_ACLNNOP_ACLNN_MAX_POOL2D_WITH_INDICES_BACKWARD_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * For every bit that is set in the mask for channel c, kernel position (kh,kw) and output position
 * (oh,ow): gradInput[n,c,oh*sH-pH+kh,ow*sW-pW+kw] += gradOutput[n,c,oh,ow]; all other elements
 * become 0. Bits that point into the padding are ignored.
 *
 * The mask, read from indices' first element as little-endian 16-bit words, is an array
 * [N][ceil(C/16)][kH*kW][P] with P = (ceil(Ho*Wo/16)+1)*16; channel c has bit c%16 of the word
 * [n][c/16][kh*kW+kw][oh*Wo+ow]. In the conformance cann, which set_env.sh chooses, it holds INT32
 * positions instead (docs/conformance.md).
 *
 * Shapes: self and gradInput [N,]C,H,W; gradOutput [N,]C,Ho,Wo with the pooled extents (see
 * aclnn_max_pool3d_with_argmax_backward.h); indices [N,]C,kH*kW,(ceil(Ho*Wo/16)+1)*32. N may be 0.
 * @param gradOutput  FLOAT, FLOAT16 or (not on Ascend910) BF16, any view; format NCHW, ND or NCL
 * @param self        the forward's input: described, its data is not read
 * @param indices     INT8, contiguous
 * @param kernelSize  1 or 2 numbers > 0, in elements (one number stands for both axes)
 * @param stride      0 (as kernelSize), 1 or 2 numbers > 0
 * @param padding     1 or 2 numbers, 0 to kernel/2
 * @param dilation    1 or 2 numbers, all 1
 * @param ceilMode    whether pooled extents are rounded up, and so count a window that is cut off
 * @param gradInput   written in full; type, format and rank of gradOutput, no overlapping view
 * Products: Ascend910 (FLOAT computed in FLOAT16), Ascend910B, Ascend910_93.
 * Source: the operator's CANN document.
 */
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *indices,
    const aclIntArray *kernelSize, const aclIntArray *stride, const aclIntArray *padding,
    const aclIntArray *dilation, bool ceilMode, aclTensor *gradInput, uint64_t *workspaceSize,
    aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnMaxPool2dWithMaskBackward(void *workspace, uint64_t workspaceSize,
                                                     aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
