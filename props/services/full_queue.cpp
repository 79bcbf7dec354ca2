// Queues that are full: tasks and calls that a stream refuses, and what it took before.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "gradproof/config.h"
#include "props/services/answers.h"
#include "props/services/busy_stream.h"
#include "props/services/device_bytes.h"
#include "props/services/made_call.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

/// More than a queue holds.
constexpr std::size_t kMany = 70000;
constexpr std::size_t kLimit = 16;
/// Larger calls only cost time.
constexpr std::int64_t kMostBytes = std::int64_t{8} << 20;

class FullQueue {
 public:
  FullQueue(Answers& is, const Library& of, const Case& c) : is_(is), library(of) {
    is_.status("aclrtCreateStream", create_(&stream_), ACL_SUCCESS);
    if (!MadeCall::possible(c, kMostBytes)) return;
    call_.emplace(c, library);
    // A call that fails alone says nothing about queues.
    if (call_->complete(stream_) != 0) call_.reset();
  }
  ~FullQueue() { is_.status("aclrtDestroyStream", destroy_(stream_), ACL_SUCCESS); }
  FullQueue(const FullQueue&) = delete;
  FullQueue& operator=(const FullQueue&) = delete;

  /// Many tasks behind an event: the stream takes them, or refuses one because it is full. What it
  /// took is done. Answers whether the event had not come at the last question.
  bool ask(int fills);
  /// The same with a limit that the program chooses, which the stream then keeps to.
  bool ask_limit(int fills);

 private:
  /// Enqueues until the stream refuses; how many it took.
  std::size_t fill(const DeviceBytes& seen);
  void ask_call(const BusyStream& busy);
  void ask_afterwards(const DeviceBytes& seen, std::size_t taken);

  Answers& is_;
  const Library& library;
  aclrtStream stream_ = nullptr;
  std::optional<MadeCall> call_;
  bool refused_ = false;       ///< by the last `fill`
  bool call_refused_ = false;  ///< an executor is left
  GRADPROOF_FIND_MEMBER(create_, aclrtCreateStream);
  GRADPROOF_FIND_MEMBER(destroy_, aclrtDestroyStream);
  GRADPROOF_FIND_MEMBER(wait_, aclrtStreamWaitEvent);
  GRADPROOF_FIND_MEMBER(fill_, aclrtMemsetAsync);
  GRADPROOF_FIND_MEMBER(synchronize_, aclrtSynchronizeStream);
};

std::size_t FullQueue::fill(const DeviceBytes& seen) {
  std::size_t taken = 0;
  aclError answer = ACL_SUCCESS;
  while (taken < seen.size() &&
         (answer = fill_(seen.data() + taken, 1, 1, 1, stream_)) == ACL_SUCCESS)
    ++taken;
  refused_ = answer != ACL_SUCCESS;
  if (refused_) is_.status("aclrtMemsetAsync on a full stream", answer, ACL_ERROR_RT_QUEUE_FULL);
  return taken;
}

/// Phase 2 on the full stream. There is room for one more call where the stream had not yet begun
/// to wait for the event, and for any where the event has come.
void FullQueue::ask_call(const BusyStream& busy) {
  call_refused_ = false;
  if (!call_ || !refused_) return;
  std::int32_t status = 0;
  for (int calls = 0; calls < 2 && status == 0; ++calls) {
    is_.status("phase 1 beside a full stream", call_->plan(), 0);
    status = call_->run(stream_);
  }
  call_refused_ = status != 0;
  if (call_refused_ || busy.at_work())
    is_.status("phase 2 on a full stream", status, ACLNN_ERR_RUNTIME_ERROR);
}

void FullQueue::ask_afterwards(const DeviceBytes& seen, std::size_t taken) {
  is_.status("aclrtSynchronizeStream of a long queue", synchronize_(stream_), ACL_SUCCESS);
  const std::vector<unsigned char> done = seen.read();
  is_.that("each task of " + std::to_string(taken) + " that a stream took is done, and no other",
           static_cast<std::size_t>(std::count(done.begin(), done.end(), 1)) == taken);
  is_.status("aclrtMemsetAsync on a stream that was full", fill_(seen.data(), 1, 2, 1, stream_),
             ACL_SUCCESS);
  if (call_refused_)
    is_.status("phase 2 with an executor that a full stream refused", call_->run(stream_), 0);
  is_.status("aclrtSynchronizeStream of a stream that was full", synchronize_(stream_),
             ACL_SUCCESS);
  is_.that("a stream that was full works on", seen.read().front() == 2);
}

bool FullQueue::ask(int fills) {
  BusyStream busy(is_, library);
  if (!is_.first().empty()) return true;
  const DeviceBytes seen(library.api(), kMany);
  busy.begin(fills);
  is_.status("aclrtStreamWaitEvent", wait_(stream_, busy.event), ACL_SUCCESS);
  const std::size_t taken = fill(seen);
  ask_call(busy);
  const bool in_time = busy.at_work();
  ask_afterwards(seen, taken);
  return in_time;
}

bool FullQueue::ask_limit(int fills) {
  GRADPROOF_FIND(set_option, gradproof_set_option);
  BusyStream busy(is_, library);
  if (!is_.first().empty()) return true;
  const DeviceBytes seen(library.api(), 2 * kLimit);
  busy.begin(fills);
  is_.status("aclrtStreamWaitEvent", wait_(stream_, busy.event), ACL_SUCCESS);
  const std::string limit = std::to_string(kLimit);
  is_.status("gradproof_set_option of queue_limit", set_option("queue_limit", limit.c_str()),
             ACL_SUCCESS);
  const std::size_t taken = fill(seen);
  if (busy.at_work())
    is_.that("a stream refuses what is beyond a queue_limit of " + limit + ", and took " +
                 std::to_string(taken),
             refused_ && taken <= kLimit);
  ask_call(busy);
  const bool in_time = busy.at_work();
  is_.status("gradproof_set_option of queue_limit", set_option("queue_limit", nullptr),
             ACL_SUCCESS);
  ask_afterwards(seen, taken);
  return in_time;
}

}  // namespace

std::string ask_full_queues(const Library& library, const Case& c) {
  Answers is;
  for (const auto ask : {&FullQueue::ask_limit, &FullQueue::ask}) {
    try {
      while_at_work([&](int fills) {
        FullQueue queue(is, library, c);
        return !is.first().empty() || (queue.*ask)(fills);
      });
    } catch (const Missing&) {  // not asked about that
    } catch (const SubjectFailure& failure) {
      return failure.what();
    }
  }
  return is.first();
}

}  // namespace gradproof::props
