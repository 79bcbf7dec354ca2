/* What libgradproof did so far, and what it holds: numbers for a program to watch. */
#ifndef GRADPROOF_STATISTICS_H
#define GRADPROOF_STATISTICS_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers since the process began; a child of fork() counts anew, but for memory. Later versions may add members at
    the end. */
typedef struct gradproofStatistics {
  uint64_t streams;         /**< alive, the default stream among them once it was used */
  uint64_t enqueued;        /**< tasks that streams took: runs of operators, asynchronous copies and fills, events */
  uint64_t completed;       /**< of these, done */
  uint64_t failed;          /**< of these, with an error */
  uint64_t refused;         /**< tasks that met a full queue */
  uint64_t waiting;         /**< tasks in all queues now; one that runs does not wait */
  uint64_t longest_queue;   /**< tasks in the longest queue now */
  uint64_t longest_ever;    /**< tasks that ever waited in one queue */
  uint64_t runs;            /**< of operators, done */
  uint64_t run_nanoseconds; /**< time of these runs, while the option "statistics", "log" or "trace" was on */
  uint64_t device_bytes;    /**< of live blocks of aclrtMalloc */
  uint64_t host_bytes;      /**< of live blocks of aclrtMallocHost */
  uint64_t most_bytes;      /**< the most of both at once */
  uint64_t kept_bytes;      /**< of freed blocks that are kept for the next allocation */
  uint64_t declined;        /**< kernels that met an index outside its window, and left the run to another kernel */
} gradproofStatistics;

/**
 * Fills in the numbers of this moment. Streams are looked at one after the other.
 *
 * @param statistics what is filled in
 * @param bytes      sizeof(gradproofStatistics) of the program, which may be an older version's
 * @return ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for null
 */
ACL_FUNC_VISIBILITY aclError gradproof_get_statistics(gradproofStatistics* statistics, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
