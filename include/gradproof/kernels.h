/* Which kernels compute an operator, and which one a call takes: for those who test or tune the library. Names may
   change with every release. */
#ifndef GRADPROOF_KERNELS_H
#define GRADPROOF_KERNELS_H

#include <stddef.h>

#include "acl/acl_base.h"
#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The kernels of an operator, one by one, in the order in which the library prefers them.
 *
 * @param api   name of the operator's second phase, such as "aclnnReplicationPad2dBackward"
 * @param index from 0
 * @return the kernel's name, valid for ever; null if there are not so many, or for another word
 */
ACL_FUNC_VISIBILITY const char* gradproof_kernel(const char* api, size_t index);

/**
 * The kernel that phase 1 chose for a call. If that one meets an index outside its window, phase 2 may run another: the
 * statistics count it (gradproof/statistics.h, `declined`).
 *
 * @param executor made by a phase 1, and neither run nor destroyed
 * @return its name, valid for ever; "nothing" for a call that computes nothing, "subject" for one that a kernel of the
 * caller's computes (gradproof/subject.h); null if there is no such executor
 */
ACL_FUNC_VISIBILITY const char* gradproof_executor_kernel(const aclOpExecutor* executor);

/**
 * Leaves a kernel out: calls whose phase 1 comes afterwards, on any thread, run the kernel that is preferred without
 * it. So a kernel's gain is measured, and a wrong kernel is avoided. The last kernel of an operator serves what no
 * other one does, and still runs.
 *
 * @param name as gradproof_kernel returns it; of all operators that have a kernel of that name. Null: no kernel is
 * left out any more
 * @return ACL_SUCCESS; ACL_ERROR_INVALID_PARAM if no operator has such a kernel, and then nothing changes
 */
ACL_FUNC_VISIBILITY aclError gradproof_leave_out_kernel(const char* name);

/**
 * Chooses a kernel: calls whose phase 1 comes afterwards, on any thread, run it wherever it is right, even where another
 * one is faster or it was left out. So every kernel is tested on small calls, too. Results are the same to the bit.
 *
 * @param name as for gradproof_leave_out_kernel. Null: the library chooses again
 * @return ACL_SUCCESS; ACL_ERROR_INVALID_PARAM if no operator has such a kernel, and then nothing changes
 */
ACL_FUNC_VISIBILITY aclError gradproof_use_kernel(const char* name);

/**
 * Plans small calls like large ones: calls whose phase 1 comes afterwards, on any thread, use as many threads as
 * they have parts of work, and write their results past the caches, however small they are. Tests then reach, with
 * small calls, code that only large calls run otherwise. Results are the same to the bit. The workspace is larger: there
 * are gaps between a kernel's buffers. If a kernel writes into a gap, the synchronisation returns
 * ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, and the message names the kernel.
 *
 * @param how 1: plan so from now on; 2: also divide the work into small blocks, as only calls that exceed a cache are divided;
 * 0: no longer
 */
ACL_FUNC_VISIBILITY void gradproof_plan_as_large(int how);

#ifdef __cplusplus
}
#endif

#endif
