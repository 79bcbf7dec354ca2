/* Which profile a library is judged by: what it does otherwise than the operators' documents, and what it
   promises beyond them (docs/profiles.md). */
#ifndef GRADPROOF_PROFILE_H
#define GRADPROOF_PROFILE_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The name of a profile that `gradproof` ships, or of a .json file beside the library's. A library under test exports
 * this function to be judged by that profile where --profile is not given; one without it is judged as `documented`.
 *
 * @return a string that stays valid; libgradproof answers "gradproof", in the conformance `cann` "gradproof-cann"
 */
ACL_FUNC_VISIBILITY const char* gradproof_profile(void);

#ifdef __cplusplus
}
#endif

#endif
