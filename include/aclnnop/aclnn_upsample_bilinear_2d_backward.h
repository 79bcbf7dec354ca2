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
 * The parameters, rules and products of aclnn_upsample_bilinear_2d_backward_v2.h. The extents alone
 * count: scalesH and scalesW must be finite and have no effect on any product.
 * Source: what the second version's CANN document says of the first, and programs that call it.
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
