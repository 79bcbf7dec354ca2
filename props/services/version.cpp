// The library's version and build; aclnnInit and aclnnFinalize.
#include <string>

#include "aclnn/aclnn_base.h"
#include "gradproof/version.h"
#include "props/services/answers.h"
#include "props/services/services.h"

namespace gradproof::props {

std::string ask_version(const Library& library) {
  GRADPROOF_FIND(version, gradproof_version);
  GRADPROOF_FIND(build, gradproof_build);
  Answers is;
  const char *number = version(), *text = build();
  is.that("gradproof_version has a point",
          number != nullptr && std::string(number).find('.') != std::string::npos);
  is.that("gradproof_build begins with the name and the version",
          number != nullptr && text != nullptr &&
              std::string(text).find("gradproof " + std::string(number)) == 0);
  return is.first();
}

std::string ask_operator_library(const Library& library) {
  GRADPROOF_FIND(init, aclnnInit);
  GRADPROOF_FIND(finalize, aclnnFinalize);
  Answers is;
  is.status("aclnnInit", init(nullptr), ACLNN_SUCCESS);
  is.status("aclnnFinalize", finalize(), ACLNN_SUCCESS);
  return is.first();
}

}  // namespace gradproof::props
