/* What a kernel of one's own needs to be called through this API: executors that run it.
   gradproof/subject.hpp is the comfortable way to it; gradproof/descriptors.h reads int arrays. */
#ifndef GRADPROOF_SUBJECT_H
#define GRADPROOF_SUBJECT_H

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Computes one call, on the thread of the call's stream; it may be called from several threads at
 * once.
 *
 * @param context of gradproof_set_kernel
 * @param data    the data pointers of phase 1's tensors in the order of its parameters, before
 * their offsets
 * @param message room for a text that ends with a 0 byte, which aclGetRecentErrMsg returns after a
 * failure
 * @param room    its size in bytes
 * @return ACL_SUCCESS, or what the stream's next synchronisation answers
 */
typedef aclError (*gradproofKernel)(void *context, void *const *data, char *message, size_t room);

/**
 * Lets an executor run another kernel than this library's. All checks of phase 2, streams and
 * addresses are as ever; no workspace is needed. To be called between phase 1 and everything else
 * that is done with the executor.
 *
 * @param executor what phase 1 returned; becomes another handle
 * @param kernel   called by every run of the executor
 * @param release  called with `context` when neither the executor nor a run needs it any more; may
 * be null
 * @param context  passed to both
 * @return ACLNN_SUCCESS; ACLNN_ERR_PARAM_NULLPTR for null, ACLNN_ERR_PARAM_INVALID for an executor
 * that is not alive, ACLNN_ERR_INNER_CREATE_EXECUTOR when memory runs out. After a failure
 * `release` is not called, and the executor is as it was, but gone when memory ran out.
 */
ACL_FUNC_VISIBILITY aclnnStatus gradproof_set_kernel(aclOpExecutor **executor,
                                                     gradproofKernel kernel,
                                                     void (*release)(void *context), void *context);

#ifdef __cplusplus
}
#endif

#endif
