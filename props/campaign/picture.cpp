// The picture beside a finding.
#include "props/campaign/picture.h"

#include <sstream>

#include "props/cases/data/data.h"
#include "props/judge/show.h"
#include "ref/rules.h"

namespace gradproof::campaign {

std::string picture(Checker& checker, const Failure& failure) {
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
  if (!props::can_be_pictured(c)) return "";
  if (failure.verdict.kind != "hang") {
    if (std::string calls = checker.calls_of(*failure.property, c); !calls.empty()) return calls;
  }
  const std::vector<ref::Dense> data = props::make_data(c);
  props::print_inputs(out, c, data);
  props::print_expected(out, c, data);
  if (!props::is_loss(failure.verdict)) props::print_got(out, c, data, checker.outputs(c));
  return out.str();
}

}  // namespace gradproof::campaign
