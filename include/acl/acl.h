/* The acl API in one include: set-up and messages here, types and the runtime by inclusion.
 *
 * C11 and C++. Names, values and signatures are those of CANN 8. */
#ifndef GRADPROOF_ACL_ACL_H_
#define GRADPROOF_ACL_ACL_H_

#include "acl_base.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Starts the library. `configPath` is null or names a JSON file holding one object, of which these
 * keys are read and all others ignored:
 *   "soc"      the product to stand for: "Ascend910", "Ascend310P", "Ascend910B", "Ascend910_93",
 *              or one of its chips, such as "Ascend910B2"
 *   "threads"  most threads that one operator may use, 1 to 1024
 *   "instruction_set"  one that the machine has of "scalar", "sse4", "avx2", "avx512", "neon" and
 *              "sve"; no result depends on it
 *   "log"      "off", "info" (a line on stderr for each operator's run) or "debug" (for each piece
 *              of work)
 *   "trace"    a file to write, in Chrome's trace event format, what each stream does and when
 *   "conformance"  "documented" or "cann": whose answers are given (docs/conformance.md)
 *   "strict"   true for strict device mode (docs/diagnosis.md): checks what a real device demands
 *   "queue_limit"  tasks that may wait in one stream, 1 to 16777216
 *   "statistics"  true to count the time of operators' runs (gradproof/statistics.h)
 * What the file does not say comes from the environment variables GRADPROOF_SOC,
 * GRADPROOF_NUM_THREADS, GRADPROOF_INSTRUCTION_SET, GRADPROOF_LOG, GRADPROOF_TRACE,
 * GRADPROOF_STRICT, GRADPROOF_CONFORMANCE, GRADPROOF_QUEUE_LIMIT and GRADPROOF_STATISTICS (unset or
 * empty: the defaults of docs/configuration.md). What the program chose by gradproof_set_option of
 * gradproof/config.h wins over both.
 * @return ACL_ERROR_REPEAT_INITIALIZE if started already; ACL_ERROR_INVALID_FILE,
 *   ACL_ERROR_INVALID_FILE_SIZE (above 10 MiB), ACL_ERROR_PARSE_FILE or ACL_ERROR_FILE_ATTR_INVALID
 *   for the file; ACL_ERROR_WRITE_FILE for the trace; ACL_ERROR_INVALID_PARAM for the environment. The message names file and place.
 * A program may call operators without aclInit; the environment is then read by the first call, and
 * a bad value there makes each phase 1 answer 361001 (ACLNN_ERR_RUNTIME_ERROR). */
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);

/** Ends what aclInit began, after the work of every stream is done. aclInit may follow again, with
 * another configuration. Handles and memory stay valid until they are destroyed.
 * @return ACL_ERROR_UNINITIALIZE before the first aclInit, ACL_ERROR_REPEAT_FINALIZE after the
 *   first aclFinalize; or the error of a stream's work that nobody had synchronised with. */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/** The message of the calling thread's latest failed call, and forgets it, as CANN does: null if no
 * call failed since. Work that failed on a stream leaves its message with the thread whose
 * synchronisation reported it. The text has at most 4095 bytes, and stays valid until the thread's
 * next failing call. */
ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg(void);

#ifdef __cplusplus
}
#endif

#endif
