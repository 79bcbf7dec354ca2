// One workspace for calls on two streams: the second one must come after the first.
#include <string>

#include "props/services/answers.h"
#include "props/services/busy_stream.h"
#include "props/services/made_call.h"
#include "props/services/services.h"

namespace gradproof::props {

std::string ask_shared_workspace(const Library& library, const Case& c) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
  if (!MadeCall::possible(c, kMostBytes)) return "";
  GRADPROOF_FIND(create_stream, aclrtCreateStream);
  GRADPROOF_FIND(destroy_stream, aclrtDestroyStream);
  GRADPROOF_FIND(wait, aclrtStreamWaitEvent);
  GRADPROOF_FIND(record, aclrtRecordEvent);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  Answers is;
  aclrtStream other = nullptr;
  is.status("aclrtCreateStream", create_stream(&other), ACL_SUCCESS);
  {
    BusyStream busy(is, library);
    MadeCall call(c, library);
    is.status("phase 1", call.plan(), ACLNN_SUCCESS);
    aclOpExecutor* const first = call.executor();
    is.status("phase 1", call.plan(), ACLNN_SUCCESS);
    aclOpExecutor* const second = call.executor();
    busy.begin();
    call.executor() = first;
    is.status("phase 2", call.run(busy.stream), ACLNN_SUCCESS);
    call.executor() = second;
    const std::int32_t status = call.run(other);
    const bool in_use = call.workspace_size() > 0 && busy.at_work();
    if (call.workspace_size() == 0)
      is.status("phase 2 without a workspace, beside another call", status, ACLNN_SUCCESS);
    if (in_use)
      is.status("phase 2 with a workspace that a call on another stream uses", status,
                ACLNN_ERR_PARAM_INVALID);
    if (status != ACLNN_SUCCESS) {
      // An event puts the calls in order.
      is.status("aclrtRecordEvent", record(busy.event, busy.stream), ACL_SUCCESS);
      is.status("aclrtStreamWaitEvent", wait(other, busy.event), ACL_SUCCESS);
      is.status("phase 2 that waits for the other call with its workspace", call.run(other),
                ACLNN_SUCCESS);
    }
    is.status("aclrtSynchronizeStream", synchronize(other), ACL_SUCCESS);
    is.status("aclrtSynchronizeStream", synchronize(busy.stream), ACL_SUCCESS);
  }
  is.status("aclrtDestroyStream", destroy_stream(other), ACL_SUCCESS);
  return is.first();
}

}  // namespace gradproof::props
