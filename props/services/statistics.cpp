// The numbers that programs watch: gradproof/statistics.h.
#include "gradproof/statistics.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "gradproof/config.h"
#include "props/cases/data/data.h"
#include "props/services/answers.h"
#include "props/services/busy_stream.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kBytes = 5000;

class Statistics {
 public:
  explicit Statistics(Session& session) : library(session.library()), session_(session) {}
  std::string ask(const Case& c);

 private:
  gradproofStatistics now() {
    gradproofStatistics counts{};
    is_.status("gradproof_get_statistics", get_(&counts, sizeof counts), ACL_SUCCESS);
    return counts;
  }
  void ask_sizes();
  void ask_memory();
  void ask_tasks();
  /// Answers whether the stream that is asked about was at work.
  bool ask_waiting(int fills);
  void ask_runs(const Case& c);
  void ask_declined();

  const Library& library;
  Session& session_;
  Answers is_;
  GRADPROOF_FIND_MEMBER(get_, gradproof_get_statistics);
  GRADPROOF_FIND_MEMBER(set_option_, gradproof_set_option);
  GRADPROOF_FIND_MEMBER(malloc_device_, aclrtMalloc);
  GRADPROOF_FIND_MEMBER(free_device_, aclrtFree);
  GRADPROOF_FIND_MEMBER(malloc_host_, aclrtMallocHost);
  GRADPROOF_FIND_MEMBER(free_host_, aclrtFreeHost);
  GRADPROOF_FIND_MEMBER(fill_, aclrtMemsetAsync);
  GRADPROOF_FIND_MEMBER(create_, aclrtCreateStream);
  GRADPROOF_FIND_MEMBER(destroy_, aclrtDestroyStream);
  GRADPROOF_FIND_MEMBER(synchronize_, aclrtSynchronizeStream);
};

/// An older program's structure is shorter, a newer one's longer.
void Statistics::ask_sizes() {
  is_.status("gradproof_get_statistics of null", get_(nullptr, sizeof(gradproofStatistics)),
             ACL_ERROR_INVALID_PARAM);
  std::vector<unsigned char> room(sizeof(gradproofStatistics) + 16, 0xAB);
  const auto all = [](unsigned char byte, auto first, auto last) {
    return std::all_of(first, last, [&](unsigned char b) { return b == byte; });
  };
  const auto fill = [&](std::size_t bytes) {
    is_.status("gradproof_get_statistics of " + std::to_string(bytes) + " bytes",
               get_(reinterpret_cast<gradproofStatistics*>(room.data()), bytes), ACL_SUCCESS);
  };
  fill(16);
  is_.that("gradproof_get_statistics writes no more bytes than it is told of",
           all(0xAB, room.begin() + 16, room.end()) && !all(0xAB, room.begin(), room.begin() + 16));
  fill(room.size());
  is_.that("members that the library does not know are 0",
           all(0, room.begin() + sizeof(gradproofStatistics), room.end()));
}

void Statistics::ask_memory() {
  void *device = nullptr, *host = nullptr;
  const gradproofStatistics before = now();
  is_.status("aclrtMalloc", malloc_device_(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST),
             ACL_SUCCESS);
  is_.status("aclrtMallocHost", malloc_host_(&host, 2 * kBytes), ACL_SUCCESS);
  const gradproofStatistics held = now();
  if (device != nullptr) is_.status("aclrtFree", free_device_(device), ACL_SUCCESS);
  if (host != nullptr) is_.status("aclrtFreeHost", free_host_(host), ACL_SUCCESS);
  const gradproofStatistics after = now();
  is_.that("device_bytes counts aclrtMalloc's live blocks",
           held.device_bytes == before.device_bytes + kBytes &&
               after.device_bytes == before.device_bytes);
  is_.that(
      "host_bytes counts aclrtMallocHost's live blocks",
      held.host_bytes == before.host_bytes + 2 * kBytes && after.host_bytes == before.host_bytes);
  is_.that("most_bytes is no less than what was held, and never falls",
           held.most_bytes >= held.device_bytes + held.host_bytes &&
               held.most_bytes >= before.most_bytes && after.most_bytes >= held.most_bytes);
}

void Statistics::ask_tasks() {
  constexpr unsigned kTasks = 3;
  void* block = nullptr;
  aclrtStream stream = nullptr;
  is_.status("aclrtMalloc", malloc_device_(&block, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  if (block == nullptr) return;
  // The default stream counts once it was used.
  is_.status("aclrtMemsetAsync on the default stream", fill_(block, kBytes, 1, kBytes, nullptr),
             ACL_SUCCESS);
  is_.status("aclrtSynchronizeStream of the default stream", synchronize_(nullptr), ACL_SUCCESS);
  const gradproofStatistics before = now();
  is_.that("the session's stream and the default stream live, and no others", before.streams == 2);
  is_.status("aclrtCreateStream", create_(&stream), ACL_SUCCESS);
  for (unsigned i = 0; i < kTasks; ++i)
    is_.status("aclrtMemsetAsync", fill_(block, kBytes, 1, kBytes, stream), ACL_SUCCESS);
  is_.status("aclrtSynchronizeStream", synchronize_(stream), ACL_SUCCESS);
  const gradproofStatistics done = now();
  is_.status("aclrtDestroyStream", destroy_(stream), ACL_SUCCESS);
  const gradproofStatistics after = now();
  is_.status("aclrtFree", free_device_(block), ACL_SUCCESS);
  is_.that("streams counts those that live",
           done.streams == before.streams + 1 && after.streams == before.streams);
  is_.that(
      "enqueued and completed count a stream's tasks",
      done.enqueued == before.enqueued + kTasks && done.completed == before.completed + kTasks);
  is_.that("tasks that are done neither fail nor wait, and are no operator's",
           done.failed == before.failed && done.refused == before.refused && done.waiting == 0 &&
               done.longest_queue == 0 && done.runs == before.runs);
  is_.that("a stream that is gone takes no count along",
           after.enqueued == done.enqueued && after.completed == done.completed &&
               after.longest_ever == done.longest_ever);
}

bool Statistics::ask_waiting(int fills) {
  BusyStream busy(is_, library);
  busy.begin(fills);
  const gradproofStatistics meanwhile = now();
  const bool in_time = busy.at_work();
  if (in_time)
    is_.that("waiting and longest_queue count what a busy stream has not begun",
             meanwhile.waiting > 0 && meanwhile.longest_queue > 0);
  is_.status("aclrtSynchronizeStream", synchronize_(busy.stream), ACL_SUCCESS);
  is_.that("longest_ever is no less than what has waited in a queue",
           now().longest_ever >= meanwhile.longest_queue);
  return in_time;
}

/// `c` is run: with the option "statistics" its time counts, too.
void Statistics::ask_runs(const Case& c) {
  const std::vector<ref::Dense> data = make_data(c);
  is_.status("gradproof_set_option of statistics", set_option_("statistics", "1"), ACL_SUCCESS);
  const gradproofStatistics before = now();
  const Outcome outcome = session_.perform(c, data);
  const gradproofStatistics after = now();
  is_.status("gradproof_set_option of statistics", set_option_("statistics", nullptr), ACL_SUCCESS);
  if (!outcome.ran || outcome.phase2 != 0) return;
  const std::uint64_t runs = after.runs - before.runs;
  is_.that("runs counts an operator's run", runs == 1);
  is_.that("run_nanoseconds grows with it", after.run_nanoseconds > before.run_nanoseconds);
  is_.that("failed counts a run that fails",
           after.failed - before.failed == (outcome.sync != 0 ? 1u : 0u));
}

/// Windows side by side whose rows are worth vectors, with indices of any positions: a kernel for
/// indices that are in their windows leaves such a run to another kernel.
void Statistics::ask_declined() {
  const Case c = parse_case(
      "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,2,2,32]:ND self=FLOAT[1,4,4,64]:ND "
      "indices=INT32[1,2,2,32]:ND:fill(in_range) kernelSize=2 stride=2 padding=0 dilation=1 "
      "ceilMode=false gradInput=FLOAT[1,4,4,64]:ND");
  const std::vector<ref::Dense> data = make_data(c);
  const Kernels& kernels = session_.kernels();
  std::uint64_t ran = 0;
  const gradproofStatistics before = now();
  for (const std::string& name : kernels.of(c.call.op)) {
    if (!kernels.use(name)) continue;
    const Outcome outcome = session_.perform(c, data);
    ran += outcome.ran && outcome.phase2 == 0 ? 1 : 0;
  }
  (void)kernels.use("");
  is_.that("declined counts kernels that meet an index outside its window",
           ran == 0 || now().declined > before.declined);
}

std::string Statistics::ask(const Case& c) {
  ask_sizes();
  ask_memory();
  ask_tasks();
  while_at_work([&](int fills) { return ask_waiting(fills); });
  ask_runs(c);
  ask_declined();
  return is_.first();
}

}  // namespace

std::string ask_statistics(Session& session, const Case& c) { return Statistics(session).ask(c); }

}  // namespace gradproof::props
