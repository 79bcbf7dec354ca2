/* Bilinear upsampling in two dimensions.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_H_
#define GRADPROOF_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * The linear map whose transpose aclnn_upsample_bilinear_2d_backward_v2.h gives.
 * @param self          N,C,H,W (format NCHW) or N,H,W,C (NHWC); FLOAT, FLOAT16 or (Ascend910B,
 *                      Ascend910_93) BF16, any view
 * @param outputSize    (Ho, Wo), each > 0
 * @param alignCorners  whether the corner pixels' centres coincide
 * @param scalesH       how much larger out is; used if alignCorners is false and the value is > 0,
 *                      otherwise the ratio of the extents is. Must be finite. Has no effect on the
 *                      products Ascend910 and Ascend310P.
 * @param scalesW       likewise along W
 * @param out           self's shape with H, W replaced by outputSize; self's type and format
 * Products: all four. Source: what the gradient's CANN document says of its forward.
 */
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dGetWorkspaceSize(
    const aclTensor *self, const aclIntArray *outputSize, const bool alignCorners,
    const double scalesH, const double scalesW, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnUpsampleBilinear2d(void *workspace, uint64_t workspaceSize,
                                              aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
