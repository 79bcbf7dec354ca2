// The streams of the device, and the aclrt* functions that concern streams.
#include "opt/runtime/stream_table.h"

#include <atomic>
#include <mutex>

#include "acl/acl_rt.h"
#include "opt/runtime/message.h"
#include "opt/runtime/observe.h"

namespace gradproof {
namespace {

constinit HandleTable<Stream> streams(HandleKind::stream);

// The default stream has a handle that nobody is given, so that it is found like the others.
constinit HandleTable<Stream> default_streams(HandleKind::stream, Listed::no);
constinit std::atomic<void*> default_handle{nullptr};  // null until it is used
std::mutex default_mutex;                              // held by who makes one

Pin<Stream> find_default() noexcept {
  return default_streams.find(default_handle.load(std::memory_order_acquire));
}

std::shared_ptr<Stream> take_default() {
  return default_streams.remove(default_handle.exchange(nullptr));
}

void keep_first(Status& first, Status&& status) {
  if (first.ok()) first = std::move(status);
}

/// Ends the threads when the library is unloaded or the program ends: they run its code. Defined
/// after the tables and therefore destroyed before them.
struct Unloading {
  ~Unloading() {
    if (const std::shared_ptr<Stream> stream = take_default()) (void)stream->close();
    streams.for_each([](const std::shared_ptr<Stream>& stream) { (void)stream->close(); });
    end_observation();
  }
} unloading;

}  // namespace

Pin<Stream> find_stream(aclrtStream handle) {
  if (handle != nullptr) return streams.find(handle);
  for (;;) {
    if (Pin<Stream> found = find_default()) return found;
    const std::lock_guard lock(default_mutex);
    if (default_handle.load(std::memory_order_relaxed) == nullptr) {
      default_handle.store(default_streams.insert(std::make_shared<Stream>()),
                           std::memory_order_release);
    }
  }
}

std::int32_t enqueue_or_refuse(const char* function, aclrtStream handle, Task&& task) {
  const Enqueued result =
      enqueue_on(handle, std::move(task), Urgency::at_once, [] { return true; });
  if (result == Enqueued::yes) return ACL_SUCCESS;
  return refuse(function, "stream", handle, HandleKind::stream, kRuntimeCodes);
}

Status synchronize_device() {
  Status first;
  if (const Pin<Stream> unnamed = find_default()) keep_first(first, unnamed->synchronize());
  streams.for_each(
      [&](const std::shared_ptr<Stream>& stream) { keep_first(first, stream->synchronize()); });
  return first;
}

Status finish_device() {
  Status first = synchronize_device();
  if (const std::shared_ptr<Stream> stream = take_default()) keep_first(first, stream->close());
  return first;
}

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    if (stream == nullptr)
      return fail(ACL_ERROR_INVALID_PARAM, "aclrtCreateStream: stream is null");
    auto created = std::make_shared<Stream>();
    *stream = streams.insert(std::move(created));
    return ACL_SUCCESS;
  });
}

aclError aclrtCreateStream(aclrtStream* stream) {
  return aclrtCreateStreamWithConfig(stream, 0, 0);
}

aclError aclrtDestroyStream(aclrtStream stream) {
  const std::shared_ptr<Stream> removed = streams.remove(stream);
  if (removed == nullptr) {
    return refuse(__func__, "stream", stream, HandleKind::stream, kRuntimeCodes);
  }
  return report(removed->close());
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const Pin<Stream> found = find_stream(stream);
    if (found == nullptr) {
      return refuse("aclrtSynchronizeStream", "stream", stream, HandleKind::stream, kRuntimeCodes);
    }
    return report(found->synchronize());
  });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const char* const function = "aclrtSynchronizeStreamWithTimeout";
    if (timeout < -1) {
      return fail(ACL_ERROR_INVALID_PARAM, "%s: timeout is %d; -1 or more is expected", function,
                  static_cast<int>(timeout));
    }
    const Pin<Stream> found = find_stream(stream);
    if (found == nullptr) {
      return refuse(function, "stream", stream, HandleKind::stream, kRuntimeCodes);
    }
    if (timeout == -1) return report(found->synchronize());
    const std::optional<Status> status = found->synchronize_for(std::chrono::milliseconds(timeout));
    if (!status.has_value()) {
      return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "%s: the work is not done after %d ms",
                  function, static_cast<int>(timeout));
    }
    return report(*status);
  });
}

aclError aclrtSynchronizeDevice() {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC,
                          []() -> aclError { return report(synchronize_device()); });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    if (status == nullptr) {
      return fail(ACL_ERROR_INVALID_PARAM, "aclrtStreamQuery: status is null");
    }
    const Pin<Stream> found = find_stream(stream);
    if (found == nullptr) {
      return refuse("aclrtStreamQuery", "stream", stream, HandleKind::stream, kRuntimeCodes);
    }
    *status = found->idle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return ACL_SUCCESS;
  });
}

}  // extern "C"
