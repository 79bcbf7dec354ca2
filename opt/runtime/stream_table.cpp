// The streams of the device, and the aclrt* functions that concern streams.
#include "opt/runtime/stream_table.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "acl/acl_rt.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/message.h"
#include "opt/runtime/plan_cache.h"
#include "opt/runtime/process.h"
#include "opt/runtime/strict.h"

namespace gradproof {
namespace {

constinit HandleTable<Stream> streams(HandleKind::stream);

// Once the default stream is there it stays, so nobody has to pin it: what resets the device ends
// its thread alone, and nobody who looks for it can meet another one while its work is not done. A
// child of fork() makes its own; the table keeps both.
constinit HandleTable<Stream> default_streams(HandleKind::stream, Listed::no);
constinit std::atomic<Stream*> default_stream{nullptr};  // null until it is used
constinit std::mutex default_mutex;                      // held by who makes it

constinit std::mutex past_mutex;  // held while a stream leaves the table
constinit StreamCounts past;      // of streams that are destroyed

void add(StreamCounts& sum, const StreamCounts& one) {
  sum.enqueued += one.enqueued;
  sum.completed += one.completed;
  sum.failed += one.failed;
  sum.full += one.full;
  sum.runs += one.runs;
  sum.run_nanoseconds += one.run_nanoseconds;
  sum.waiting += one.waiting;
  sum.most_waiting = std::max(sum.most_waiting, one.most_waiting);
}

/// Ends the stream's handle; its counts are the past's. Null if another thread did.
std::shared_ptr<Stream> take(const Pin<Stream>& found) {
  const std::lock_guard lock(past_mutex);
  std::shared_ptr<Stream> taken = streams.take(found);
  if (taken != nullptr) add(past, taken->counts());
  return taken;
}

Stream* find_default() noexcept { return default_stream.load(std::memory_order_acquire); }

Stream* make_default() {
  const std::lock_guard lock(default_mutex);
  if (Stream* const found = find_default()) return found;  // perhaps uncovered: race
  auto made = std::make_shared<Stream>();
  Stream* const stream = made.get();
  default_streams.insert(std::move(made));
  default_stream.store(stream, std::memory_order_release);
  return stream;
}

/// Whether a synchronisation finds nothing to do. Of a handle that is not live: false.
bool quiet(aclrtStream handle) {
  Sight sight;
  const Beside<Stream>* const beside = streams.peek(handle, sight);
  return beside != nullptr && beside->quiet && sight.lasts() && !strict::on();
}

void keep_first(Status& first, Status&& status) {
  if (first.ok()) first = std::move(status);
}

}  // namespace

Pin<Stream> find_stream(aclrtStream handle) {
  if (handle != nullptr) return streams.find(handle);
  Stream* const found = find_default();
  return Pin<Stream>(found != nullptr ? found : make_default());
}

std::int32_t enqueue_or_refuse(const char* function, aclrtStream handle, Task&& task) {
  const Enqueued result = enqueue_on(handle, std::move(task), [](const Stream&) { return true; });
  if (result == Enqueued::yes) return ACL_SUCCESS;
  if (result == Enqueued::full) return refuse_full(function, ACL_ERROR_RT_QUEUE_FULL);
  return refuse(function, "stream", handle, HandleKind::stream, kRuntimeCodes);
}

Status synchronize_device() {
  Status first;
  if (Stream* const unnamed = find_default()) keep_first(first, unnamed->synchronize());
  streams.for_each(
      [&](const std::shared_ptr<Stream>& stream) { keep_first(first, stream->synchronize()); });
  if (strict::on() && first.ok()) first = check_red_zones();  // there may be no stream
  return first;
}

DeviceCounts stream_counts() {
  const std::lock_guard lock(past_mutex);
  DeviceCounts all{past};
  const auto count = [&](const StreamCounts& one) {
    add(all.tasks, one);
    ++all.streams;
    all.longest_queue = std::max(all.longest_queue, one.waiting);
  };
  if (Stream* const unnamed = find_default()) count(unnamed->counts());
  streams.for_each([&](const std::shared_ptr<Stream>& stream) { count(stream->counts()); });
  return all;
}

Status finish_device() {
  Status first = synchronize_device();
  if (Stream* const unnamed = find_default()) unnamed->rest();
  trim_memory();
  forget_plans();
  return first;
}

std::int32_t refuse_full(const char* function, std::int32_t code) noexcept {
  const auto limit = static_cast<unsigned>(queue_limit.load());
  return fail(code, "%s: the stream's queue is full (%u %s); synchronise, or raise queue_limit",
              function, limit, limit == 1 ? "task waits" : "tasks wait");
}

void streams_at_fork(Fork phase) noexcept {
  streams.at_fork(phase, Inherited::abandoned);
  default_streams.at_fork(phase, Inherited::abandoned);
  if (phase != Fork::in_child) return;  // perhaps uncovered: forked child
  default_stream.store(nullptr);
  new (&default_mutex) std::mutex;
  new (&past_mutex) std::mutex;
  past = {};
}

void drain_at_exit() noexcept {
  // An exit() inside a task (from a log callback, say) cannot wait for the task.
  if (Stream::performing()) return;
  if (Stream* const unnamed = find_default()) unnamed->finish();
  streams.for_each([](const std::shared_ptr<Stream>& stream) { stream->finish(); });
}

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    if (stream == nullptr)
      return fail(ACL_ERROR_INVALID_PARAM, "aclrtCreateStream: stream is null");
    auto created = std::make_shared<Stream>();
    Stream& it = *created;
    *stream =
        streams.insert(std::move(created), [&](Beside<Stream>& beside) { it.publish(beside); });
    return ACL_SUCCESS;
  });
}

aclError aclrtCreateStream(aclrtStream* stream) {
  return aclrtCreateStreamWithConfig(stream, 0, 0);
}

aclError aclrtDestroyStream(aclrtStream stream) {
  // Its work is done before its handle ends: who synchronises with the device meanwhile waits for
  // it.
  const Pin<Stream> found = streams.find(stream);
  if (found != nullptr) found->end();
  const std::shared_ptr<Stream> removed = found != nullptr ? take(found) : nullptr;
  if (removed == nullptr) {
    return refuse(__func__, "stream", stream, HandleKind::stream, kRuntimeCodes);
  }
  return report(removed->close());
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  // Mostly there is nothing to do, and pinning the stream would take as long as all the rest.
  if (quiet(stream)) return ACL_SUCCESS;
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
      return fail(ACL_ERROR_INVALID_PARAM, "%s: timeout is %d, must be at least -1", function,
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
