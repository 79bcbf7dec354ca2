// One check, and the greedy search for a smaller failing case.
#include "props/cli/checker.h"

#include "props/cases/generator.h"
#include "props/cli/progress.h"
#include "props/report/text.h"

namespace gradproof::cli {

props::Verdict Checker::check(const props::Property& property, const props::Case& c) {
  if (!select(c.call.product)) return {};
  return property.check(c, bench_);
}

Failure shrink(Checker& checker, Failure failure, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const props::Case& candidate : props::simpler(failure.test)) {
      if (std::chrono::steady_clock::now() > end || interrupted()) return failure;
      if (!failure.property->applies(candidate)) continue;
      props::Verdict verdict = checker.check(*failure.property, candidate);
      if (verdict.held || verdict.kind != failure.verdict.kind) continue;
      failure.test = candidate;
      failure.verdict = std::move(verdict);
      smaller = true;
      break;
    }
  }
  return failure;
}

std::string repro_line(const Failure& failure, const Options& options) {
  std::string text = "gradproof repro " + quoted(props::to_text(failure.test)) + library_options(options) + " --property " +
                     std::string(failure.property->name);
  if (options.threads > 0) text += " --threads " + std::to_string(options.threads);
  if (options.accuracy == ref::Accuracy::device) text += " --accuracy device";
  return text;
}

std::string describe(const Failure& failure, const Options& options) {
  return "violated: " + std::string(failure.property->name) + " of " + std::string(ref::signature(failure.test.call.op).stem) +
         ": " + report::printable(failure.verdict.finding) + "\nrepro: " + repro_line(failure, options) + "\n";
}

}  // namespace gradproof::cli
