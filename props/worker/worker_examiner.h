// The suite's side of a worker process: worker.cpp sends checks and turns losses into verdicts,
// worker_questions.cpp loads the library and asks about it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "props/worker/process.h"
#include "props/worker/wire.h"
#include "props/worker/worker.h"

namespace gradproof::props {

/// The property's place among all, by which the worker knows it.
inline std::uint32_t index_of(const Property& property) {
  return static_cast<std::uint32_t>(&property - properties().data());
}

/// A check of so many bytes may take twice the time of an empty one.
inline constexpr double kUsualBytes = 64 << 20;

class WorkerExaminer final : public Examiner {
 public:
  WorkerExaminer(const Subject& subject, WorkerOptions options)
      : subject_(subject), options_(std::move(options)) {
    start();
  }

  const profiles::Profile& profile() const override { return *profile_; }
  const std::vector<ref::Operator>& operators() const override { return operators_; }
  const Provision& provision() const override { return provision_; }
  Functions functions() const override { return functions_; }
  Start start_as(std::optional<ref::Product> product) override;
  using Examiner::check;
  std::vector<Answer> check(std::span<const Check> checks,
                            const std::function<bool()>& enough) override;
  Verdict attempt(const Check& check, double seconds) override;
  Verdict attempt_with(const Check& check, const profiles::Some& entries) override;
  std::vector<ref::Dense> outputs(const Case& c) override;
  Look look_at(const Check& check) override;
  Choices choices() override;
  std::vector<std::string> kernels_for(std::span<const Case> cases,
                                       const std::string& instruction_set) override;
  KernelUses take_kernel_uses() override { return std::exchange(kernel_uses_, {}); }
  void renew() override { process_.reset(); }
  std::string errors() const override { return process_ ? process_->errors() : errors_; }

 private:
  using Pair = std::pair<const Property*, ref::Operator>;
  struct Losses {
    int deaths = 0, hangs = 0;
    bool too_many() const;
  };

  struct Exchange {
    /// The check over which the worker was lost; if it was not, how many were made.
    std::size_t lost = 0;
    Process::Event event = Process::Event::message;
  };

  void start();
  bool load(Verdict& lost);
  bool reload(Verdict& lost);
  std::optional<std::string> ask(const Writer& question, Verdict& lost, double seconds = 0);
  template <class Take>
  bool take_answer(const Writer& question, Verdict& lost, double seconds, const Take& take);
  template <class T, class... Arguments>
  T ask_for(Request request, const Arguments&... arguments);
  Exchange exchange(std::span<const Check> checks, std::span<Answer> answers, double seconds,
                    const std::function<bool()>& enough);
  std::optional<std::size_t> take(const std::string& message, std::span<Answer> answers);
  double seconds_for(const Check& check, double seconds) const;
  Verdict loss(Process::Event event, double seconds, const char* when = "");

  Subject subject_;
  WorkerOptions options_;
  std::unique_ptr<Process> process_;
  std::string lost_call_;  ///< the last one noted in the process that was lost last
  std::vector<ref::Operator> operators_;
  Provision provision_;
  Functions functions_ = 0;
  std::unique_ptr<profiles::Profile> profile_;
  std::map<Pair, Losses> losses_;
  KernelUses kernel_uses_;
  std::string errors_;  ///< of the last worker that was lost
};

}  // namespace gradproof::props
