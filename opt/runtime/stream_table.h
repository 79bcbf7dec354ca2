// The streams of the device: those with handles and the default stream.
#pragma once

#include <utility>

#include "aclnn/acl_meta.h"
#include "opt/runtime/handle_table.h"
#include "opt/runtime/handles.h"
#include "opt/runtime/stream.h"

namespace gradproof {

/// The stream of a handle, the default stream for null; nothing if the handle is not live. Throws
/// std::bad_alloc or std::system_error if a default stream cannot be had.
Pin<Stream> find_stream(aclrtStream handle);

/// Enqueues on the handle's stream. One that is being destroyed counts as gone. The task is
/// consumed only if the answer is yes.
template <class Agree>
Enqueued enqueue_on(aclrtStream handle, Task&& task, Agree&& agree) {
  const Pin<Stream> stream = find_stream(handle);
  if (stream == nullptr) return Enqueued::closed;
  return stream->enqueue(std::move(task), agree);
}

/// The same for the aclrt* functions: reports in their name what is wrong.
std::int32_t enqueue_or_refuse(const char* function, aclrtStream handle, Task&& task);

/// Reports in the name of `function` that the stream's queue is full.
std::int32_t refuse_full(const char* function, std::int32_t code) noexcept;

/// What streams did: those that are alive, and all that were. What waits is of those that are
/// alive.
struct DeviceCounts {
  StreamCounts tasks;  ///< `waiting` of all streams, `most_waiting` in one stream at any time
  std::uint64_t streams = 0;
  std::uint64_t longest_queue = 0;
};
DeviceCounts stream_counts();

/// Synchronises with all streams. Returns the first error that it meets.
Status synchronize_device();
/// The same, and ends the default stream's thread until it is used again.
Status finish_device();
/// As if every aclrtSetDevice had been undone.
void forget_device_references() noexcept;

}  // namespace gradproof
