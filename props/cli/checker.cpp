// The examiner, and the greedy search for a smaller failing case.
#include "props/cli/checker.h"

#include <algorithm>

#include "props/cases/generator.h"
#include "props/cli/progress.h"
#include "props/report/text.h"
#include "props/worker/worker.h"

namespace gradproof::cli {

namespace {

/// A smaller case that hangs is believed after so many seconds, until the end: then the last one
/// has to hang for as long as the first did.
constexpr double kHangAttempt = 0.5;

Failure confirmed(Checker& checker, const Failure& small, const Failure& first) {
  if (small.test == first.test) return first;
  props::Verdict verdict = checker.attempt(*small.property, small.test);
  if (verdict.kind != "hang") return first;
  return {small.property, small.test, std::move(verdict)};
}

}  // namespace

Checker::Checker(const Options& options) {
  const props::Subject subject{library_paths(options), options.threads, options.accuracy};
  examiner_ = options.fork ? props::examine_in_worker(
                                 subject, {.timeout = options.timeout, .stop = interrupted})
                           : props::examine_here(subject);
}

bool Checker::is(ref::Product product) {
  const std::vector<ref::Product>& products = examiner_->products();
  return std::find(products.begin(), products.end(), product) != products.end();
}

Failure printed(const props::Case& c, const std::string& text) {
  return {props::find_property("quiet"), c,
          props::Verdict::violated("stdout", "the library writes to stdout: " + text)};
}

Failure shrink(Checker& checker, Failure failure, std::chrono::milliseconds limit) {
  const Failure first = failure;
  const bool hang = failure.verdict.kind == "hang";
  const auto end = std::chrono::steady_clock::now() + limit;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const props::Case& candidate : props::simpler(failure.test)) {
      if (std::chrono::steady_clock::now() > end || interrupted())
        return hang ? confirmed(checker, failure, first) : failure;
      if (!failure.property->applies(candidate)) continue;
      props::Verdict verdict =
          checker.attempt(*failure.property, candidate, hang ? kHangAttempt : 0);
      if (verdict.held || verdict.kind != failure.verdict.kind) continue;
      failure.test = candidate;
      failure.verdict = std::move(verdict);
      smaller = true;
      break;
    }
  }
  return hang ? confirmed(checker, failure, first) : failure;
}

std::string repro_line(const Failure& failure, const Options& options) {
  std::string text = "gradproof repro " + quoted(props::to_text(failure.test)) +
                     library_options(options) + " --property " +
                     std::string(failure.property->name);
  if (options.threads > 0) text += " --threads " + std::to_string(options.threads);
  if (options.accuracy == ref::Accuracy::device) text += " --accuracy device";
  return text;
}

std::string describe(const Failure& failure, const Options& options) {
  return "violated: " + std::string(failure.property->name) + " of " +
         std::string(ref::signature(failure.test.call.op).stem) + ": " +
         report::printable(failure.verdict.finding) + "\nrepro: " + repro_line(failure, options) +
         "\n";
}

}  // namespace gradproof::cli
