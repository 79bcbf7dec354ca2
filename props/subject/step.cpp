// The current step of the library under test.
#include "props/subject/step.h"

#include <algorithm>

namespace gradproof::props {
namespace {

std::atomic<Step> own_place{Step::between_calls};
std::atomic<Step>* place = &own_place;
std::atomic<std::uint32_t> own_count{0};
std::atomic<std::uint32_t>* count = &own_count;
char* call_place = nullptr;

}  // namespace

std::string_view where(Step step) {
  switch (step) {
    case Step::between_calls: break;
    case Step::load: return "while it is loaded";
    case Step::initialise: return "in aclInit, aclrtSetDevice or aclrtCreateStream";
    case Step::finalise: return "in aclrtDestroyStream, aclrtResetDevice or aclFinalize";
    case Step::memory: return "in aclrtMalloc, aclrtFree or aclrtMemcpy";
    case Step::descriptors: return "while descriptors are created or destroyed";
    case Step::phase1: return "in phase 1";
    case Step::phase2: return "in phase 2";
    case Step::fenced_phase2:
      return "in phase 2, with inaccessible pages directly beside the tensors and the workspace";
    case Step::synchronise: return "in aclrtSynchronizeStream";
    case Step::fenced_synchronise:
      return "in aclrtSynchronizeStream, with inaccessible pages directly beside the tensors and "
             "the workspace";
  }
  return "between calls";
}

void keep_step_in(std::atomic<Step>& new_place, std::atomic<std::uint32_t>& new_count) {
  place = &new_place;
  count = &new_count;
}

void keep_call_in(char* new_place) { call_place = new_place; }

void note_call(std::string_view call) {
  if (call_place == nullptr) return;
  const std::size_t length = std::min(call.size(), kCallRoom - 1);
  call_place[call.copy(call_place, length)] = '\0';
}

void note_progress() { count->fetch_add(1, std::memory_order_relaxed); }

Step current_step() { return place->load(std::memory_order_relaxed); }

Within::Within(Step step) : before_(place->exchange(step, std::memory_order_relaxed)) {
  note_progress();
}
Within::~Within() {
  place->store(before_, std::memory_order_relaxed);
  note_progress();
}

}  // namespace gradproof::props
