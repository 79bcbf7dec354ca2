// The library's version and build, and the API's version.
#include "gradproof/version.h"

#include "acl/acl_rt.h"
#include "opt/runtime/message.h"

using namespace gradproof;

namespace {

/// The acl API's version, as CANN counts it.
constexpr std::int32_t kMajor = 1, kMinor = 0, kPatch = 0;

}  // namespace

extern "C" {

const char* gradproof_version(void) { return GRADPROOF_VERSION; }

const char* gradproof_build(void) { return "gradproof " GRADPROOF_VERSION ", " GRADPROOF_BUILD; }

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  if (majorVersion == nullptr || minorVersion == nullptr || patchVersion == nullptr) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", __func__,
                majorVersion == nullptr   ? "majorVersion"
                : minorVersion == nullptr ? "minorVersion"
                                          : "patchVersion");
  }
  *majorVersion = kMajor;
  *minorVersion = kMinor;
  *patchVersion = kPatch;
  return ACL_SUCCESS;
}

}  // extern "C"
