/* Status codes, element types, memory formats and half-precision numbers of the acl API.
 *
 * Names and values are those of CANN 8, so that programs written for it compile unchanged. C11 and
 * C++; may be included alone. Sources: CANN's AscendCL reference and the operator documents. */
#ifndef GRADPROOF_ACL_ACL_BASE_H_
#define GRADPROOF_ACL_ACL_BASE_H_

#include <stddef.h>
#include <stdint.h>

/** Marks what the library exports; everything else in it is hidden. */
#ifndef ACL_FUNC_VISIBILITY
#if defined(__GNUC__) || defined(__clang__)
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#else
#define ACL_FUNC_VISIBILITY
#endif
#endif

/* Any 32-bit number may arrive where an enumeration is expected, and is refused with a status. In
 * C++ only an enumeration with a fixed type may hold such a number; in C every one may. */
#ifdef __cplusplus
#define ACL_ENUM_TYPE : int32_t
#else
#define ACL_ENUM_TYPE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Opaque handles. A null stream is the device's default stream. */
typedef void *aclrtStream;
typedef void *aclrtEvent;
typedef void *aclrtContext;

/** Status of the acl* and aclrt* functions: ACL_SUCCESS or one of the codes below. */
typedef int aclError;

/** An IEEE binary16 number as its bits. */
typedef uint16_t aclFloat16;

static const int ACL_ERROR_NONE = 0;
static const int ACL_SUCCESS = 0;

/* 1xxxxx: the caller's mistake. */
static const int ACL_ERROR_INVALID_PARAM = 100000;     /**< null pointer, bad size or number */
static const int ACL_ERROR_UNINITIALIZE = 100001;      /**< aclFinalize before any aclInit */
static const int ACL_ERROR_REPEAT_INITIALIZE = 100002; /**< a second aclInit */
static const int ACL_ERROR_INVALID_FILE = 100003;      /**< configuration file cannot be read */
static const int ACL_ERROR_WRITE_FILE = 100004;
static const int ACL_ERROR_INVALID_FILE_SIZE = 100005; /**< configuration file is too large */
static const int ACL_ERROR_PARSE_FILE = 100006;        /**< configuration file is not JSON */
static const int ACL_ERROR_FILE_MISSING_ATTR = 100007;
static const int ACL_ERROR_FILE_ATTR_INVALID = 100008; /**< a configuration value is not allowed */
static const int ACL_ERROR_UNSUPPORTED_DATA_TYPE = 100026;
static const int ACL_ERROR_REPEAT_FINALIZE = 100037; /**< a second aclFinalize */

static const int ACL_ERROR_RT_PARAM_INVALID = 107000;
static const int ACL_ERROR_RT_INVALID_DEVICEID = 107001;
static const int ACL_ERROR_RT_CONTEXT_NULL = 107002;

/* 2xxxxx: resources. */
static const int ACL_ERROR_BAD_ALLOC = 200000;
static const int ACL_ERROR_API_NOT_SUPPORT = 200001;
static const int ACL_ERROR_INVALID_DEVICE = 200002;
static const int ACL_ERROR_MEMORY_ADDRESS_UNALIGNED = 200003;
static const int ACL_ERROR_RESOURCE_NOT_MATCH = 200004;
static const int ACL_ERROR_INVALID_RESOURCE_HANDLE = 200005; /**< stale, foreign or destroyed */
static const int ACL_ERROR_FEATURE_UNSUPPORTED = 200006;

/** Events for several processes. */
static const int ACL_ERROR_RT_FEATURE_NOT_SUPPORT = 207000;
static const int ACL_ERROR_RT_MEMORY_ALLOCATION = 207001;
/** A stream's queue is full (65,536 tasks); nothing was enqueued. */
static const int ACL_ERROR_RT_QUEUE_FULL = 207014;

static const int ACL_ERROR_STORAGE_OVER_LIMIT = 300000;

/* 5xxxxx: trouble inside. */
static const int ACL_ERROR_INTERNAL_ERROR = 500000;
static const int ACL_ERROR_FAILURE = 500001;
/** An operator met data that it cannot process, an index outside its plane for instance. Reported
 * by the synchronisation that follows the call. */
static const int ACL_ERROR_RT_VECTOR_CORE_EXCEPTION = 507035;
/** A stream's work was not done in the given time. */
static const int ACL_ERROR_RT_STREAM_SYNC_TIMEOUT = 507046;

/** Element types. */
typedef enum aclDataType ACL_ENUM_TYPE {
  ACL_DT_UNDEFINED = -1,
  ACL_FLOAT = 0,
  ACL_FLOAT16 = 1,
  ACL_INT8 = 2,
  ACL_INT32 = 3,
  ACL_UINT8 = 4,
  ACL_INT16 = 6,
  ACL_UINT16 = 7,
  ACL_UINT32 = 8,
  ACL_INT64 = 9,
  ACL_UINT64 = 10,
  ACL_DOUBLE = 11,
  ACL_BOOL = 12,
  ACL_STRING = 13,
  ACL_COMPLEX64 = 16,
  ACL_COMPLEX128 = 17,
  ACL_BF16 = 27,
  ACL_INT4 = 29,
  ACL_UINT1 = 30,
  ACL_COMPLEX32 = 33,
  ACL_HIFLOAT8 = 34,
  ACL_FLOAT8_E5M2 = 35,
  ACL_FLOAT8_E4M3FN = 36,
  ACL_FLOAT8_E8M0 = 37,
  ACL_FLOAT6_E3M2 = 38,
  ACL_FLOAT6_E2M3 = 39,
  ACL_FLOAT4_E2M1 = 40,
  ACL_FLOAT4_E1M2 = 41
} aclDataType;

/** What the dimensions of a tensor mean. The private formats (those with C0 or FRACTAL in their
 * name) exist so that programs compile; no operator here accepts them. */
typedef enum aclFormat ACL_ENUM_TYPE {
  ACL_FORMAT_UNDEFINED = -1,
  ACL_FORMAT_NCHW = 0,
  ACL_FORMAT_NHWC = 1,
  ACL_FORMAT_ND = 2,
  ACL_FORMAT_NC1HWC0 = 3,
  ACL_FORMAT_FRACTAL_Z = 4,
  ACL_FORMAT_NC1HWC0_C04 = 12,
  ACL_FORMAT_HWCN = 16,
  ACL_FORMAT_NDHWC = 27,
  ACL_FORMAT_FRACTAL_NZ = 29,
  ACL_FORMAT_NCDHW = 30,
  ACL_FORMAT_NDC1HWC0 = 32,
  ACL_FRACTAL_Z_3D = 33,
  ACL_FORMAT_NC = 35,
  ACL_FORMAT_NCL = 47,
  ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
  ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
  ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
  ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
  ACL_FORMAT_FRACTAL_NZ_C0_8 = 54
} aclFormat;

/** Size of one element in bytes; 0 for types without a size in whole bytes and for numbers that are
 * no type. */
ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);

/** Exact. A NaN stays a NaN of the same sign and payload. */
ACL_FUNC_VISIBILITY float aclFloat16ToFloat(aclFloat16 value);

/** Rounds to nearest, ties to even; subnormals are kept, overflow gives an infinity, a NaN stays a
 * (quiet) NaN of the same sign. */
ACL_FUNC_VISIBILITY aclFloat16 aclFloatToFloat16(float value);

#ifdef __cplusplus
}
#endif

#endif
