/* Whose answers libgradproof gives: those of the operators' documents, or CANN's where it differs from them
   (docs/conformance.md). */
#ifndef GRADPROOF_CONFIG_H
#define GRADPROOF_CONFIG_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The conformance in force: "documented" or "cann". It is chosen by gradproof_set_conformance, else by
 * "conformance" in aclInit's configuration file, else by the environment variable GRADPROOF_CONFORMANCE;
 * the default is "documented".
 *
 * @return a string that stays valid
 */
ACL_FUNC_VISIBILITY const char* gradproof_conformance(void);

/**
 * Chooses the conformance of all calls whose phase 1 comes after this one, on any thread. The next aclInit
 * or aclFinalize ends the choice: it reads environment and file again.
 *
 * @param conformance "documented" or "cann"
 * @return ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for another word or null
 */
ACL_FUNC_VISIBILITY aclError gradproof_set_conformance(const char* conformance);

#ifdef __cplusplus
}
#endif

#endif
