/* Which libgradproof a program runs with. */
#ifndef GRADPROOF_VERSION_H
#define GRADPROOF_VERSION_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The library's version, MAJOR.MINOR.PATCH (docs/versions.md).
 *
 * @return a string that stays valid
 */
ACL_FUNC_VISIBILITY const char* gradproof_version(void);

/**
 * How the library was built, for reports: version, compiler, processor family, build type, sanitizers.
 *
 * @return a string of one line that stays valid
 */
ACL_FUNC_VISIBILITY const char* gradproof_build(void);

#ifdef __cplusplus
}
#endif

#endif
