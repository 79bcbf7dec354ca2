/* The contents of those descriptors of acl_meta.h that CANN has no function to read from. */
#ifndef GRADPROOF_DESCRIPTORS_H
#define GRADPROOF_DESCRIPTORS_H

#include <stdbool.h>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each answers ACLNN_SUCCESS; ACLNN_ERR_PARAM_NULLPTR for null; ACLNN_ERR_PARAM_INVALID for a descriptor that is not
   alive, for an index that the list does not have, and where there is not enough room. Outputs stay as they were
   then. */

/**
 * Copies an array's values; aclGetIntArraySize says how many there are.
 *
 * @param values room for that many; may be null if there are none
 * @param count  how many there is room for
 */
ACL_FUNC_VISIBILITY aclnnStatus gradproof_int_array_values(const aclIntArray *array, int64_t *values, uint64_t count);
/** Likewise; aclGetFloatArraySize says how many there are. */
ACL_FUNC_VISIBILITY aclnnStatus gradproof_float_array_values(const aclFloatArray *array, float *values, uint64_t count);
/** Likewise; aclGetBoolArraySize says how many there are. */
ACL_FUNC_VISIBILITY aclnnStatus gradproof_bool_array_values(const aclBoolArray *array, bool *values, uint64_t count);

/** Copies a scalar's number, of at most 16 bytes, and says of which type it is. */
ACL_FUNC_VISIBILITY aclnnStatus gradproof_scalar_value(const aclScalar *scalar, aclDataType *dataType, void *value);

/** The list's element number `index`, from 0: a handle that may have been destroyed since, or null. */
ACL_FUNC_VISIBILITY aclnnStatus gradproof_tensor_list_element(const aclTensorList *list, uint64_t index,
                                                              const aclTensor **element);
/** Likewise. */
ACL_FUNC_VISIBILITY aclnnStatus gradproof_scalar_list_element(const aclScalarList *list, uint64_t index,
                                                              const aclScalar **element);

#ifdef __cplusplus
}
#endif

#endif
