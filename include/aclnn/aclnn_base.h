/* Status codes of the aclnn API and what every aclnnop header needs.
 *
 * An operator is called in two phases. aclnnXxxGetWorkspaceSize checks the descriptors and answers
 * at once: on failure the message (aclGetRecentErrMsg) names operator, rule, argument and values,
 * and both outputs stay as they were; on success *workspaceSize is the number of bytes to provide
 * (often 0) and *executor is the planned call. aclnnXxx enqueues it on a stream (null: the default
 * stream) and returns; results are there after aclrtSynchronizeStream. Tensors and int arrays may
 * be destroyed after phase 1, tensor data and workspace only after the synchronisation.
 *
 * Phase 1: ACLNN_ERR_PARAM_NULLPTR for a null argument, ACLNN_ERR_PARAM_INVALID for every other
 * rule, ACLNN_ERR_INNER_CREATE_EXECUTOR when memory runs out.
 * Phase 2: ACLNN_ERR_PARAM_NULLPTR for a null executor, a null workspace when bytes are needed, a
 * null data pointer of a tensor that is read or written; ACLNN_ERR_PARAM_INVALID for a workspace
 * that is too small, an executor that is consumed, destroyed or unknown, or another operator's;
 * ACLNN_ERR_RUNTIME_ERROR for a stream that is not live. A refused phase 2 can be
 * repeated; in the conformance cann, which set_env.sh chooses, a failed check of memory or executor
 * consumes the executor (docs/conformance.md).
 *
 * C11 and C++. Names and values are those of CANN 8. */
#ifndef GRADPROOF_ACLNN_ACLNN_BASE_H_
#define GRADPROOF_ACLNN_ACLNN_BASE_H_

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"

#ifndef ACLNN_API
#define ACLNN_API ACL_FUNC_VISIBILITY
#endif

#ifdef __cplusplus
extern "C" {
#endif

static const aclnnStatus ACLNN_SUCCESS = 0;
static const aclnnStatus ACLNN_ERR_PARAM_NULLPTR = 161001;
static const aclnnStatus ACLNN_ERR_PARAM_INVALID = 161002;
static const aclnnStatus ACLNN_ERR_RUNTIME_ERROR = 361001;
static const aclnnStatus ACLNN_ERR_INNER = 561000;
static const aclnnStatus ACLNN_ERR_INNER_INFERSHAPE_ERROR = 561001;
static const aclnnStatus ACLNN_ERR_INNER_TILING_ERROR = 561002;
static const aclnnStatus ACLNN_ERR_INNER_FIND_KERNEL_ERROR = 561003;
static const aclnnStatus ACLNN_ERR_INNER_CREATE_EXECUTOR = 561101;
static const aclnnStatus ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR = 561102;
static const aclnnStatus ACLNN_ERR_INNER_NULLPTR = 561103;

/** Accepted for programs that call it; the operators need it not. `configPath` is ignored. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char *configPath);
/** The counterpart of aclnnInit: accepted, does nothing. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif
