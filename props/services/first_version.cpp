// The first version of the upsampling's gradient, in which scales have no effect.
#include <string>

#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "props/services/answers.h"
#include "props/services/made_call.h"
#include "props/services/services.h"

namespace gradproof::props {

std::string ask_first_version(const Library& library, const Case& c) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
  GRADPROOF_FIND(plan, aclnnUpsampleBilinear2dBackwardGetWorkspaceSize);
  GRADPROOF_FIND(run, aclnnUpsampleBilinear2dBackward);
  if (c.call.op != ref::Operator::upsample_bilinear2d_backward ||
      !MadeCall::possible(c, kMostBytes))
    return "";
  Case unscaled = c;
  for (double& scale : unscaled.call.reals) scale = 0;
  Answers is;
  MadeCall second(unscaled, library), first(c, library);
  first.enter({reinterpret_cast<void*>(plan), reinterpret_cast<void*>(run)});
  is.status("aclnnUpsampleBilinear2dBackwardV2 without scales", second.complete(nullptr), 0);
  is.status("aclnnUpsampleBilinear2dBackward", first.complete(nullptr), 0);
  is.that("aclnnUpsampleBilinear2dBackward gives what its second version gives without scales",
          first.result().bytes == second.result().bytes);
  return is.first();
}

}  // namespace gradproof::props
