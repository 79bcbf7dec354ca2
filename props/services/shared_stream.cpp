// One stream, two host threads: its tasks run one after the other, whichever thread launched them.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "props/services/answers.h"
#include "props/services/device_bytes.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

// A library may run so short a task on the thread that launches it.
constexpr std::size_t kBytes = std::size_t{64} << 10;
constexpr int kMostRounds = 400;
constexpr auto kLongEnough = std::chrono::milliseconds(5);

}  // namespace

/// One thread fills a block with one value after another; the other copies it. Each copy must be of
/// one value, as long as tasks do not run at once.
std::string ask_shared_stream(const Library& library) {
  const Api& api = library.api();
  GRADPROOF_FIND(create, aclrtCreateStream);
  GRADPROOF_FIND(destroy, aclrtDestroyStream);
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  GRADPROOF_FIND(copy, aclrtMemcpyAsync);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  Answers is;
  const DeviceBytes filled(api, kBytes), copied(api, kBytes);
  aclrtStream stream = nullptr;
  is.status("aclrtCreateStream", create(&stream), ACL_SUCCESS);
  if (!is.first().empty()) return is.first();

  std::atomic<bool> filling{false};
  std::atomic<std::int32_t> failed{0};
  std::jthread other([&](const std::stop_token& done) {  // ends, too, if a function here fails
    failed = api.set_device(0);
    for (int value = 1; !done.stop_requested() && failed == 0; value = value % 255 + 1) {
      std::int32_t status = fill(filled.data(), kBytes, value, kBytes, stream);
      if (status == 0) status = synchronize(stream);  // a queue has an end
      if (status != 0) failed = status;
      filling = true;
    }
    filling = true;
  });
  while (!filling) std::this_thread::yield();
  const auto end = std::chrono::steady_clock::now() + kLongEnough;
  bool mixed = false;
  for (int round = 0; round < kMostRounds && !mixed; ++round) {
    is.status(
        "aclrtMemcpyAsync",
        copy(copied.data(), kBytes, filled.data(), kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
        ACL_SUCCESS);
    is.status("aclrtSynchronizeStream", synchronize(stream), ACL_SUCCESS);
    const std::vector<unsigned char> bytes = copied.read();
    mixed = std::ranges::count(bytes, bytes.front()) != static_cast<std::ptrdiff_t>(kBytes);
    if (std::chrono::steady_clock::now() > end) break;
  }
  other.request_stop();
  other.join();
  is.status("a launch by another thread on the same stream", failed, ACL_SUCCESS);
  is.that("tasks that two threads launch on one stream run one after the other", !mixed);
  is.status("aclrtDestroyStream", destroy(stream), ACL_SUCCESS);
  return is.first();
}

}  // namespace gradproof::props
