/* Gradient of bilinear upsampling in two dimensions, first version.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_BACKWARD_H_
#define GRADPROOF_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_BACKWARD_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * The map and the rules of aclnn_upsample_bilinear_2d_backward_v2.h, but for the scales.
 *
 * Shapes: out has the extents inputSize; gradOut has them with H, W replaced by outputSize. Rank 4.
 * @param gradOut       FLOAT, FLOAT16 or (Ascend910B, Ascend910_93) BF16, any view; NCHW or NHWC
 * @param outputSize    (Ho, Wo), each > 0: gradOut's H and W
 * @param inputSize     4 numbers > 0, in the order of out's own dimensions (N,C,H,W or N,H,W,C)
 * @param alignCorners  whether the corner pixels' centres coincide
 * @param scalesH       must be finite; has no effect: the ratio of the extents is used
 * @param scalesW       likewise along W
 * @param out           written in full; type and format of gradOut, no overlapping view
 * Products: all four. Source: what the second version's CANN document says of the first, and
 * programs that call it.
 */
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclIntArray *outputSize, const aclIntArray *inputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dBackward(void *workspace, uint64_t workspaceSize,
                                                      aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
