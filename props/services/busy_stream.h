// A stream with much to do, for questions about what happens meanwhile.
#pragma once

#include <array>
#include <cstddef>

#include "props/services/answers.h"
#include "props/services/device_bytes.h"

namespace gradproof::props {

/// A stream with much to do, and an event behind it.
class BusyStream {
 public:
  /// Throws SubjectFailure if the library's memory functions fail.
  BusyStream(Answers& is, const Library& of) : is_(is), library(of), memory_(of.api(), kBytes) {
    is_.status("aclrtCreateStream", create_stream_(&stream), ACL_SUCCESS);
    is_.status("aclrtCreateEvent", create_event_(&event), ACL_SUCCESS);
  }
  ~BusyStream() {
    is_.status("aclrtDestroyEvent", destroy_event_(event), ACL_SUCCESS);
    is_.status("aclrtDestroyStream", destroy_stream_(stream), ACL_SUCCESS);
  }
  BusyStream(const BusyStream&) = delete;
  BusyStream& operator=(const BusyStream&) = delete;

  void begin(int fills = kFills.front()) {
    for (int i = 0; i < fills; ++i)
      is_.status("aclrtMemsetAsync", fill_(memory_.data(), kBytes, i, kBytes, stream), ACL_SUCCESS);
    is_.status("aclrtRecordEvent", record_(event, stream), ACL_SUCCESS);
  }

  /// Whether the work is known not to be done yet.
  bool at_work() const {
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    return query_(event, &status) == ACL_SUCCESS && status == ACL_EVENT_RECORDED_STATUS_NOT_READY;
  }

  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;

  /// So many fills are begun, in the second and third try of `while_at_work` more.
  static constexpr std::array kFills = {40, 160, 640};

 private:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  Answers& is_;
  const Library& library;
  const DeviceBytes memory_;
  GRADPROOF_FIND_MEMBER(create_stream_, aclrtCreateStream);
  GRADPROOF_FIND_MEMBER(destroy_stream_, aclrtDestroyStream);
  GRADPROOF_FIND_MEMBER(create_event_, aclrtCreateEvent);
  GRADPROOF_FIND_MEMBER(destroy_event_, aclrtDestroyEvent);
  GRADPROOF_FIND_MEMBER(record_, aclrtRecordEvent);
  GRADPROOF_FIND_MEMBER(query_, aclrtQueryEventStatus);
  GRADPROOF_FIND_MEMBER(fill_, aclrtMemsetAsync);
};

/// Calls `ask` with the fills that its streams are to begin with, and again with more unless it
/// answers that they were still at work, as they may not be on a machine with much else to do.
template <class Ask>
void while_at_work(const Ask& ask) {
  for (const int fills : BusyStream::kFills) {
    if (ask(fills)) return;
  }
}

}  // namespace gradproof::props
