/* Descriptors: tensors, arrays, scalars, lists; and the executor's addresses. The operators here take tensors and int
 * arrays; the others are there for programs that make them for operators of their own.
 *
 * Each function that returns aclnnStatus answers ACLNN_SUCCESS or a code of aclnn_base.h, and
 * leaves its outputs alone in the latter case: a null pointer is ACLNN_ERR_PARAM_NULLPTR (a null
 * executor, and a null tensor beside an executor, ACLNN_ERR_INNER_NULLPTR, as in CANN), a handle
 * that is destroyed, of another kind or no handle is ACLNN_ERR_PARAM_INVALID. Unlike in CANN,
 * destroying null is an error too. All functions may be called from several threads at once.
 *
 * C11 and C++. Names and signatures are those of CANN 8. */
#ifndef GRADPROOF_ACLNN_ACL_META_H_
#define GRADPROOF_ACLNN_ACL_META_H_

#include <stdbool.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclTensor aclTensor;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclScalar aclScalar;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;
typedef struct aclOpExecutor aclOpExecutor;

/** Status of the aclnn* functions and of those below; see aclnn_base.h. */
typedef int32_t aclnnStatus;

/** Describes a tensor: a view of `viewDimsNum` dimensions, with `stride` (in elements, as many as
 * dimensions; null means contiguous) and `offset` (in elements), on a storage of `storageDims`
 * elements that begins at `tensorData`. The arrays are copied, the data is not.
 * Nothing is judged here: phase 1 of an operator refuses what does not fit.
 * @return null, with a message, for a null array with a count above 0, more than 64 dimensions, or
 *   when memory runs out. */
ACL_FUNC_VISIBILITY aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum,
                                               aclDataType dataType, const int64_t *stride,
                                               int64_t offset, aclFormat format,
                                               const int64_t *storageDims, uint64_t storageDimsNum,
                                               void *tensorData);

/** The memory that the tensor describes is not touched. Executors keep their own copy. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensor(const aclTensor *tensor);

/** Copies the view's extents into a new array, which the caller frees with delete[]. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims,
                                                uint64_t *viewDimsNum);
/** Likewise the storage's extents. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims,
                                                   uint64_t *storageDimsNum);
/** Likewise the strides, in elements. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue,
                                                  uint64_t *stridesNum);
/** In elements. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset);
/** The format that the tensor was created with, whatever number that is. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format);
/** The element type that the tensor was created with, whatever number that is. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType);
/** The data pointer that the tensor was created with or given last. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr);
/** Gives the tensor other data. Executors that exist keep the old address. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr);

/** Copies `size` numbers (0 with a null `value` is fine).
 * @return null, with a message, for a null array with a size above 0 or when memory runs out. */
ACL_FUNC_VISIBILITY aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size);
/** Executors keep their own copy of the numbers. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyIntArray(const aclIntArray *array);
/** How many numbers there are. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size);

/** As for int arrays; gradproof/descriptors.h reads the values. */
ACL_FUNC_VISIBILITY aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size);
/** Ends the array. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyFloatArray(const aclFloatArray *array);
/** How many numbers there are. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size);

/** Likewise; every byte that is not 0 counts as true. */
ACL_FUNC_VISIBILITY aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size);
/** Ends the array. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyBoolArray(const aclBoolArray *array);
/** How many values there are. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size);

/** Copies one number of the given type.
 * @return null, with a message, for a null value or a type without a size in whole bytes. */
ACL_FUNC_VISIBILITY aclScalar *aclCreateScalar(void *value, aclDataType dataType);
/** Ends the scalar. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalar(const aclScalar *scalar);

/** A list of tensors, which from now on belong to it; null elements are kept.
 * @return null, with a message, for a null array with a size above 0, an element that is neither null nor a live
 *   tensor, or when memory runs out. */
ACL_FUNC_VISIBILITY aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size);
/** Ends the list and, as in CANN, its tensors; those that were destroyed before are passed over. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensorList(const aclTensorList *array);
/** How many elements there are, null ones included. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size);

/** The same for scalars. */
ACL_FUNC_VISIBILITY aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size);
/** Ends the list and its scalars. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalarList(const aclScalarList *array);
/** How many elements there are, null ones included. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size);

/** Lets the executor run any number of times, until aclDestroyAclOpExecutor; otherwise the first
 * successful phase 2 consumes it. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor);

/** Ends an executor that was not consumed; ACLNN_ERR_PARAM_INVALID for one that was. Work that it
 * has enqueued goes on. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor);

/** Gives the executor's tensor number `index` another data pointer, and `tensor` too. Tensors count
 * from 0 in the order of phase 1's parameters; `tensor` is the descriptor of the same shape, which
 * must be alive. Work enqueued before keeps the addresses that it was enqueued with.
 * @return ACLNN_ERR_PARAM_INVALID also for an index that the operator has not. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index,
                                                 aclTensor *tensor, void *addr);
/** As aclSetTensorAddr, counting the operator's input tensors alone (`self` is one). */
ACL_FUNC_VISIBILITY aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index,
                                                      aclTensor *tensor, void *addr);
/** As aclSetTensorAddr, counting the operator's output tensors alone (gradInput is 0). */
ACL_FUNC_VISIBILITY aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index,
                                                       aclTensor *tensor, void *addr);

#ifdef __cplusplus
}
#endif

#endif
