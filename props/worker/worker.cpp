// The suite's side: keeps a worker alive and turns its losses into verdicts.
#include "props/worker/worker.h"

#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <new>
#include <system_error>

#include "props/cases/describe/size.h"
#include "props/cases/input_error.h"
#include "props/worker/process.h"
#include "props/worker/shortage.h"
#include "props/worker/wire.h"

namespace gradproof::props {
namespace {

/// Until a property of an operator is given up. A lost worker costs some 20 ms, a hanging one its
/// whole time.
constexpr int kMostDeaths = 200, kMostHangs = 2;
/// Until the other checks of a case are: a single loss may be that of a call derived from it.
constexpr int kMostOfCase = 2;
/// A check of so many bytes may take twice the time of an empty one.
constexpr double kUsualBytes = 64 << 20;

std::uint32_t index_of(const Property& property) {
  return static_cast<std::uint32_t>(&property - properties().data());
}

class Worker final : public Examiner {
 public:
  Worker(const Subject& subject, WorkerOptions options)
      : subject_(subject), options_(std::move(options)) {
    start();
  }

  const profiles::Profile& profile() const override { return *profile_; }
  const std::vector<ref::Operator>& operators() const override { return operators_; }
  const Provision& provision() const override { return provision_; }
  Functions functions() const override { return functions_; }
  Start start_as(std::optional<ref::Product> product) override;
  std::vector<Answer> check(std::span<const Check> checks) override;
  Verdict attempt(const Check& check, double seconds) override;
  Verdict attempt_with(const Check& check, const profiles::Some& entries) override;
  std::vector<ref::Dense> outputs(const Case& c) override;
  Look look_at(const Check& check) override;
  Choices choices() override { return ask_for<Choices>(Request::choices); }
  std::vector<std::string> kernels_for(std::span<const Case> cases,
                                       const std::string& instruction_set) override {
    auto kernels = ask_for<std::vector<std::string>>(
        Request::kernels_for, std::vector<Case>(cases.begin(), cases.end()), instruction_set);
    kernels.resize(cases.size());
    return kernels;
  }
  KernelUses take_kernel_uses() override { return std::exchange(kernel_uses_, {}); }
  void renew() override { process_.reset(); }
  std::string errors() const override { return process_ ? process_->errors() : errors_; }

 private:
  using Pair = std::pair<const Property*, ref::Operator>;
  struct Losses {
    int deaths = 0, hangs = 0;
    bool too_many() const { return deaths >= kMostDeaths || hangs >= kMostHangs; }
  };

  struct Exchange {
    std::size_t lost = 0;  ///< the check over which the worker was lost; their number if it was not
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
  Exchange exchange(std::span<const Check> checks, std::span<Answer> answers, double seconds);
  bool take(const std::string& message, std::span<Answer> answers);
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

/// Starts a process that loads the library. False, and what became of it, if it is lost meanwhile.
bool Worker::load(Verdict& lost) {
  try {
    process_ = std::make_unique<Process>(options_.program);
  } catch (const std::system_error& e) {
    throw HostError(e.what());
  }
  Writer question;
  question(Request::use, subject_.libraries, subject_.command, subject_.threads, subject_.profile,
           subject_.profile_file, subject_.assumed_product);
  std::string wrong;
  const auto take = [&](Reader& reader) {
    reader(wrong);
    if (!wrong.empty()) return;
    std::string profile, profile_file;
    reader(operators_, functions_, provision_, profile, profile_file);
    if (!profile_)
      profile_ = std::make_unique<profiles::Profile>(
          with_stated(profiles::parse_profile(profile, profile_file), provision_));
  };
  if (!take_answer(question, lost, 0, take)) return false;
  if (wrong.empty()) return true;
  const std::string errors = process_->errors();
  if (!errors.empty()) wrong += "\n  stderr: " + errors;
  // A library that could be used before may have been replaced or deleted: no finding is lost.
  if (profile_) throw HostError("the library cannot be loaded again: " + wrong);
  throw InputError(wrong);
}

void Worker::start() {
  Verdict lost;
  if (load(lost) || lost.held) return;  // held: the user wants to stop
  if (!subject_.command.empty())
    throw InputError("'" + subject_.command + "' cannot be used: " + lost.finding);
  std::string files;
  for (const std::string& path : subject_.libraries) files += (files.empty() ? "" : ", ") + path;
  throw InputError(files + ": the library cannot be used: " + lost.finding);
}

/// Loads the library again if its process is gone. A loss is a finding then: it was usable before.
bool Worker::reload(Verdict& lost) { return process_ || load(lost); }

/// A question that is no check of a campaign; without an answer, what became of the library.
/// @param seconds  that it may take; 0: as many as usual
std::optional<std::string> Worker::ask(const Writer& question, Verdict& lost, double seconds) {
  process_->send(question.bytes());
  if (seconds == 0) seconds = options_.timeout;
  const Process::Event event =
      process_->wait([=](std::uint32_t) { return seconds; }, options_.stop);
  if (event == Process::Event::message) {
    if (std::optional<std::string> answer = process_->receive()) return answer;
  }
  lost = loss(event, seconds);
  return std::nullopt;
}

/// Passes the answer's reader to `take`. False, and what became of the library, without an answer
/// or with one that is none.
template <class Take>
bool Worker::take_answer(const Writer& question, Verdict& lost, double seconds, const Take& take) {
  const std::optional<std::string> answer = ask(question, lost, seconds);
  if (!answer) return false;
  try {
    Reader reader(*answer);
    take(reader);
    return true;
  } catch (const Garbled&) {
    lost = loss(Process::Event::gone, seconds);
    return false;
  }
}

/// The answer to a question that the library can be asked at any time; T() if it is lost over it.
template <class T, class... Arguments>
T Worker::ask_for(Request request, const Arguments&... arguments) {
  Verdict lost;
  if (!reload(lost)) return {};
  Writer question;
  question(request, arguments...);
  T told{};
  if (!take_answer(question, lost, 0, [&](Reader& reader) { reader(told); })) return {};
  return told;
}

Start Worker::start_as(std::optional<ref::Product> product) {
  Verdict lost;
  if (!reload(lost)) return {std::nullopt, std::move(lost)};
  Writer question;
  question(Request::start, product.has_value(), product.value_or(ref::Product{}));
  std::string wrong;
  Start start;
  const auto take = [&](Reader& reader) {
    reader(wrong);
    if (!wrong.empty()) return;
    const bool started = reader.take<bool>();
    start.product = reader.take<ref::Product>();
    if (!started) start.product.reset();
    reader(start.verdict);
  };
  if (!take_answer(question, lost, 0, take)) return {std::nullopt, std::move(lost)};
  if (!wrong.empty()) throw InputError(wrong);
  return start;
}

double Worker::seconds_for(const Check& check, double seconds) const {
  if (seconds == 0) seconds = options_.timeout;
  return check.property->runs ? seconds * (1 + claimed_bytes(*check.test) / kUsualBytes) : seconds;
}

/// How the worker was lost, in words; it is gone afterwards.
/// @param when  nothing, or ", " and how that was related to the check it is said of
Verdict Worker::loss(Process::Event event, double seconds, const char* when) {
  const std::string place =
      std::string(where(process_->progress().step.load(std::memory_order_relaxed))) + when;
  lost_call_ = process_->progress().call;
  const int status = process_->kill();
  errors_ = process_->errors();
  Verdict verdict;
  char text[160];
  if (event == Process::Event::stopped) {
    verdict = Verdict::not_checked("stopped");  // the user's wish, no fault of the library
  } else if (event == Process::Event::late) {
    std::snprintf(text, sizeof text, "no response for %.3g s %s", seconds, place.c_str());
    verdict = Verdict::violated("hang", text);
  } else if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    const std::string signal =
        name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(WTERMSIG(status));
    const std::string access = process_->progress().access;
    verdict = Verdict::violated("crash", "the process died of " + signal + " " + place +
                                             (access.empty() ? "" : ": " + access));
  } else {
    verdict = Verdict::violated("exit", "the library ended the process with exit status " +
                                            std::to_string(WEXITSTATUS(status)) + " " + place);
  }
  for (const auto& [name, content] :
       {std::pair("stdout", process_->output()), std::pair("stderr", errors_)}) {
    if (!verdict.held && !content.empty())
      verdict.finding += std::string("\n  ") + name + ": " + content;
  }
  process_.reset();
  if (!verdict.held && event != Process::Event::late) demand_threads(verdict);
  return verdict;
}

/// Takes one message of the worker. True if it was the last one.
bool Worker::take(const std::string& message, std::span<Answer> answers) {
  Reader reader(message);
  const auto reply = reader.take<Reply>();
  if (reply == Reply::no_memory) throw std::bad_alloc();
  if (reply == Reply::host) throw HostError(reader.take<std::string>());
  if (reply == Reply::done) {
    const auto unsaid = [](const Answer& answer) { return answer.seconds == 0; };
    const auto count = std::count_if(answers.begin(), answers.end(), unsaid);
    const double seconds =
        reader.take<double>() / static_cast<double>(std::max<std::ptrdiff_t>(count, 1));
    for (const auto& [use, runs] : reader.take<KernelUses>()) kernel_uses_[use] += runs;
    for (Answer& answer : answers) answer.seconds = unsaid(answer) ? seconds : answer.seconds;
    return true;
  }
  const auto at = reader.take<std::uint32_t>();
  if (at >= answers.size()) throw Garbled();
  reader(answers[at].verdict, answers[at].printed, answers[at].seconds, answers[at].notes);
  return false;
}

/// Asks one worker, to the end of the checks or of the worker.
Worker::Exchange Worker::exchange(std::span<const Check> checks, std::span<Answer> answers,
                                  double seconds) {
  if (Verdict lost; !reload(lost)) {
    const Process::Event event = lost.held             ? Process::Event::stopped
                                 : lost.kind == "hang" ? Process::Event::late
                                                       : Process::Event::gone;
    answers[0].verdict = std::move(lost);
    return {0, event};
  }
  Writer question;
  question(Request::check, static_cast<std::uint32_t>(checks.size()));
  const Case* before = nullptr;
  for (const Check& check : checks) {
    question(index_of(*check.property), before == check.test);
    if (before != check.test) question(*check.test);
    before = check.test;
  }
  const auto seconds_of = [&](std::uint32_t position) {
    return position < checks.size() ? seconds_for(checks[position], seconds) : options_.timeout;
  };
  process_->progress().begun.store(0, std::memory_order_relaxed);
  process_->progress().ended.store(0, std::memory_order_relaxed);
  Process::Event event =
      process_->send(question.bytes()) ? Process::Event::message : Process::Event::gone;
  while (event == Process::Event::message) {
    event = process_->wait(seconds_of, options_.stop);
    if (event != Process::Event::message) break;
    try {
      const std::optional<std::string> message = process_->receive();
      if (!message)
        event = Process::Event::gone;
      else if (take(*message, answers))
        return {checks.size(), event};
    } catch (const Garbled&) {
      event = Process::Event::gone;
    }
  }
  const Progress& progress = process_->progress();
  const std::uint32_t at = progress.position();
  const std::size_t lost = std::min<std::size_t>(at, checks.size() - 1);
  const char* when = !progress.between_checks() ? ""
                     : progress.begun.load(std::memory_order_relaxed) == 0
                         ? ", before this check had begun: an earlier one may be the cause"
                         : ", after this check had ended";
  Verdict verdict = loss(event, seconds_of(at), when);
  // What the check itself has shown says more than what became of the library afterwards.
  if (answers[lost].verdict.held) answers[lost].verdict = std::move(verdict);
  if (event == Process::Event::late) answers[lost].seconds = seconds_of(at);
  return {lost, event};
}

std::vector<Answer> Worker::check(std::span<const Check> checks) {
  std::vector<Answer> answers(checks.size());
  const auto pair_of = [](const Check& check) { return Pair(check.property, check.test->call.op); };
  std::map<const Case*, int> losses_of_case;
  for (std::size_t next = 0; next < checks.size();) {
    std::vector<Check> batch;
    std::vector<std::size_t> places;
    for (std::size_t i = next; i < checks.size(); ++i) {
      const auto losses = losses_.find(pair_of(checks[i]));
      answers[i].given_up = (losses != losses_.end() && losses->second.too_many()) ||
                            losses_of_case[checks[i].test] >= kMostOfCase;
      if (answers[i].given_up) continue;
      batch.push_back(checks[i]);
      places.push_back(i);
    }
    if (batch.empty()) break;
    std::vector<Answer> part(batch.size());
    const Exchange result = exchange(batch, part, 0);
    for (std::size_t i = 0; i < part.size(); ++i) answers[places[i]] = std::move(part[i]);
    if (result.lost == batch.size()) break;
    // Where the user stops, a batch system may have sent its signal to the worker, too.
    if (result.event == Process::Event::stopped || options_.stop()) {
      answers.resize(places[result.lost]);
      break;
    }
    ++losses_of_case[batch[result.lost].test];
    Losses& losses = losses_[pair_of(batch[result.lost])];
    ++(result.event == Process::Event::late ? losses.hangs : losses.deaths);
    next = places[result.lost] + 1;
  }
  return answers;
}

Verdict Worker::attempt(const Check& check, double seconds) {
  Answer answer;
  exchange({&check, 1}, {&answer, 1}, seconds);
  return answer.verdict;
}

Verdict Worker::attempt_with(const Check& check, const profiles::Some& entries) {
  Verdict verdict;
  if (!reload(verdict)) return verdict;
  Writer question;
  question(Request::attempt_with, index_of(*check.property), *check.test, entries);
  take_answer(question, verdict, seconds_for(check, 0), [&](Reader& reader) { reader(verdict); });
  return verdict;
}

std::vector<ref::Dense> Worker::outputs(const Case& c) {
  Verdict lost;
  if (!reload(lost)) return {};
  Writer question;
  question(Request::outputs, c);
  std::vector<ref::Dense> all;
  const double seconds = options_.timeout * (1 + claimed_bytes(c) / kUsualBytes);
  if (!take_answer(question, lost, seconds, [&](Reader& reader) { reader(all); })) return {};
  return all;
}

Look Worker::look_at(const Check& check) {
  Look look;
  if (!reload(look.verdict)) return look;
  lost_call_.clear();
  Writer question;
  question(Request::look_at, index_of(*check.property), *check.test);
  const auto take = [&](Reader& reader) {
    reader(look.verdict, look.calls.picture, look.calls.made);
  };
  if (!take_answer(question, look.verdict, seconds_for(check, 0), take) && !lost_call_.empty()) {
    look.calls.picture = "the library is lost in the call: " + lost_call_ + '\n';
    try {
      look.calls.made = {parse_case(lost_call_)};
    } catch (const InputError&) {  // too long, or the library wrote over it
    }
  }
  return look;
}

}  // namespace

std::unique_ptr<Examiner> examine_in_worker(const Subject& subject, WorkerOptions options) {
  return std::make_unique<Worker>(subject, std::move(options));
}

}  // namespace gradproof::props
