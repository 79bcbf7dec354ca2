// A library with the API as a contestant.
#include <algorithm>
#include <stdexcept>

#include "bench/allocations.h"
#include "bench/contestant.h"
#include "bench/tensors.h"
#include "props/subject/invoke.h"
#include "props/subject/memory.h"

namespace gradproof::bench {
namespace {

class Gradproof final : public Contestant {
 public:
  Gradproof(const props::Session& session, std::shared_ptr<Tensors> tensors)
      : api_(session.library().api()),
        tensors_(std::move(tensors)),
        entry_(session.library().entry(tensors_->problem().call.op)) {
    if (entry_.get_workspace_size == nullptr || entry_.run == nullptr)
      throw std::runtime_error("the library lacks the operator");
    descriptors_.emplace(api_, tensors_->problem().call, tensors_->data());
    props::require(api_, "aclrtCreateStream", api_.create_stream(&stream_));
  }

  ~Gradproof() override { api_.destroy_stream(stream_); }

  void run() override {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = phase1(&bytes);
    phase2(bytes, executor);
  }

  Allocations count() {
    constexpr int kCalls = 100;
    Allocations result;
    for (int i = 0; i < kCalls; ++i) {
      std::uint64_t bytes = 0;
      const std::uint64_t before = allocations();
      aclOpExecutor* executor = phase1(&bytes);
      const std::uint64_t between = allocations();
      phase2(bytes, executor);
      result.phase1 += static_cast<double>(between - before) / kCalls;
      result.phase2 += static_cast<double>(allocations() - between) / kCalls;
    }
    return result;
  }

  std::vector<std::span<std::byte>> memory() const override { return tensors_->memory(); }
  std::optional<ref::Dense> take_result() override { return tensors_->take_result(); }

  /// That phase 1 chooses now.
  std::string kernel(const props::Session& session) const {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = phase1(&bytes);
    std::string chosen = session.kernels().chosen(executor);
    if (api_.destroy_executor != nullptr) api_.destroy_executor(executor);
    return chosen;
  }

 private:
  void phase2(std::uint64_t bytes, aclOpExecutor* executor) {
    props::require(
        api_, "phase 2",
        props::invoke_phase2(entry_.run, tensors_->workspace(bytes), bytes, executor, stream_));
    props::require(api_, "aclrtSynchronizeStream", api_.synchronize_stream(stream_));
  }

  aclOpExecutor* phase1(std::uint64_t* bytes) const {
    aclOpExecutor* executor = nullptr;
    props::require(api_, "phase 1",
                   props::invoke_phase1(entry_.get_workspace_size, tensors_->problem().call,
                                        *descriptors_, bytes, &executor));
    return executor;
  }

  const props::Api& api_;
  std::shared_ptr<Tensors> tensors_;
  props::EntryPoints entry_;
  std::optional<props::Descriptors> descriptors_;
  aclrtStream stream_ = nullptr;
};

}  // namespace

namespace {

/// What the library leaves out, until this is destroyed.
class LeftOut {
 public:
  /// `kernel` is empty: nothing, which takes as long.
  LeftOut(const props::Session& session, const std::string& kernel)
      : leave_out_(reinterpret_cast<decltype(leave_out_)>(
            session.library().symbol("gradproof_leave_out_kernel"))) {
    if (leave_out_ == nullptr || leave_out_(kernel.empty() ? nullptr : kernel.c_str()) != 0)
      throw std::runtime_error("the library leaves no kernel '" + kernel + "' out");
  }
  ~LeftOut() { leave_out_(nullptr); }
  LeftOut(const LeftOut&) = delete;
  LeftOut& operator=(const LeftOut&) = delete;

 private:
  aclError (*leave_out_)(const char* name);
};

class GradproofWithout final : public Contestant {
 public:
  GradproofWithout(const props::Session& session, std::shared_ptr<Tensors> tensors,
                   std::string kernel)
      : session_(session), kernel_(std::move(kernel)), inner_(session, std::move(tensors)) {}
  void run() override {
    const LeftOut out(session_, kernel_);
    inner_.run();
  }
  std::vector<std::span<std::byte>> memory() const override { return inner_.memory(); }
  std::optional<ref::Dense> take_result() override { return inner_.take_result(); }
  std::string kernel() const {
    const LeftOut out(session_, kernel_);
    return inner_.kernel(session_);
  }

 private:
  const props::Session& session_;
  const std::string kernel_;
  Gradproof inner_;
};

}  // namespace

std::unique_ptr<Contestant> make_gradproof_without(const props::Session& session,
                                                   std::shared_ptr<Tensors> tensors,
                                                   const std::string& kernel) {
  return std::make_unique<GradproofWithout>(session, std::move(tensors), kernel);
}

std::string kernel_without(const props::Session& session, std::shared_ptr<Tensors> tensors,
                           const std::string& kernel) {
  return GradproofWithout(session, std::move(tensors), kernel).kernel();
}

std::string chosen_kernel(const props::Session& session, const Problem& problem) {
  return Gradproof(session, std::make_shared<Tensors>(problem)).kernel(session);
}

Allocations count_allocations(const props::Session& session, const Problem& problem) {
  Gradproof subject(session, std::make_shared<Tensors>(problem));
  Allocations fewest = subject.count();
  // What is made once for good is no call's: room of the first calls, or of a stream's thread that
  // the machine lets run late.
  for (int round = 0; round < 4; ++round) {
    const Allocations next = subject.count();
    fewest = {std::min(fewest.phase1, next.phase1), std::min(fewest.phase2, next.phase2)};
  }
  return fewest;
}

std::unique_ptr<Contestant> make_gradproof(const props::Session& session,
                                           std::shared_ptr<Tensors> tensors) {
  return std::make_unique<Gradproof>(session, std::move(tensors));
}

}  // namespace gradproof::bench
