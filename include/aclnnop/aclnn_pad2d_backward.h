/* Gradient of replication padding in two dimensions.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_PAD2D_BACKWARD_H_
#define GRADPROOF_ACLNNOP_ACLNN_PAD2D_BACKWARD_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * gradInput[..., clamp(i-top,0,H-1), clamp(j-left,0,W-1)] += gradOutput[..., i, j]; elements that
 * are never reached become 0. Negative padding crops.
 *
 * Shapes: self and gradInput [N,]C,H,W; gradOutput [N,]C,H+top+bottom,W+left+right, the last two
 * >= 1. The first extent may be 0.
 * @param gradOutput  FLOAT, FLOAT16, DOUBLE, COMPLEX64 or COMPLEX128, any view, any public format
 * @param self        the forward's input: described, its data is not read
 * @param padding     (left, right, top, bottom), in elements; left, right < W and top, bottom < H
 * @param gradInput   written in full; type, format and rank of gradOutput, no overlapping view
 * Products: all four. Source: the operator's CANN document.
 */
ACLNN_API aclnnStatus aclnnReplicationPad2dBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclIntArray *padding,
    aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnReplicationPad2dBackward(void *workspace, uint64_t workspaceSize,
                                                    aclOpExecutor *executor,
                                                    const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
