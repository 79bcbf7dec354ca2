// Indices or masks that change while a gradient runs, to values that lead anywhere: what comes out
// is unspecified, but nothing outside gradInput and the workspace is written.
#include <chrono>
#include <csignal>
#include <thread>

#include "props/cases/shapes.h"
#include "props/services/changes.h"
#include "props/services/made_call.h"
#include "props/services/questions.h"
#include "props/services/thread_status.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRound = std::chrono::milliseconds(10);  // one element, one wild value

/// Whether signals that an instruction raises reach their handler on each thread.
bool handlers_run() {
  bool all = false;
  // A thread that has just started may not have its own mask yet.
  for (int tries = 0; tries < 50 && !all; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    all = true;
    each_thread([&](const std::filesystem::path&, std::uint64_t mask) {
      all = all && !blocks(mask, SIGSEGV) && !blocks(mask, SIGTRAP);
    });
  }
  return all;
}

class ChangingIndices {
 public:
  ChangingIndices(Answers& is, const Library& library, const Case& c)
      : is_(is),
        api_(library.api()),
        call_(c, library, indices_slot(c.call.op)),
        slot_(indices_slot(c.call.op)) {
    require(api_, "aclrtCreateStream", api_.create_stream(&stream_));
    if (call_.complete(stream_) != 0) throw NotAsked{"a valid call failed"};
    const ref::Tensor& indices = c.call.tensors[slot_];
    size_ = static_cast<std::size_t>(ref::dtype_size(indices.dtype));
    ViewWalk(indices).each(
        [&](std::int64_t, std::int64_t at) { at_.push_back(static_cast<std::size_t>(at)); });
    const std::vector<std::int64_t>& image = c.call.tensors[input_side(c.call.op)[0]].shape;
    for (auto axis = image.end() - spatial_axes(c.call.op); axis != image.end(); ++axis)
      plane_ *= *axis;
  }

  void by_a_thread() {
    each_round([&](const Element& element, std::int32_t other) {
      const Changes changes(element, other);
      const auto until = Clock::now() + kRound;
      do {
        (void)call_.complete(stream_);  // a bad index may be reported or not
      } while (Clock::now() < until);
    });
  }

  void read_by_read() {
    if (!Reads::kPossible || !element(0).direct() || !handlers_run()) return;
    each_round([&](const Element& element, std::int32_t other) {
      const auto until = Clock::now() + kRound;
      do {
        if (call_.plan() != 0) return;
        const Reads reads(element, other, until);
        if (call_.run(stream_) == 0) (void)api_.synchronize_stream(stream_);
      } while (Clock::now() < until);
    });
  }

 private:
  Element element(std::size_t i) {
    return {api_, static_cast<std::byte*>(call_.address(slot_)) + at_[i] * size_, size_};
  }

  /// Ends, then what lies behind the last plane and before the first one, then an element's own
  /// plane. Of a mask these are all bits and none.
  template <class Round>
  void each_round(const Round& round) {
    const std::size_t last = at_.size() - 1;
    const auto behind = static_cast<std::int32_t>(std::min<std::int64_t>(plane_ + 7, INT32_MAX));
    const struct {
      std::size_t element;
      std::int32_t other;
    } rounds[] = {{last, INT32_MAX}, {last, behind}, {0, -1}, {0, INT32_MIN}, {last / 2, 0}};
    for (const auto& [i, other] : rounds) {
      round(element(i), other);
      if (const Verdict verdict = call_.check_memory(); !verdict.held)
        return is_.note("while an index changes: " + verdict.finding);
    }
    is_.status("a call after indices have changed and are as before", call_.complete(stream_), 0);
  }

  Answers& is_;
  const Api& api_;
  MadeCall call_;
  const int slot_;
  aclrtStream stream_ = nullptr;
  std::size_t size_ = 0;         ///< of an index, in bytes
  std::vector<std::size_t> at_;  ///< where they are, in elements
  std::int64_t plane_ = 1;       ///< positions of an image
};

/// Nothing of it ends before the process.
ChangingIndices& of(Answers& is, const Library& library, const Case& c) {
  if (library.entry(c.call.op).run == nullptr) throw NotAsked{"the library lacks the operator"};
  return *new ChangingIndices(is, library, c);
}

}  // namespace

void probe_changing_indices(Answers& is, const Library& library, const Case& c) {
  of(is, library, c).by_a_thread();
}

void probe_indices_read_by_read(Answers& is, const Library& library, const Case& c) {
  of(is, library, c).read_by_read();
}

}  // namespace gradproof::props
