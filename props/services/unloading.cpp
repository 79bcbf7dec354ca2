// Programs that load a library, work on it, unload it and go on: threads of the library must not
// find their code gone.
#include <chrono>
#include <optional>
#include <thread>

#include "props/services/made_call.h"
#include "props/services/questions.h"

namespace gradproof::props {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCycles = 5;
constexpr auto kTime = std::chrono::milliseconds(150);  // a busy machine runs fewer, but at least
constexpr int kFewest = 3;
constexpr auto kGoesOn = std::chrono::milliseconds(2);  // with the library unloaded
constexpr auto kGoesOnAtLast = std::chrono::milliseconds(10);

/// Loads, works on the default stream and two more, and unloads. A program that is in a hurry
/// leaves its streams; a tidy one destroys them.
class Cycle {
 public:
  Cycle(Answers& is, const std::vector<std::string>& files, std::optional<ref::Dense>& right)
      : is_(is), library_(files, Stay::with_the_object), right_(right) {}

  void work(bool tidy, bool last) {
    const Api& api = library_.api();
    const std::int32_t status = api.init(nullptr);
    // A library that stays in memory is initialised already.
    if (right_ && status != ACL_ERROR_REPEAT_INITIALIZE)
      is_.status("aclInit of a library that was loaded again", status, ACL_SUCCESS);
    if (!right_ && status != 0) throw NotAsked{"aclInit fails"};
    is_.status("aclrtSetDevice", api.set_device(0), ACL_SUCCESS);
    aclrtStream streams[3] = {};  // the first one is the default stream
    is_.status("aclrtCreateStream", api.create_stream(&streams[1]), ACL_SUCCESS);
    is_.status("aclrtCreateStream", api.create_stream(&streams[2]), ACL_SUCCESS);
    call_on(streams);
    if (tidy || last) {
      is_.status("aclrtDestroyStream", api.destroy_stream(streams[1]), ACL_SUCCESS);
      is_.status("aclrtDestroyStream", api.destroy_stream(streams[2]), ACL_SUCCESS);
    }
    if (last) is_.status("aclFinalize", api.finalize(), ACL_SUCCESS);
  }

 private:
  void call_on(std::span<const aclrtStream> streams) {
    MadeCall call(large_case(library_), library_);
    for (const aclrtStream stream : streams) {
      call.clear_result();
      const std::int32_t status = call.complete(stream);
      if (status != 0 && !right_) throw NotAsked{"a valid call failed"};
      is_.status("a call after the library was loaded again", status, 0);
      const ref::Dense result = call.result();
      if (!right_) right_ = result;
      is_.that("a call after the library was loaded again has the same result",
               result.bytes == right_->bytes);
    }
  }

  Answers& is_;
  const Library library_;
  std::optional<ref::Dense>& right_;  ///< of the first call; none yet: this is the first cycle
};

}  // namespace

void probe_unloading(Answers& is, const std::vector<std::string>& files) {
  std::optional<ref::Dense> right;
  const auto until = Clock::now() + kTime;
  int cycle = 0;
  for (bool last = false; !last && is.first().empty();) {
    last = ++cycle == kCycles || (cycle >= kFewest && Clock::now() > until);
    Cycle(is, files, right).work(cycle % 2 == 0, last);
    std::this_thread::sleep_for(last ? kGoesOnAtLast : kGoesOn);
  }
}

}  // namespace gradproof::props
