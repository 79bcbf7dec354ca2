// Streams and events.
#include <cstdint>
#include <string>

#include "props/services/answers.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

constexpr int kInvalid = ACL_ERROR_INVALID_PARAM, kStale = ACL_ERROR_INVALID_RESOURCE_HANDLE;

void ask_idle_streams(Answers& is, const Library& library) {
  GRADPROOF_FIND(create, aclrtCreateStream);
  GRADPROOF_FIND(create_with, aclrtCreateStreamWithConfig);
  GRADPROOF_FIND(destroy, aclrtDestroyStream);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  GRADPROOF_FIND(synchronize_for, aclrtSynchronizeStreamWithTimeout);
  GRADPROOF_FIND(query, aclrtStreamQuery);
  aclrtStream stream = nullptr;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  is.status("aclrtCreateStream without an output", create(nullptr), kInvalid);
  is.status("aclrtCreateStreamWithConfig", create_with(&stream, 3, ACL_STREAM_FAST_SYNC),
            ACL_SUCCESS);
  is.status("aclrtSynchronizeStreamWithTimeout of -2 ms", synchronize_for(stream, -2), kInvalid);
  for (const int timeout : {-1, 0, 1000}) {
    is.status("aclrtSynchronizeStreamWithTimeout of an idle stream",
              synchronize_for(stream, timeout), ACL_SUCCESS);
  }
  is.status("aclrtStreamQuery without an output", query(stream, nullptr), kInvalid);
  is.status("aclrtStreamQuery", query(stream, &status), ACL_SUCCESS);
  is.that("an idle stream is complete", status == ACL_STREAM_STATUS_COMPLETE);
  is.status("aclrtDestroyStream of the default stream", destroy(nullptr), kInvalid);
  is.status("aclrtDestroyStream", destroy(stream), ACL_SUCCESS);
  is.status("aclrtDestroyStream twice", destroy(stream), kStale);
  is.status("aclrtSynchronizeStream of a dead stream", synchronize(stream), kStale);
  is.status("aclrtSynchronizeStreamWithTimeout of a dead stream", synchronize_for(stream, 1),
            kStale);
  is.status("aclrtStreamQuery of a dead stream", query(stream, &status), kStale);
}

void ask_events(Answers& is, const Library& library) {
  GRADPROOF_FIND(create_stream, aclrtCreateStream);
  GRADPROOF_FIND(destroy_stream, aclrtDestroyStream);
  GRADPROOF_FIND(create, aclrtCreateEvent);
  GRADPROOF_FIND(create_with, aclrtCreateEventWithFlag);
  GRADPROOF_FIND(destroy, aclrtDestroyEvent);
  GRADPROOF_FIND(record, aclrtRecordEvent);
  GRADPROOF_FIND(wait, aclrtStreamWaitEvent);
  GRADPROOF_FIND(status_of, aclrtQueryEventStatus);
  GRADPROOF_FIND(query, aclrtQueryEvent);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeEvent);
  GRADPROOF_FIND(elapsed, aclrtEventElapsedTime);
  aclrtEvent first = nullptr, last = nullptr;
  aclrtStream dead = nullptr;
  is.status("aclrtCreateStream", create_stream(&dead), ACL_SUCCESS);
  is.status("aclrtDestroyStream", destroy_stream(dead), ACL_SUCCESS);
  is.status("aclrtCreateEvent without an output", create(nullptr), kInvalid);
  is.status("aclrtCreateEventWithFlag of no flag's bit", create_with(&first, 0x8000u), kInvalid);
  is.status("aclrtCreateEventWithFlag for several processes", create_with(&first, ACL_EVENT_IPC),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  for (const std::uint32_t flags :
       {0x0u, 0x4u, 0xEu, ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE, ACL_EVENT_CAPTURE_STREAM_PROGRESS,
        ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL}) {  // 0xE: what public clients pass
    is.status("aclrtCreateEventWithFlag of " + std::to_string(flags), create_with(&first, flags),
              ACL_SUCCESS);
    is.status("aclrtDestroyEvent", destroy(first), ACL_SUCCESS);
  }
  is.status("aclrtCreateEventWithFlag", create_with(&first, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE),
            ACL_SUCCESS);
  is.status("aclrtCreateEvent", create(&last), ACL_SUCCESS);

  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  aclrtEventStatus older = ACL_EVENT_STATUS_RESERVED;
  float ms = -1;
  is.status("aclrtQueryEventStatus", status_of(first, &recorded), ACL_SUCCESS);
  is.status("aclrtQueryEvent", query(first, &older), ACL_SUCCESS);
  is.that("an event that was not recorded is not ready",
          recorded == ACL_EVENT_RECORDED_STATUS_NOT_READY && older == ACL_EVENT_STATUS_NOT_READY);
  is.status("aclrtQueryEventStatus without an output", status_of(first, nullptr), kInvalid);
  is.status("aclrtQueryEvent without an output", query(first, nullptr), kInvalid);
  is.status("aclrtSynchronizeEvent without a record", synchronize(first), kInvalid);
  is.status("aclrtStreamWaitEvent without a record", wait(nullptr, first), kInvalid);
  is.status("aclrtEventElapsedTime without a record", elapsed(&ms, first, last), kInvalid);
  is.status("aclrtRecordEvent on a dead stream", record(first, dead), kStale);
  is.status("aclrtRecordEvent", record(first, nullptr), ACL_SUCCESS);
  is.status("aclrtEventElapsedTime with one record", elapsed(&ms, first, last), kInvalid);
  is.status("aclrtStreamWaitEvent of a dead stream", wait(dead, first), kStale);
  is.status("aclrtRecordEvent", record(last, nullptr), ACL_SUCCESS);
  is.status("aclrtSynchronizeEvent", synchronize(last), ACL_SUCCESS);
  is.status("aclrtEventElapsedTime without an output", elapsed(nullptr, first, last), kInvalid);
  is.status("aclrtEventElapsedTime", elapsed(&ms, first, last), ACL_SUCCESS);
  is.that("time does not run backwards", ms >= 0);
  is.status("aclrtQueryEventStatus", status_of(last, &recorded), ACL_SUCCESS);
  is.status("aclrtQueryEvent", query(last, &older), ACL_SUCCESS);
  is.that("an event that was reached is complete",
          recorded == ACL_EVENT_RECORDED_STATUS_COMPLETE && older == ACL_EVENT_STATUS_COMPLETE);

  is.status("aclrtDestroyEvent", destroy(first), ACL_SUCCESS);
  is.status("aclrtDestroyEvent", destroy(last), ACL_SUCCESS);
  is.status("aclrtDestroyEvent twice", destroy(last), kStale);
  is.status("aclrtDestroyEvent of null", destroy(nullptr), kInvalid);
  is.status("aclrtDestroyEvent of a stream", destroy(dead), kStale);
  is.status("aclrtRecordEvent of a dead event", record(last, nullptr), kStale);
  is.status("aclrtStreamWaitEvent for a dead event", wait(nullptr, last), kStale);
  is.status("aclrtQueryEventStatus of a dead event", status_of(last, &recorded), kStale);
  is.status("aclrtQueryEvent of a dead event", query(last, &older), kStale);
}

}  // namespace

std::string ask_streams(const Library& library) {
  Answers is;
  ask_idle_streams(is, library);
  ask_events(is, library);
  return is.first();
}

}  // namespace gradproof::props
