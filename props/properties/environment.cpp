// Messages about a bad environment variable: aclInit's, and phase 1's of a library that was not
// initialised.
#include "props/properties/environment.h"

#include <string>

#include "acl/acl_base.h"
#include "aclnn/aclnn_base.h"
#include "props/judge/words.h"
#include "props/services/answers.h"
#include "props/services/initialise_again.h"
#include "props/services/surroundings.h"

namespace gradproof::props {
namespace {

constexpr const char* kVariable = "GRADPROOF_SOC";
constexpr const char* kValue = "Ascend7";

std::string judged(const std::string& call, const std::string& message) {
  if (says_any(message, {{kVariable, kValue}})) return "";
  return "the message of " + call + " with " + kVariable + "=" + kValue + " names not both: \"" +
         message + "\"";
}

}  // namespace

std::string ask_environment_messages(Session& session, const ref::Call& call) {
  const Library& library = session.library();
  GRADPROOF_FIND(init, aclInit);
  GRADPROOF_FIND(finalize, aclFinalize);
  Variable soc(kVariable);
  Answers is;
  std::string finding;
  // A call that the profile excludes ends the check here, before the library is finalised.
  (void)session.get_workspace_size(call);
  is.status("aclFinalize", finalize(), ACL_SUCCESS);
  soc.set(kValue);
  is.status("aclInit with a bad variable", init(nullptr), ACL_ERROR_INVALID_PARAM);
  const char* const message = library.api().recent_error();
  finding = judged("aclInit", message != nullptr ? message : "");
  const Phase1 phase1 = session.get_workspace_size(call);
  is.status("phase 1 with a bad variable and no aclInit", phase1.status, ACLNN_ERR_RUNTIME_ERROR);
  if (finding.empty()) finding = judged("phase 1", phase1.message);
  soc.unset();
  initialise_again(is, session);
  return is.first().empty() ? finding : is.first();
}

}  // namespace gradproof::props
