// The suite's side: sends checks to a worker, keeps one alive and turns its losses into verdicts.
#include "props/worker/worker.h"

#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "props/cases/describe/size.h"
#include "props/cases/input_error.h"
#include "props/worker/shortage.h"
#include "props/worker/worker_examiner.h"

namespace gradproof::props {
namespace {

/// Until a property of an operator is given up. A lost worker costs some 20 ms, a hanging one its
/// whole time.
constexpr int kMostDeaths = 200, kMostHangs = 2;
/// Until the other checks of a case are: a single loss may be that of a call derived from it.
constexpr int kMostOfCase = 2;

}  // namespace

bool WorkerExaminer::Losses::too_many() const {
  return deaths >= kMostDeaths || hangs >= kMostHangs;
}

double WorkerExaminer::seconds_for(const Check& check, double seconds) const {
  if (seconds == 0) seconds = options_.timeout;
  return check.property->runs ? seconds * (1 + claimed_bytes(*check.test) / kUsualBytes) : seconds;
}

/// How the worker was lost, in words; it is gone afterwards.
/// @param when  nothing, or ", " and how that was related to the check it is said of
Verdict WorkerExaminer::loss(Process::Event event, double seconds, const char* when) {
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

/// Takes one message of the worker. Of the last one, how many checks were made.
std::optional<std::size_t> WorkerExaminer::take(const std::string& message,
                                                std::span<Answer> answers) {
  Reader reader(message);
  const auto reply = reader.take<Reply>();
  if (reply == Reply::no_memory) throw std::bad_alloc();
  if (reply == Reply::host) throw HostError(reader.take<std::string>());
  if (reply == Reply::done) {
    const auto made = reader.take<std::uint32_t>();
    if (made > answers.size()) throw Garbled();
    answers = answers.first(made);
    const auto unsaid = [](const Answer& answer) { return answer.seconds == 0; };
    const auto count = std::count_if(answers.begin(), answers.end(), unsaid);
    const double seconds =
        reader.take<double>() / static_cast<double>(std::max<std::ptrdiff_t>(count, 1));
    for (const auto& [use, runs] : reader.take<KernelUses>()) kernel_uses_[use] += runs;
    for (Answer& answer : answers) answer.seconds = unsaid(answer) ? seconds : answer.seconds;
    return made;
  }
  const auto at = reader.take<std::uint32_t>();
  if (at >= answers.size()) throw Garbled();
  reader(answers[at].verdict, answers[at].printed, answers[at].seconds, answers[at].notes);
  return std::nullopt;
}

/// Asks one worker, to the end of the checks or of the worker.
WorkerExaminer::Exchange WorkerExaminer::exchange(std::span<const Check> checks,
                                                  std::span<Answer> answers, double seconds,
                                                  const std::function<bool()>& enough) {
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
  // An attempt that may take some seconds may not take as many for each of its calls.
  const auto limited = seconds == 0 ? Process::Limited::step : Process::Limited::check;
  process_->progress().enough.store(false, std::memory_order_relaxed);
  process_->progress().begun.store(0, std::memory_order_relaxed);
  process_->progress().ended.store(0, std::memory_order_relaxed);
  Process::Event event =
      process_->send(question.bytes()) ? Process::Event::message : Process::Event::gone;
  while (event == Process::Event::message) {
    event = process_->wait(seconds_of, limited, options_.stop, enough);
    if (event != Process::Event::message) break;
    try {
      const std::optional<std::string> message = process_->receive();
      if (!message)
        event = Process::Event::gone;
      else if (const std::optional<std::size_t> made = take(*message, answers))
        return {*made, event};
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

std::vector<Answer> WorkerExaminer::check(std::span<const Check> checks,
                                          const std::function<bool()>& enough) {
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
    const Exchange result = exchange(batch, part, 0, enough);
    for (std::size_t i = 0; i < part.size(); ++i) answers[places[i]] = std::move(part[i]);
    if (result.lost == batch.size()) break;
    if (result.event == Process::Event::message) {  // that was enough
      answers.resize(places[result.lost]);
      break;
    }
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

Verdict WorkerExaminer::attempt(const Check& check, double seconds) {
  Answer answer;
  exchange({&check, 1}, {&answer, 1}, seconds, never);
  return answer.verdict;
}

std::unique_ptr<Examiner> examine_in_worker(const Subject& subject, WorkerOptions options) {
  return std::make_unique<WorkerExaminer>(subject, std::move(options));
}

}  // namespace gradproof::props
