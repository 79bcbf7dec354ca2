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
 * out[..., i, j] = self[..., clamp(i-top,0,H-1), clamp(j-left,0,W-1)]. Types, formats, padding and
 * products are those of aclnn_pad2d_backward.h.
 * @param self     [N,]C,H,W
 * @param padding  (left, right, top, bottom)
 * @param out      [N,]C,H+top+bottom,W+left+right
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
