/* Replication padding in two dimensions.
 *
 * C11 and C++. */
#ifndef GRADPROOF_ACLNNOP_ACLNN_REPLICATION_PAD2D_H_
#define GRADPROOF_ACLNNOP_ACLNN_REPLICATION_PAD2D_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Phase 1.
 * out[..., i, j] = self[..., clamp(i-top,0,H-1), clamp(j-left,0,W-1)]. Negative padding
 * crops.
 * @param self     [N,]C,H,W; FLOAT, FLOAT16, DOUBLE, COMPLEX64 or COMPLEX128, any view, any public
 *                 format
 * @param padding  (left, right, top, bottom), in elements; left, right < W and top, bottom < H
 * @param out      [N,]C,H+top+bottom,W+left+right, the last two >= 1; self's type and format
 * Products: all four. Source: what the gradient's CANN document says of its forward.
 */
ACLNN_API aclnnStatus aclnnReplicationPad2dGetWorkspaceSize(
    const aclTensor *self, const aclIntArray *padding, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor);

/** Phase 2: enqueues the call on `stream`; see aclnn_base.h. */
ACLNN_API aclnnStatus aclnnReplicationPad2d(void *workspace, uint64_t workspaceSize,
                                            aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
