// gradproof repro and gradproof explain: one case, looked at closely.
#include <cstdio>
#include <iostream>

#include "props/cases/data.h"
#include "props/cases/generator.h"
#include "props/cases/input_error.h"
#include "props/cli/checker.h"
#include "props/cli/progress.h"
#include "props/judge/show.h"

namespace gradproof::cli {
int explain(const Options& options) {
  const props::Case c = props::parse_case(options.words.at(0));
  props::print_call(std::cout, c);
  const ref::Expectation expected = ref::expect(c.call);
  std::cout << "\nrules, in checking order:\n";
  bool decided = false;
  for (const ref::Rule& rule : ref::rules()) {
    if (!rule.applies(c.call.op)) continue;
    const bool broken = &rule == expected.rule;
    char line[64];
    std::snprintf(line, sizeof line, "  %-7s %-16s ",
                  broken    ? "BROKEN"
                  : decided ? "-"
                            : "kept",
                  std::string(rule.id).c_str());
    std::cout << line << rule.statement << '\n';
    if (broken)
      std::cout << "          " << expected.violation.argument << ": " << expected.violation.detail
                << '\n';
    decided = decided || broken;
  }
  std::cout << "\nphase 1 must answer " << expected.status;
  if (expected.rule != nullptr) {
    std::cout << " and leave *workspaceSize and *executor alone (documents: "
              << expected.rule->source << ")\n";
    return kHeld;
  }
  std::cout << '\n';
  if (c.misuse != props::Misuse::none) {
    std::cout << "phase 2 with " << props::name(c.misuse) << " must answer "
              << props::misuse_status(c.misuse) << '\n';
  }
  std::cout << "classes:";
  for (const std::string& label : props::classes(c)) std::cout << ' ' << label;
  std::cout << "\n\n";
  if (const std::string why = props::obstacle(c, kLargestCase); !why.empty()) {
    std::cout << "no values: " << why << '\n';
    return kHeld;
  }
  const std::vector<ref::Dense> data = props::make_data(c);
  props::print_inputs(std::cout, c, data);
  props::print_expected(std::cout, c, data);
  return kHeld;
}

int repro(const Options& options) {
  const props::Case c = props::parse_case(options.words.at(0));
  Options only = options;
  only.operators = {std::string(ref::signature(c.call.op).stem)};
  catch_interrupts();
  Checker checker(options);
  choose_operators(only, checker.operators());
  if (!checker.is(c.call.product)) {
    throw props::InputError("the library is no " + std::string(ref::name(c.call.product)));
  }
  const bool valid = c.sequence.empty() && ref::expect(c.call).rule == nullptr;
  if (valid) demand_runnable("the case", c);
  int violated = 0;
  bool lost = false;
  std::vector<props::Check> checks;
  for (const props::Property* property : parse_properties(options.properties)) {
    if (property->applies(c)) checks.push_back({property, &c});
  }
  if (checks.empty())
    throw props::InputError("none of these properties says anything about this case");
  const std::vector<props::Answer> answers = checker.check(checks);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const props::Answer& answer = answers[i];
    if (answer.verdict.held && answer.printed.empty()) {
      std::cout << "held: " << checks[i].property->name << '\n';
      continue;
    }
    ++violated;
    lost = lost || props::is_loss(answer.verdict);
    std::cout << describe(answer.verdict.held ? printed(c, answer.printed)
                                              : Failure{checks[i].property, c, answer.verdict},
                          options);
  }
  if (!valid) {
    std::cout << '\n';
    props::print_call(std::cout, c);
  } else {
    const std::vector<ref::Dense> data = props::make_data(c);
    std::cout << '\n';
    props::print_inputs(std::cout, c, data);
    props::print_expected(std::cout, c, data);
    if (!lost) props::print_got(std::cout, c, checker.outputs(c));
  }
  // On purpose or not, what the library says about itself may help.
  if (const std::string errors = checker.errors(); !errors.empty())
    std::cerr << "stderr of the library:\n" << errors;
  return violated == 0 ? kHeld : kViolated;
}

}  // namespace gradproof::cli
