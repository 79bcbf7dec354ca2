// Indices or masks that change while a gradient runs, to values that lead anywhere: what comes out
// is unspecified, but nothing outside gradInput and the workspace is written.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <thread>

#include "props/cases/hash.h"
#include "props/cases/shapes.h"
#include "props/services/made_call.h"
#include "props/services/questions.h"
#include "props/services/thread_status.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRound = std::chrono::milliseconds(10);  // one element, one wild value

/// Bytes of device memory as they are where this process sees them; nothing if it cannot.
std::vector<std::byte> seen_from_here(const void* address, std::size_t size) {
  int ends[2];
  std::vector<std::byte> bytes(size);
  if (pipe(ends) != 0) return {};
  const bool readable = write(ends[1], address, size) == static_cast<ssize_t>(size) &&
                        read(ends[0], bytes.data(), size) == static_cast<ssize_t>(size);
  close(ends[0]);
  close(ends[1]);
  return readable ? bytes : std::vector<std::byte>{};
}

/// One element of the indices: what it was, and something else.
class Element {
 public:
  Element(const Api& api, void* address, std::size_t size) : api_(api), at_(address), size_(size) {
    require(api_, "aclrtMemcpy", api_.memcpy(&was_, size_, at_, size_, ACL_MEMCPY_DEVICE_TO_HOST));
    const std::vector<std::byte> seen = seen_from_here(at_, size_);
    direct_ = !seen.empty() && std::memcmp(seen.data(), &was_, size_) == 0;
  }
  /// Whether a store changes it. Otherwise aclrtMemcpy does.
  bool direct() const { return direct_; }
  void* address() const { return at_; }
  void change(std::int32_t to) const { store(to); }
  void restore() const { store(was_); }

 private:
  void store(std::int32_t value) const {
    if (!direct_)
      (void)api_.memcpy(at_, size_, &value, size_, ACL_MEMCPY_HOST_TO_DEVICE);
    else if (size_ == 4)
      std::atomic_ref(*static_cast<std::int32_t*>(at_)).store(value, std::memory_order_relaxed);
    else
      std::atomic_ref(*static_cast<std::int8_t*>(at_))
          .store(static_cast<std::int8_t>(value), std::memory_order_relaxed);
  }

  const Api& api_;
  void* at_;
  std::size_t size_;
  std::int32_t was_ = 0;
  bool direct_ = false;
};

/// A thread that changes one element, again and again, as long as it lives.
class Changes {
 public:
  Changes(const Element& element, std::int32_t other)
      : element_(element), thread_([this, other] {
          for (unsigned i = 0; !end_; ++i) {
            // Each value lasts about as long as a kernel takes from a check to the use.
            if (i % 64 == 0) element_.change(other);
            if (i % 64 == 32) element_.restore();
          }
        }) {}
  ~Changes() {
    end_ = true;
    thread_.join();
    element_.restore();
  }

 private:
  const Element& element_;
  std::atomic<bool> end_{false};
  std::thread thread_;
};

/// Runs work in which each instruction that reads the element's page finds another value there, by
/// whichever thread: a read of the page faults, which changes the element, and the page is out of
/// reach again one instruction later. A thread beside the kernel seldom makes its change between
/// two reads, least of all on a busy machine.
class Reads {
 public:
#if defined(__x86_64__)
  static constexpr bool kPossible = true;
  Reads(const Element& element, std::int32_t other) {
    element_ = &element;
    other_ = other;
    page_ = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(element.address()) &
                                    ~(OwnPages::kPage - 1));
    until_ = Clock::now() + kRound;
    handle(SIGSEGV, fault, before_fault_);
    handle(SIGTRAP, step, before_step_);
    protect(PROT_NONE);
  }
  ~Reads() {
    protect(PROT_READ | PROT_WRITE);
    sigaction(SIGSEGV, &before_fault_, nullptr);
    sigaction(SIGTRAP, &before_step_, nullptr);
    element_->restore();
  }

 private:
  static constexpr long long kTrapFlag = 0x100;

  static void handle(int signal, void (*handler)(int, siginfo_t*, void*),
                     struct sigaction& before) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(signal, &action, &before);
  }
  static void protect(int protection) { (void)mprotect(page_, OwnPages::kPage, protection); }
  static long long& flags(void* context) {
    return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  }

  static void fault(int signal, siginfo_t* info, void* context) {
    const auto at = static_cast<std::byte*>(info->si_addr);
    const auto page = static_cast<std::byte*>(page_);
    if (at < page || at >= page + OwnPages::kPage) {
      std::signal(signal, SIG_DFL);  // happens again, and ends the process
      return;
    }
    protect(PROT_READ | PROT_WRITE);
    if (Clock::now() > until_) return;
    mix(random_.fetch_add(kStep, std::memory_order_relaxed)) % 2 != 0 ? element_->change(other_)
                                                                      : element_->restore();
    flags(context) |= kTrapFlag;
  }
  static void step(int, siginfo_t*, void* context) {
    flags(context) &= ~kTrapFlag;
    protect(PROT_NONE);
  }

  static inline const Element* element_ = nullptr;
  static inline void* page_ = nullptr;
  static inline std::int32_t other_ = 0;
  static inline std::atomic<std::uint64_t> random_{kStep};
  static inline Clock::time_point until_;
  static inline struct sigaction before_fault_ {};
  static inline struct sigaction before_step_ {};
#else
  static constexpr bool kPossible = false;
  Reads(const Element&, std::int32_t) {}
#endif
};

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
        const Reads reads(element, other);
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
