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
 * The linear map whose transpose aclnn_upsample_bilinear_2d_backward_v2.h gives; types, formats,
 * parameters and products as there.
 * @param self        N,C,H,W or N,H,W,C
 * @param outputSize  (Ho, Wo), each > 0
 * @param out         self's shape with H, W replaced by outputSize
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
