/* The runtime of the acl API: devices, contexts, streams, events and memory.
 *
 * There is one device, number 0: this machine's processors and memory. Every thread may use it
 * without further ado: aclrtSetDevice only counts what aclrtResetDevice undoes, and contexts keep
 * settings that nothing depends on.
 * Device memory is host memory, and host pointers are accepted wherever device pointers are.
 *
 * Each function answers ACL_SUCCESS or an error code, and leaves its outputs alone in the latter
 * case. A null pointer or a number out of range is ACL_ERROR_INVALID_PARAM, a handle that is
 * destroyed, of another kind or no handle at all is ACL_ERROR_INVALID_RESOURCE_HANDLE, a device
 * other than 0 is ACL_ERROR_INVALID_DEVICE, and ACL_ERROR_BAD_ALLOC means that memory or threads
 * ran out, and ACL_ERROR_RT_QUEUE_FULL that a stream cannot take more work now; aclGetRecentErrMsg
 * tells which argument it was. Only what goes beyond this is repeated below. All functions may be called from several threads at once.
 *
 * C11 and C++. Names, values and signatures are those of CANN 8. */
#ifndef GRADPROOF_ACL_ACL_RT_H_
#define GRADPROOF_ACL_ACL_RT_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of aclrtCreateEventWithFlag; an event here can do all of it anyway. */
#define ACL_EVENT_SYNC 0x00000001U
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
#define ACL_EVENT_TIME_LINE 0x00000008U
#define ACL_EVENT_DEVICE_USE_ONLY 0x00000010U
#define ACL_EVENT_EXTERNAL 0x00000020U
#define ACL_EVENT_IPC 0x00000040U /* refused: events are one process's */

/* Flags of aclrtCreateStreamWithConfig; they make no difference here. */
#define ACL_STREAM_FAST_LAUNCH 0x00000001U
#define ACL_STREAM_FAST_SYNC 0x00000002U

typedef enum aclrtRunMode ACL_ENUM_TYPE {
  ACL_DEVICE,
  ACL_HOST
} aclrtRunMode;

/** Answer of the older aclrtQueryEvent. */
typedef enum aclrtEventStatus ACL_ENUM_TYPE {
  ACL_EVENT_STATUS_COMPLETE = 0,
  ACL_EVENT_STATUS_NOT_READY = 1,
  ACL_EVENT_STATUS_RESERVED = 2
} aclrtEventStatus;

typedef enum aclrtEventRecordedStatus ACL_ENUM_TYPE {
  ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
  ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
} aclrtEventRecordedStatus;

typedef enum aclrtStreamStatus ACL_ENUM_TYPE {
  ACL_STREAM_STATUS_COMPLETE = 0,
  ACL_STREAM_STATUS_NOT_READY = 1,
  ACL_STREAM_STATUS_RESERVED = 0xFFFF
} aclrtStreamStatus;

typedef enum aclrtMemcpyKind ACL_ENUM_TYPE {
  ACL_MEMCPY_HOST_TO_HOST,
  ACL_MEMCPY_HOST_TO_DEVICE,
  ACL_MEMCPY_DEVICE_TO_HOST,
  ACL_MEMCPY_DEVICE_TO_DEVICE,
  ACL_MEMCPY_DEFAULT,
  ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
  ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
  ACL_MEMCPY_INTER_DEVICE_TO_DEVICE
} aclrtMemcpyKind;

/** How to allocate. A page policy may be combined (|) with ACL_MEM_TYPE_* and ACL_MEM_ACCESS_*
 * flags. All policies give the same memory here. */
typedef enum aclrtMemMallocPolicy ACL_ENUM_TYPE {
  ACL_MEM_MALLOC_HUGE_FIRST,
  ACL_MEM_MALLOC_HUGE_ONLY,
  ACL_MEM_MALLOC_NORMAL_ONLY,
  ACL_MEM_MALLOC_HUGE_FIRST_P2P,
  ACL_MEM_MALLOC_HUGE_ONLY_P2P,
  ACL_MEM_MALLOC_NORMAL_ONLY_P2P,
  ACL_MEM_MALLOC_HUGE1G_ONLY,
  ACL_MEM_MALLOC_HUGE1G_ONLY_P2P,
  ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x0100,
  ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
  ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000
} aclrtMemMallocPolicy;

typedef enum aclrtMemAttr ACL_ENUM_TYPE {
  ACL_DDR_MEM,
  ACL_HBM_MEM,
  ACL_DDR_MEM_HUGE,
  ACL_DDR_MEM_NORMAL,
  ACL_HBM_MEM_HUGE,
  ACL_HBM_MEM_NORMAL,
  ACL_DDR_MEM_P2P_HUGE,
  ACL_DDR_MEM_P2P_NORMAL,
  ACL_HBM_MEM_P2P_HUGE,
  ACL_HBM_MEM_P2P_NORMAL,
  ACL_HBM_MEM_HUGE1G,
  ACL_HBM_MEM_P2P_HUGE1G
} aclrtMemAttr;

/** Settings of the process, or of a context. None has an effect: results are always the same bits
 * on every run, and kernels touch nothing but their tensors and workspace. */
typedef enum aclSysParamOpt ACL_ENUM_TYPE {
  ACL_OPT_DETERMINISTIC = 0,
  ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
  ACL_OPT_STRONG_CONSISTENCY = 2
} aclSysParamOpt;

/* ---- Devices and contexts ---- */

/** Makes the device the calling thread's, and counts: each call is undone by one
 * aclrtResetDevice. */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/** Undoes one aclrtSetDevice. The last one, and one without any, waits for the work of all streams
 * and releases the default stream's thread until it is used again.
 * @return the error of work that nobody had synchronised with, if there is one. */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/** The calling thread's device: always 0. */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t *deviceId);

/** Number of devices: always 1. */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t *count);

/** The acl API's version as CANN counts it: 1.0.0. The library's own is gradproof_version() of
 * gradproof/version.h. */
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion,
                                             int32_t *patchVersion);

/** ACL_HOST: the program runs beside the device, not on it. */
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode *runMode);

/** The chip that the library stands for ("Ascend910B3" unless configured otherwise, see aclInit).
 * Null, with a message, if the environment names an unknown one. The text lives for ever. */
ACL_FUNC_VISIBILITY const char *aclrtGetSocName(void);

/** Creates a context and makes it the calling thread's. */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);
/** Streams and memory live on. The calling thread keeps no current context if this was it. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);
/** Makes a live context the calling thread's. */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/** The context that the calling thread created or set last; ACL_ERROR_INVALID_RESOURCE_HANDLE if
 * there is none or it was destroyed since. */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext *context);

/** Keeps a value for the process, whatever it is, for aclrtGetSysParamOpt to return. */
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);
/** The value that was set last; 0 before. */
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value);
/** As aclrtSetSysParamOpt, for the calling thread's context alone. All threads without a context
 * share one set of values. */
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);
/** As aclrtGetSysParamOpt, for the calling thread's context. */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

/* ---- Streams: ordered asynchronous queues, each with a thread of its own ---- */

/** Creates an empty stream and its thread; aclrtDestroyStream ends both. */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream *stream);

/** As aclrtCreateStream; `priority` and `flag` are accepted and ignored. */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority,
                                                         uint32_t flag);

/** Finishes the stream's work first. The stream is gone afterwards in any case; the answer is the
 * error of work that nobody had synchronised with, if there is one. The default stream (null)
 * cannot be destroyed. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);

/** Waits until everything enqueued before this call is done.
 * @return the error of the first work that failed since the last synchronisation, which is thereby
 *   reported and forgotten: the stream stays usable. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);

/** As aclrtSynchronizeStream, for at most `timeout` milliseconds; -1 waits without limit. The caller
 * does work himself that is short beside the time, as without a limit.
 * @return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT if the work is not done by then; it goes on. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/** Synchronises with every stream, the default one included. All their errors are forgotten; the
 * answer is one of them. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/** Whether the stream has finished everything enqueued so far; if not, the work begins now at the
 * latest. Reports no errors of that work. */
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);

/* ---- Events: points in the work of a stream ---- */

/** Creates an event that was not recorded yet; aclrtDestroyEvent ends it. */
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent *event);

/** As aclrtCreateEvent; `flag` is 0 or a combination of ACL_EVENT_* without ACL_EVENT_IPC, and of
 * 0x4, which public clients pass too. None makes a difference here. */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);

/** Streams that wait for the event are not disturbed. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/** Enqueues the event: it completes when the stream gets there. Recording it again replaces the
 * point; waits that were enqueued before keep the old one. */
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/** Lets the stream wait, without blocking the caller, for the event's latest record.
 * @return ACL_ERROR_INVALID_PARAM if there was none: the stream would wait for ever. */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/** COMPLETE once the latest record is done; NOT_READY before, and if there was no record. */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event,
                                                   aclrtEventRecordedStatus *status);

/** Older form of aclrtQueryEventStatus. */
ACL_FUNC_VISIBILITY aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);

/** Waits for the event's latest record; ACL_ERROR_INVALID_PARAM if there was none. */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);

/** Milliseconds between two completed records; ACL_ERROR_INVALID_PARAM if one is not complete. */
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent,
                                                   aclrtEvent endEvent);

/* ---- Memory ---- */

/** Allocates `size` > 0 bytes, aligned to 64 or more, contents undefined.
 * @return ACL_ERROR_BAD_ALLOC if the device has not that much left. */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/** Frees what aclrtMalloc gave. Work that uses the memory must be done.
 * @return ACL_ERROR_INVALID_PARAM for null and for every address that is not the start of a live
 *   block of aclrtMalloc. */
ACL_FUNC_VISIBILITY aclError aclrtFree(void *devPtr);

/** As aclrtMalloc, for memory of the host. */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void **hostPtr, size_t size);

/** As aclrtFree, for what aclrtMallocHost gave. */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void *hostPtr);

/** Copies `count` bytes at once; they may overlap. Whether `kind` is right, strict mode judges.
 * @return ACL_ERROR_INVALID_PARAM if `count` exceeds `destMax` or leaves the aclrtMalloc or
 *   aclrtMallocHost block that an address lies in. A count of 0 does nothing, also with null. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                                         aclrtMemcpyKind kind);

/** As aclrtMemcpy, as work of a stream. Bounds are checked now. */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src,
                                              size_t count, aclrtMemcpyKind kind,
                                              aclrtStream stream);

/** Sets `count` bytes to the low byte of `value`, bounds as in aclrtMemcpy. */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value,
                                         size_t count);

/** As aclrtMemset, as work of a stream. */
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value,
                                              size_t count, aclrtStream stream);

/** Bytes of device memory: all of it (the machine's, or the control group's limit), and what
 * aclrtMalloc and aclrtMallocHost have not taken. */
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);

#ifdef __cplusplus
}
#endif

#endif
