// Streams and events while there is work in hand, and messages.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>

#include "props/services/answers.h"
#include "props/services/device_bytes.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

/// What is told of work that is not done yet. How long it takes is nobody's promise: either answer
/// may be right, but each must be one that there is.
void ask_while_busy(Answers& is, const Library& library) {
  GRADPROOF_FIND(allocate, aclrtMalloc);
  GRADPROOF_FIND(release, aclrtFree);
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  GRADPROOF_FIND(copy, aclrtMemcpy);
  GRADPROOF_FIND(create_stream, aclrtCreateStream);
  GRADPROOF_FIND(destroy_stream, aclrtDestroyStream);
  GRADPROOF_FIND(synchronize_for, aclrtSynchronizeStreamWithTimeout);
  GRADPROOF_FIND(query_stream, aclrtStreamQuery);
  GRADPROOF_FIND(create_event, aclrtCreateEvent);
  GRADPROOF_FIND(destroy_event, aclrtDestroyEvent);
  GRADPROOF_FIND(record, aclrtRecordEvent);
  GRADPROOF_FIND(query_event, aclrtQueryEventStatus);
  GRADPROOF_FIND(elapsed, aclrtEventElapsedTime);
  constexpr std::size_t kLarge = std::size_t{8} << 20;
  constexpr int kMany = 200;
  void* block = nullptr;
  aclrtStream stream = nullptr;
  aclrtEvent first = nullptr, last = nullptr;
  is.status("aclrtMalloc", allocate(&block, kLarge, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  is.status("aclrtCreateStream", create_stream(&stream), ACL_SUCCESS);
  is.status("aclrtCreateEvent", create_event(&first), ACL_SUCCESS);
  is.status("aclrtCreateEvent", create_event(&last), ACL_SUCCESS);
  if (!is.first().empty()) return;

  is.status("aclrtRecordEvent", record(first, stream), ACL_SUCCESS);
  for (int i = 0; i < 8; ++i)
    is.status("aclrtMemsetAsync", fill(block, kLarge, i, kLarge, stream), ACL_SUCCESS);
  is.status("aclrtRecordEvent", record(last, stream), ACL_SUCCESS);
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  float ms = -1;
  is.status("aclrtQueryEventStatus", query_event(last, &recorded), ACL_SUCCESS);
  is.status("aclrtStreamQuery", query_stream(stream, &status), ACL_SUCCESS);
  is.that("aclrtStreamQuery knows complete and not ready",
          status == ACL_STREAM_STATUS_COMPLETE || status == ACL_STREAM_STATUS_NOT_READY);
  const aclError early = elapsed(&ms, first, last);
  is.that("aclrtEventElapsedTime of work in hand waits for nothing",
          early == ACL_ERROR_INVALID_PARAM || early == ACL_SUCCESS);
  const aclError at_once = synchronize_for(stream, 0);
  is.that("aclrtSynchronizeStreamWithTimeout of 0 ms is done or not",
          at_once == ACL_SUCCESS || at_once == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  // More than a stream has room for at first, in order.
  for (int i = 1; i <= kMany; ++i)
    is.status("aclrtMemsetAsync", fill(block, kLarge, i, 1, stream), ACL_SUCCESS);
  is.status("aclrtDestroyStream of a busy stream", destroy_stream(stream), ACL_SUCCESS);
  unsigned char byte = 0;
  is.status("aclrtMemcpy", copy(&byte, 1, block, 1, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  is.that("a stream that is destroyed ends its work, in order", byte == kMany);
  is.status("aclrtEventElapsedTime", elapsed(&ms, first, last), ACL_SUCCESS);
  is.that("time does not run backwards", ms >= 0);
  is.status("aclrtDestroyEvent", destroy_event(first), ACL_SUCCESS);
  is.status("aclrtDestroyEvent", destroy_event(last), ACL_SUCCESS);
  is.status("aclrtFree", release(block), ACL_SUCCESS);
}

/// Work that a stream takes while another thread synchronises with it is done, although nobody
/// waits for it. Several times: whether that thread or the stream's own does the work is chance.
void ask_beside_a_waiter(Answers& is, const Library& library) {
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  GRADPROOF_FIND(create_stream, aclrtCreateStream);
  GRADPROOF_FIND(destroy_stream, aclrtDestroyStream);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  GRADPROOF_FIND(create_event, aclrtCreateEvent);
  GRADPROOF_FIND(destroy_event, aclrtDestroyEvent);
  GRADPROOF_FIND(record, aclrtRecordEvent);
  GRADPROOF_FIND(query, aclrtQueryEventStatus);
  constexpr std::size_t kLong = std::size_t{16} << 20;  // bytes that take some milliseconds
  constexpr int kTimes = 12;
  constexpr std::chrono::microseconds kInTheMiddle{300};
  constexpr std::chrono::seconds kLongest{10};
  const DeviceBytes block(library.api(), kLong);
  aclrtStream stream = nullptr;
  aclrtEvent last = nullptr;
  is.status("aclrtCreateStream", create_stream(&stream), ACL_SUCCESS);
  is.status("aclrtCreateEvent", create_event(&last), ACL_SUCCESS);
  for (int i = 0; i < kTimes && is.first().empty(); ++i) {
    aclError begun = ACL_SUCCESS, ended = ACL_SUCCESS;
    std::atomic<bool> enqueued{false};
    std::thread waiter([&] {
      begun = library.api().set_device(0);
      if (begun == ACL_SUCCESS) begun = fill(block.data(), kLong, 1, kLong, stream);
      enqueued = true;
      ended = synchronize(stream);
    });
    while (!enqueued) std::this_thread::yield();
    std::this_thread::sleep_for(kInTheMiddle);
    is.status("aclrtMemsetAsync beside a synchronisation", fill(block.data(), kLong, 2, 1, stream),
              ACL_SUCCESS);
    is.status("aclrtRecordEvent", record(last, stream), ACL_SUCCESS);
    waiter.join();
    is.status("aclrtMemsetAsync on another thread", begun, ACL_SUCCESS);
    is.status("aclrtSynchronizeStream on another thread", ended, ACL_SUCCESS);
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    const auto until = std::chrono::steady_clock::now() + kLongest;
    while (query(last, &status) == ACL_SUCCESS && status == ACL_EVENT_RECORDED_STATUS_NOT_READY &&
           std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(kInTheMiddle);
    }
    is.that("work that a stream takes while another thread synchronises with it is done",
            status == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
  is.status("aclrtDestroyEvent", destroy_event(last), ACL_SUCCESS);
  is.status("aclrtDestroyStream", destroy_stream(stream), ACL_SUCCESS);
}

void ask_messages(Answers& is, const Library& library) {
  GRADPROOF_FIND(message, aclGetRecentErrMsg);
  GRADPROOF_FIND(release, aclrtFree);
  is.status("aclrtFree of null", release(nullptr), ACL_ERROR_INVALID_PARAM);
  const char* text = message();
  is.that("a message names the function and the argument",
          text != nullptr && std::string(text).find("aclrtFree") != std::string::npos &&
              std::string(text).find("devPtr") != std::string::npos);
  is.that("a message is handed out once", message() == nullptr);
}

}  // namespace

std::string ask_busy(const Library& library) {
  Answers is;
  ask_while_busy(is, library);
  ask_beside_a_waiter(is, library);
  ask_messages(is, library);
  return is.first();
}

}  // namespace gradproof::props
