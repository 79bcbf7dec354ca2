// The picture beside a finding.
#include "props/campaign/picture.h"

#include <sstream>

#include "props/campaign/progress.h"
#include "props/cases/data/data.h"
#include "props/judge/show.h"
#include "props/report/findings.h"
#include "ref/rules.h"

namespace gradproof::campaign {
namespace {}  // namespace

std::string look_again(Checker& checker, Failure& failure) {
  props::Verdict& first = failure.verdict;
  if (!failure.property->runs || first.kind == "hang") return "";
  props::Look look = checker.look_at(*failure.property, failure.test);
  if (interrupted() || props::is_loss(first)) return look.calls.picture;
  if (props::is_loss(look.verdict)) {
    first.finding += "\n  the process was lost when the check was repeated";
    return look.calls.picture;
  }
  // What is known to fail in some runs only needs no further word about it.
  const bool of_results = is_of_results(failure) && failure.chance.empty();
  if (look.verdict.kind != first.kind) {
    if (!failure.chance.empty()) return "";
    if (!of_results) return look.calls.picture;
    first.finding += "\n  the result differs from run to run: the check " +
                     std::string(look.verdict.held ? "passed" : "failed in another way") +
                     " when it was repeated";
    return "";
  }
  if (of_results && look.verdict.finding != first.finding)
    look.verdict.finding +=
        "\n  the result differs from run to run: an earlier run was wrong, too, "
        "in another way";
  first = std::move(look.verdict);
  return look.calls.picture;
}

std::string picture(Checker& checker, Failure& failure) {
  const props::Case& c = failure.test;
  if (!c.sequence.empty() || failure.verdict.kind == props::kStart) return "";
  std::ostringstream out;
  if (const ref::Expectation expected = ref::expect(c.call); expected.rule != nullptr) {
    props::print_call(out, c);
    out << "breaks " << expected.rule->id << ": " << expected.violation.argument << ": "
        << expected.violation.detail << "\n";
    return out.str();
  }
  if (!failure.property->runs) {
    props::print_call(out, c);
    out << "breaks no rule\n";
    return out.str();
  }
  // The tensors of a call say nothing about an answer that does not depend on it.
  if (failure.property->of_library || !props::can_be_pictured(c)) return "";
  // A case that passes alone would pass here, too.
  const std::string calls = failure.passes_alone ? "" : look_again(checker, failure);
  if (!calls.empty()) return calls;
  const std::vector<ref::Dense> data = props::make_data(c);
  props::print_inputs(out, c, data);
  props::print_expected(out, c, data);
  if (!props::is_loss(failure.verdict))
    props::print_got(out, c, data, checker.outputs(c), checker.numerics(c, data), kOtherRun);
  return out.str();
}

}  // namespace gradproof::campaign
