// Events: the aclrt* functions that record, await and time points in the work of streams.
#include <chrono>
#include <memory>
#include <mutex>

#include "acl/acl_rt.h"
#include "opt/runtime/handles.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/message.h"
#include "opt/runtime/stream_table.h"
#include "opt/runtime/strict.h"

namespace gradproof {
namespace {

// Also 0x4, which has no name in the headers: torch_npu's default is 0xE.
constexpr std::uint32_t kEventFlags = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | 0x4u |
                                      ACL_EVENT_TIME_LINE | ACL_EVENT_DEVICE_USE_ONLY |
                                      ACL_EVENT_EXTERNAL;

/// Stands for its latest record; null before the first.
class Event {
 public:
  std::shared_ptr<Mark> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }
  void set_latest(std::shared_ptr<Mark> mark) {
    const std::lock_guard lock(mutex_);
    latest_.swap(mark);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Mark> latest_;
};

constinit HandleTable<Event> events(HandleKind::event);

aclError refuse_event(const char* function, const char* argument, aclrtEvent event) {
  return refuse(function, argument, event, HandleKind::event, kRuntimeCodes);
}

aclError create(const char* function, aclrtEvent* event) {
  return without_throwing(function, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    if (event == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "%s: event is null", function);
    *event = events.insert(std::make_shared<Event>());
    return ACL_SUCCESS;
  });
}

/// Finds the event's latest record. Reports and returns why there is none.
aclError find_record(const char* function, aclrtEvent handle, std::shared_ptr<Mark>& mark) {
  const Pin<Event> event = events.find(handle);
  if (event == nullptr) return refuse_event(function, "event", handle);
  mark = event->latest();
  if (mark != nullptr) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%s: the event was never recorded", function);
}

/// Whether the event's latest record is reached; not, if there is none.
aclError query(const char* function, aclrtEvent handle, const void* output, bool& reached) {
  const Pin<Event> event = events.find(handle);
  if (event == nullptr) return refuse_event(function, "event", handle);
  if (output == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "%s: status is null", function);
  const std::shared_ptr<Mark> mark = event->latest();
  reached = mark != nullptr && mark->reached();
  return ACL_SUCCESS;
}

}  // namespace

void events_at_fork(Fork phase) noexcept { events.at_fork(phase, Inherited::abandoned); }

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) { return create(__func__, event); }

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  if (flag == ACL_EVENT_IPC) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "%s: flag is ACL_EVENT_IPC; events cannot be shared between processes", __func__);
  }
  if ((flag & ~kEventFlags) != 0) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: flag is 0x%x, which has bits outside 0x%x", __func__,
                static_cast<unsigned>(flag), static_cast<unsigned>(kEventFlags));
  }
  return create(__func__, event);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  if (events.remove(event) != nullptr) return ACL_SUCCESS;
  return refuse_event(__func__, "event", event);
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const Pin<Event> found = events.find(event);
    if (found == nullptr) return refuse_event("aclrtRecordEvent", "event", event);
    auto mark = std::make_shared<Mark>();
    const aclError status = enqueue_or_refuse("aclrtRecordEvent", stream, ReachMark{mark});
    // Only now may others wait for it: a mark that is in no queue is never reached.
    if (status == ACL_SUCCESS) found->set_latest(std::move(mark));
    return status;
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    std::shared_ptr<Mark> mark;
    const aclError status = find_record("aclrtStreamWaitEvent", event, mark);
    if (status != ACL_SUCCESS) return status;
    return enqueue_or_refuse("aclrtStreamWaitEvent", stream, AwaitMark{std::move(mark)});
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  bool reached = false;
  const aclError code = query(__func__, event, status, reached);
  if (code != ACL_SUCCESS) return code;
  *status = reached ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  bool reached = false;
  const aclError code = query(__func__, event, status, reached);
  if (code != ACL_SUCCESS) return code;
  *status = reached ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    std::shared_ptr<Mark> mark;
    const aclError status = find_record("aclrtSynchronizeEvent", event, mark);
    if (status != ACL_SUCCESS) return status;
    mark->wait();
    return strict::on() ? report(check_red_zones()) : ACL_SUCCESS;
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  std::shared_ptr<Mark> start;
  std::shared_ptr<Mark> end;
  aclError status = find_record(__func__, startEvent, start);
  if (status == ACL_SUCCESS) status = find_record(__func__, endEvent, end);
  if (status != ACL_SUCCESS) return status;
  if (ms == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "%s: ms is null", __func__);
  if (!start->reached() || !end->reached()) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is not complete yet", __func__,
                start->reached() ? "endEvent" : "startEvent");
  }
  *ms = std::chrono::duration<float, std::milli>(end->when() - start->when()).count();
  return ACL_SUCCESS;
}

}  // extern "C"
