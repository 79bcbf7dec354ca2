// Streams: calls that run at the same time must not meet.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "props/properties/property.h"
#include "props/sequences/stage.h"
#include "props/subject/invoke.h"
#include "props/subject/step.h"

namespace gradproof::props {
namespace {

/// Two copies of everything, and what several runs at once cost, set the limit.
constexpr std::int64_t kMostBytes = std::int64_t{8} << 20;
constexpr int kLanes = 2;
constexpr int kMostRounds = 40;
/// Small calls are repeated until they had a chance to meet, large ones need it less.
constexpr auto kLongEnough = std::chrono::milliseconds(2);

struct CallFailed {
  const char* phase;
  std::int32_t status;
};

/// One of the runs at once: the case's call on inputs, outputs, workspace and stream of its own.
/// The inputs differ, so that what one lane takes from the other shows.
class Lane {
 public:
  Lane(const Case& c, int number, Stage& stage, const Library& library)
      : call_(c.call),
        number_(number),
        stage_(stage),
        api_(library.api()),
        entry_(library.entry(c.call.op)) {
    for (int slot = 0; slot < static_cast<int>(call_.tensors.size()); ++slot)
      data_.push_back(stage.address(0, slot, static_cast<std::uint8_t>(number)));
    require(api_, "aclrtCreateStream", api_.create_stream(&stream_));
  }
  ~Lane() {
    const Within step(Step::finalise);
    if (stream_ != nullptr) api_.destroy_stream(stream_);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Gives the stream something to do first: a library may do a small call inside phase 2
  /// otherwise, where it cannot meet the other lane's. Nothing where there is no aclrtMemsetAsync.
  void occupy() {
    if (api_.memset_async == nullptr) return;
    constexpr std::size_t kBytes = std::size_t{256} << 10;
    require(api_, "aclrtMemsetAsync",
            api_.memset_async(stage_.idle_memory(number_), kBytes, 0, kBytes, stream_));
  }
  void enqueue() {
    descriptors_.emplace(api_, call_, data_);
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    demand("phase 1",
           invoke_phase1(entry_.get_workspace_size, call_, *descriptors_, &size, &executor));
    demand("phase 2",
           invoke_phase2(entry_.run, stage_.workspace(number_, 0, size), size, executor, stream_));
  }
  void synchronise() {
    const std::int32_t status = api_.synchronize_stream(stream_);
    descriptors_.reset();  // not before: executors may point to them
    demand("aclrtSynchronizeStream", status);
  }
  std::vector<ref::Dense> outputs() {
    std::vector<ref::Dense> all;
    for (int slot = 0; slot < static_cast<int>(call_.tensors.size()); ++slot) {
      if (access_of(call_.op, slot) == ref::Access::written)
        all.push_back(stage_.read(0, number_, slot));
    }
    return all;
  }
  /// Runs alone, for the bits that have to come every time.
  void run_alone() {
    enqueue();
    synchronise();
    alone_ = outputs();
  }
  bool as_alone() {
    const std::vector<ref::Dense> now = outputs();
    return std::equal(now.begin(), now.end(), alone_.begin(),
                      [](const ref::Dense& a, const ref::Dense& b) { return a.bytes == b.bytes; });
  }

 private:
  /// The first run of a call that fails alone, too, says nothing about streams.
  void demand(const char* phase, std::int32_t status) {
    if (status != 0 && alone_.empty()) throw CallFailed{phase, status};
    require(api_, phase, status);
  }

  const ref::Call& call_;
  const int number_;
  Stage& stage_;
  const Api& api_;
  const EntryPoints entry_;
  std::vector<void*> data_;
  aclrtStream stream_ = nullptr;
  std::optional<Descriptors> descriptors_;
  std::vector<ref::Dense> alone_;
};

Verdict other_bits(const char* from) {
  return Verdict::violated(
      "bits",
      std::string("a call gives different bits if it runs while the same call runs on another "
                  "stream, from ") +
          from);
}

Verdict from_one_thread(Lane& first, Lane& second) {
  const auto end = std::chrono::steady_clock::now() + kLongEnough;
  for (int round = 0; round < kMostRounds && std::chrono::steady_clock::now() < end; ++round) {
    first.occupy();
    second.occupy();
    first.enqueue();
    second.enqueue();
    first.synchronise();
    second.synchronise();
    if (!first.as_alone() || !second.as_alone()) return other_bits("one host thread");
  }
  return {};
}

Verdict from_two_threads(Lane& first, Lane& second) {
  const auto end = std::chrono::steady_clock::now() + kLongEnough;
  std::atomic<int> ready{0};
  std::atomic<bool> differs{false};
  std::string failures[kLanes];
  const auto rounds = [&](Lane& lane, std::string& failure) {
    try {
      for (++ready; ready < kLanes;) std::this_thread::yield();
      for (int round = 0; round < kMostRounds && !differs; ++round) {
        lane.enqueue();
        lane.synchronise();
        if (!lane.as_alone()) differs = true;
        if (std::chrono::steady_clock::now() > end) break;
      }
    } catch (const SubjectFailure& e) {
      failure = e.what();
    }
  };
  std::thread other([&] { rounds(second, failures[1]); });
  rounds(first, failures[0]);
  other.join();
  for (const std::string& failure : failures) {
    if (!failure.empty()) return Verdict::violated("runtime", failure);
  }
  return differs ? other_bits("two host threads") : Verdict{};
}

}  // namespace

bool streams_apply(const Case& c) {
  const auto shares = [](const ref::Tensor& t) { return t.shares >= 0; };
  return has_result(c) && runnable(c, kMostBytes) &&
         std::none_of(c.call.tensors.begin(), c.call.tensors.end(), shares);
}

Verdict check_streams(const Case& c, Bench& bench) {
  const profiles::Terms terms = bench.terms(c.call);
  if (const profiles::Entry* const entry = terms.lets_depend(profiles::Dependence::runs))
    throw profiles::NotJudged{"results may differ from run to run: " +
                              profiles::named(*entry, bench.use->profile())};
  const Library& library = bench.session.library();
  const World world(c, {}, 0);
  try {
    Stage stage(world, library.api(), bench.use);
    Lane first(c, 0, stage, library), second(c, 1, stage, library);
    first.run_alone();
    second.run_alone();
    if (Verdict verdict = from_one_thread(first, second); !verdict.held) return verdict;
    if (Verdict verdict = from_two_threads(first, second); !verdict.held) return verdict;
    return stage.check_surroundings();
  } catch (const CallFailed& failed) {
    if (failed.status == ACL_ERROR_FEATURE_UNSUPPORTED)
      return Verdict::not_checked("the library does not support the call");
    return Verdict::not_checked("a valid call failed: " + std::string(failed.phase) + " returned " +
                                std::to_string(failed.status));
  } catch (const SubjectFailure& failure) {
    return Verdict::violated("runtime", failure.what());
  }
}

}  // namespace gradproof::props
