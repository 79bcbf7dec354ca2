// The suite's side: loads the library in a worker, and asks what it is and what it did.
#include <system_error>

#include "props/cases/describe/size.h"
#include "props/cases/input_error.h"
#include "props/worker/worker_examiner.h"

namespace gradproof::props {

/// Starts a process that loads the library. False, and what became of it, if it is lost meanwhile.
bool WorkerExaminer::load(Verdict& lost) {
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

void WorkerExaminer::start() {
  Verdict lost;
  if (load(lost) || lost.held) return;  // held: the user wants to stop
  if (!subject_.command.empty())
    throw InputError("'" + subject_.command + "' cannot be used: " + lost.finding);
  std::string files;
  for (const std::string& path : subject_.libraries) files += (files.empty() ? "" : ", ") + path;
  throw InputError(files + ": the library cannot be used: " + lost.finding);
}

/// Loads the library again if its process is gone. A loss is a finding then: it was usable before.
bool WorkerExaminer::reload(Verdict& lost) { return process_ || load(lost); }

/// A question that is no check of a campaign; without an answer, what became of the library.
/// @param seconds  that it may take; 0: as many as usual
std::optional<std::string> WorkerExaminer::ask(const Writer& question, Verdict& lost,
                                               double seconds) {
  process_->send(question.bytes());
  if (seconds == 0) seconds = options_.timeout;
  const Process::Event event = process_->wait([=](std::uint32_t) { return seconds; },
                                              Process::Limited::step, options_.stop, never);
  if (event == Process::Event::message) {
    if (std::optional<std::string> answer = process_->receive()) return answer;
  }
  lost = loss(event, seconds);
  return std::nullopt;
}

/// Passes the answer's reader to `take`. False, and what became of the library, without an answer
/// or with one that is none.
template <class Take>
bool WorkerExaminer::take_answer(const Writer& question, Verdict& lost, double seconds,
                                 const Take& take) {
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
T WorkerExaminer::ask_for(Request request, const Arguments&... arguments) {
  Verdict lost;
  if (!reload(lost)) return {};
  Writer question;
  question(request, arguments...);
  T told{};
  if (!take_answer(question, lost, 0, [&](Reader& reader) { reader(told); })) return {};
  return told;
}

Start WorkerExaminer::start_as(std::optional<ref::Product> product) {
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

Verdict WorkerExaminer::attempt_with(const Check& check, const profiles::Some& entries) {
  Verdict verdict;
  if (!reload(verdict)) return verdict;
  Writer question;
  question(Request::attempt_with, index_of(*check.property), *check.test, entries);
  take_answer(question, verdict, seconds_for(check, 0), [&](Reader& reader) { reader(verdict); });
  return verdict;
}

std::vector<ref::Dense> WorkerExaminer::outputs(const Case& c) {
  Verdict lost;
  if (!reload(lost)) return {};
  Writer question;
  question(Request::outputs, c);
  std::vector<ref::Dense> all;
  const double seconds = options_.timeout * (1 + claimed_bytes(c) / kUsualBytes);
  if (!take_answer(question, lost, seconds, [&](Reader& reader) { reader(all); })) return {};
  return all;
}

Look WorkerExaminer::look_at(const Check& check) {
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

Choices WorkerExaminer::choices() { return ask_for<Choices>(Request::choices); }

std::vector<std::string> WorkerExaminer::kernels_for(std::span<const Case> cases,
                                                     const std::string& instruction_set) {
  auto kernels = ask_for<std::vector<std::string>>(
      Request::kernels_for, std::vector<Case>(cases.begin(), cases.end()), instruction_set);
  kernels.resize(cases.size());
  return kernels;
}

}  // namespace gradproof::props
