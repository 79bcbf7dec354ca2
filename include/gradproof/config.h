/* What a program can choose about libgradproof, in its own code: options, where the log goes, where
   memory comes from (docs/configuration.md). Files, environment and code choose the same options.
 */
#ifndef GRADPROOF_CONFIG_H
#define GRADPROOF_CONFIG_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Chooses an option, above aclInit's file and the environment. The choice stays, over aclInit and
 * aclFinalize too, until it is made again or withdrawn. Calls whose phase 1 comes afterwards, on
 * any thread, follow it; log, trace, statistics and the limit of queues change at once. May be
 * called before aclInit.
 *
 * @param key   "soc", "threads", "instruction_set", "log", "trace", "strict", "conformance",
 * "queue_limit" or "statistics"
 * @param value as in the environment: a word, a number, or "0" or "1"; null withdraws the choice
 * @return ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for another key or value, ACL_ERROR_WRITE_FILE for a
 * trace that cannot be written, in which case all stays as it was. Before the first call of the
 * library and after aclFinalize no trace is begun yet: aclInit answers for it.
 */
ACL_FUNC_VISIBILITY aclError gradproof_set_option(const char* key, const char* value);

/**
 * The value of an option that is in force, whoever chose it, as gradproof_set_option takes it; ""
 * for no trace. Without aclInit it reads the environment, as the first call of the library does.
 *
 * @param key as for gradproof_set_option
 * @return a text that is valid until the thread's next call of this function; null for another key,
 * or when memory ran out
 */
ACL_FUNC_VISIBILITY const char* gradproof_option(const char* key);

/**
 * The conformance in force, "documented" or "cann": the option "conformance" (docs/conformance.md).
 *
 * @return a string that stays valid
 */
ACL_FUNC_VISIBILITY const char* gradproof_conformance(void);

/**
 * Chooses the option "conformance", as gradproof_set_option does.
 *
 * @param conformance "documented" or "cann"
 * @return ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for another word or null
 */
ACL_FUNC_VISIBILITY aclError gradproof_set_conformance(const char* conformance);

/**
 * Takes lines of the log, which the option "log" turns on. It is called on the thread that did the
 * work, by several threads at once. It may call the library, which logs nothing meanwhile, but
 * waits for no stream: its own would never be done. It throws nothing.
 *
 * @param level 1 for info, 2 for debug
 * @param line  the text without an end of line; valid during the call
 * @param user  of gradproof_set_log
 */
typedef void (*gradproofLog)(int32_t level, const char* line, void* user);

/**
 * Hands the log's lines to a function instead of stderr. When it returns, no thread is in the
 * function of before.
 *
 * @param log  null: stderr again
 * @param user passed to it
 * @return ACL_SUCCESS; ACL_ERROR_INVALID_PARAM if the log's function calls it
 */
ACL_FUNC_VISIBILITY aclError gradproof_set_log(gradproofLog log, void* user);

/** Whose memory a block is. */
typedef enum gradproofMemory {
  GRADPROOF_MEMORY_DEVICE = 0, /**< of aclrtMalloc */
  GRADPROOF_MEMORY_HOST = 1    /**< of aclrtMallocHost */
} gradproofMemory;

/** Where blocks come from. Both functions may be called by several threads at once, hold no lock of
   the library, and throw nothing. */
typedef struct gradproofAllocator {
  /** `bytes` at a multiple of `alignment`, or null. A block that is not aligned is released, and
   * counts as null. */
  void* (*allocate)(size_t bytes, size_t alignment, gradproofMemory memory, void* user);
  /** Takes back what `allocate` gave, with the same numbers. */
  void (*release)(void* start, size_t bytes, gradproofMemory memory, void* user);
  void* user; /**< passed to both */
} gradproofAllocator;

/**
 * Lets aclrtMalloc and aclrtMallocHost take blocks from the program. Each block goes back to where
 * it came from, whatever is chosen meanwhile. The library keeps none of them for later, and in
 * strict mode makes blocks of device memory itself. Handles and queues are not blocks.
 *
 * @param allocator is copied; null: the system
 * @return ACL_SUCCESS; ACL_ERROR_INVALID_PARAM if one of the functions is null
 */
ACL_FUNC_VISIBILITY aclError gradproof_set_allocator(const gradproofAllocator* allocator);

#ifdef __cplusplus
}
#endif

#endif
