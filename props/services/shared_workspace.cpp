// Two calls on two streams with the same workspace: the second is refused unless it waits for the
// first. Meanwhile a third stream is at work in the workspace before it.
#include <string>

#include "props/services/answers.h"
#include "props/services/busy_stream.h"
#include "props/services/device_bytes.h"
#include "props/services/made_call.h"
#include "props/services/services.h"

namespace gradproof::props {

namespace {

constexpr std::size_t kLine = 64;  // bytes of a cache line: workspaces are aligned to them

class OtherStream {
 public:
  explicit OtherStream(const Library& of) : library(of) {
    if (create_(&stream) != ACL_SUCCESS) throw SubjectFailure("aclrtCreateStream fails");
  }
  ~OtherStream() { (void)destroy_(stream); }
  OtherStream(const OtherStream&) = delete;
  OtherStream& operator=(const OtherStream&) = delete;

  aclrtStream stream = nullptr;

 private:
  const Library& library;
  GRADPROOF_FIND_MEMBER(create_, aclrtCreateStream);
  GRADPROOF_FIND_MEMBER(destroy_, aclrtDestroyStream);
};

/// Whether the stream that uses the workspace was at work at the last question.
bool ask_with(int fills, Answers& is, const Library& library, const Case& c) {
  GRADPROOF_FIND(destroy_executor, aclDestroyAclOpExecutor);
  GRADPROOF_FIND(wait, aclrtStreamWaitEvent);
  GRADPROOF_FIND(record, aclrtRecordEvent);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  MadeCall call(c, library), apart(c, library);
  is.status("phase 1", call.plan(), ACLNN_SUCCESS);
  aclOpExecutor* const first = call.executor();
  if (call.workspace_size() == 0) {  // nothing is shared
    (void)destroy_executor(first);
    return true;
  }
  is.status("phase 1", call.plan(), ACLNN_SUCCESS);
  aclOpExecutor* const second = call.executor();
  const std::size_t size = (call.workspace_size() + kLine - 1) / kLine * kLine;
  const DeviceBytes memory(library.api(), size + size + kLine);
  unsigned char* const before = memory.data();
  unsigned char* const shared = before + size;
  const OtherStream other(library);
  BusyStream busy(is, library), apart_busy(is, library);
  // A wait that is over is no reason to accept what follows.
  is.status("aclrtRecordEvent", record(busy.event, busy.stream), ACL_SUCCESS);
  is.status("aclrtStreamWaitEvent", wait(other.stream, busy.event), ACL_SUCCESS);
  is.status("aclrtSynchronizeStream", synchronize(other.stream), ACL_SUCCESS);
  apart_busy.begin(fills);
  is.status("phase 1", apart.plan(), ACLNN_SUCCESS);
  is.status("phase 2", apart.run(apart_busy.stream, before), ACLNN_SUCCESS);
  busy.begin(fills);
  call.executor() = first;
  is.status("phase 2", call.run(busy.stream, shared), ACLNN_SUCCESS);
  call.executor() = second;
  if (call.workspace_size() > kLine) {
    const std::int32_t within = call.run(other.stream, shared + kLine);
    if (busy.at_work())
      is.status("phase 2 with a workspace that begins in one that a call on another stream uses",
                within, ACLNN_ERR_PARAM_INVALID);
    if (within == ACLNN_SUCCESS) {
      is.status("phase 1", call.plan(), ACLNN_SUCCESS);  // the executor was consumed
    }
  }
  const std::int32_t status = call.run(other.stream, shared);
  const bool in_time = busy.at_work();
  if (in_time)
    is.status("phase 2 with a workspace that a call on another stream uses", status,
              ACLNN_ERR_PARAM_INVALID);
  if (status != ACLNN_SUCCESS) {
    // An event puts the calls in order.
    is.status("aclrtRecordEvent", record(busy.event, busy.stream), ACL_SUCCESS);
    is.status("aclrtStreamWaitEvent", wait(other.stream, busy.event), ACL_SUCCESS);
    const std::int32_t in_order = call.run(other.stream, shared);
    is.status("phase 2 that waits for the other call with its workspace", in_order, ACLNN_SUCCESS);
    if (in_order != ACLNN_SUCCESS) (void)destroy_executor(call.executor());
  }
  is.status("aclrtSynchronizeStream", synchronize(other.stream), ACL_SUCCESS);
  is.status("aclrtSynchronizeStream", synchronize(busy.stream), ACL_SUCCESS);
  is.status("aclrtSynchronizeStream", synchronize(apart_busy.stream), ACL_SUCCESS);
  return in_time;
}

}  // namespace

std::string ask_shared_workspace(const Library& library, const Case& c) {
  if (!MadeCall::possible(c)) return "";
  Answers is;
  while_at_work([&](int fills) { return ask_with(fills, is, library, c); });
  return is.first();
}

}  // namespace gradproof::props
