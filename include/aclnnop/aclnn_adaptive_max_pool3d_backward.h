/* Gradient of adaptive 3-D max pooling from the positions of the maxima.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL3D_BACKWARD_H_
#define GRADPROOF_ACLNNOP_ACLNN_ADAPTIVE_MAX_POOL3D_BACKWARD_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * Per sample and channel, gradInput.flat[indices.flat[o]] += gradOutput.flat[o] for every output
 * position o; all other elements become 0. An index is the flat position d*H*W + h*W + w in the
 * input plane. Equal indices add up; an index outside the plane makes the stream's next
 * synchronisation answer 507035.
 *
 * Shapes: self and gradInput [N,]C,D,H,W; gradOutput and indices [N,]C,Do,Ho,Wo with any extents.
 * N or C may be 0; so may Do, Ho, Wo, which gives zeros.
 * @param gradOutput  FLOAT, FLOAT16 or BF16, any view; format ND, or NCDHW (rank 5), NCHW (rank 4)
 * @param self        the forward's input: described, its data is not read
 * @param indices     INT32, otherwise as gradOutput
 * @param gradInput   written in full; type, format and rank of gradOutput, no overlapping view
 * Products: Ascend910B, Ascend910_93. Source: the operator's CANN document.
 */
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *indices,
    aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnAdaptiveMaxPool3dBackward(void *workspace, uint64_t workspaceSize,
                                                     aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
