// Resets of the device and ends of streams while other threads wait for work.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/process/scenario.h"
#include "tests/process/scenarios.h"

namespace gradproof::test {

/// Each thread enqueues on the default stream, synchronises, and demands that its work is done,
/// while all of them set and reset the device, and another one initialises and finalises.
void default_stream_outlives_resets() {
  constexpr int kThreads = 4, kRounds = 20000;
  const auto work = [](int t) {
    std::vector<unsigned char> memory(t % 2 == 0 ? kSlowBytes : 4096);
    for (int i = 1; i <= kRounds; ++i) {
      const auto value = static_cast<unsigned char>(1 + (i + t) % 200);
      REQUIRE(aclrtSetDevice(0) == 0);
      REQUIRE(aclrtMemsetAsync(memory.data(), memory.size(), value, memory.size(), nullptr) == 0);
      REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
      REQUIRE(memory.front() == value && memory.back() == value);
      REQUIRE(aclrtResetDevice(0) == 0);
    }
  };
  std::atomic<bool> over{false};
  std::thread lives([&] {
    while (!over) {
      REQUIRE(aclInit(nullptr) == 0);
      REQUIRE(aclFinalize() == 0);
    }
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
  over = true;
  lives.join();
}

/// Of two that set the device, the first to reset it does not wait for the other's work.
void device_references_are_counted() {
  REQUIRE(aclrtSetDevice(0) == 0);
  REQUIRE(aclrtSetDevice(0) == 0);
  PadCall call(256);
  for (int i = 0; i < 20; ++i) REQUIRE(call.launch(nullptr) == 0);
  REQUIRE(aclrtResetDevice(0) == 0);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  REQUIRE(aclrtStreamQuery(nullptr, &status) == 0);
  REQUIRE(status == ACL_STREAM_STATUS_NOT_READY);
  REQUIRE(aclrtResetDevice(0) == 0);
  REQUIRE(call.done());
}

/// Who synchronises with the device while another thread destroys a stream waits for its work too.
void destroyed_streams_are_waited_for() {
  for (int round = 0; round < 40; ++round) {
    aclrtStream stream = nullptr;
    REQUIRE(aclrtCreateStream(&stream) == 0);
    PadCall call(64);
    call.clear();
    for (int i = 0; i < 4; ++i) REQUIRE(call.launch(stream) == 0);
    std::atomic<bool> ready{false};
    std::thread destroyer([&] {
      ready = true;
      REQUIRE(aclrtDestroyStream(stream) == 0);
    });
    while (!ready) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(20 * (round % 20)));
    REQUIRE(aclrtSynchronizeDevice() == 0);
    const bool done = call.done();  // before the other thread has answered
    destroyer.join();
    REQUIRE(done);
  }
}

/// A workspace in the data of the call is told, and nothing runs.
void overlapping_workspaces_are_refused() {
  PadCall call;
  call.clear();
  for (float* const bad : {call.gradient(), call.gradient() + 5, call.result() + 100}) {
    REQUIRE(call.launch(nullptr, bad) == ACLNN_ERR_PARAM_INVALID);
    REQUIRE(std::string(aclGetRecentErrMsg()).find("workspace") != std::string::npos);
  }
  REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
  REQUIRE(call.result()[0] == -1.0f);
}

}  // namespace gradproof::test
