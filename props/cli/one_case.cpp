// gradproof repro and gradproof explain: one case in detail.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "props/campaign/allowances.h"
#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/campaign/hints.h"
#include "props/campaign/kept.h"
#include "props/campaign/picture.h"
#include "props/campaign/progress.h"
#include "props/cases/case.h"
#include "props/cases/data/data.h"
#include "props/cases/describe/classes.h"
#include "props/cases/describe/promises.h"
#include "props/cases/input_error.h"
#include "props/cli/options.h"
#include "props/cli/summary.h"
#include "props/judge/show.h"
#include "props/report/table.h"
#include "props/report/text.h"

namespace gradproof::cli {
namespace {

props::Case given_case(const std::string& word, props::Shown& shown) {
  std::error_code error;
  if (std::filesystem::is_regular_file(word, error))
    throw props::InputError("'" + word + "' is a file; to check its cases: gradproof run " +
                            report::shell_word(word));
  if (word.substr(0, word.find(' ')).find('=') != std::string::npos)
    throw props::InputError("'" + word +
                            "' does not begin with an operator: put the case in quotes");
  return props::parse_case(word, shown);
}

/// Prints the profile entries that apply to the case.
void print_entries(const std::string& profile_word, const props::Case& c,
                   const std::vector<ref::Dense>* data) {
  const profiles::Profile profile =
      profiles::find_profile(profile_word.empty() ? "documented" : profile_word);
  std::cout << "profile " << profile.name << ":\n";
  bool any = false;
  for (const profiles::Entry& entry : profile.entries) {
    if (!entry.when.holds(c.call, c.misuse, data)) continue;
    any = true;
    const std::string value = entry.value();
    std::cout << "  entry '" << entry.id << "' decides: " << profiles::name(entry.kind)
              << (value.empty() ? "" : " ") << value << "\n    " << entry.reason
              << "\n    source: " << entry.source.repository << ", " << entry.source.file << ", "
              << entry.source.function << '\n';
  }
  for (const std::string_view promise : props::promises_asked(c)) {
    if (profile.promises(promise)) continue;
    any = true;
    std::cout << "  not tested: needs a library that promises " << promise << '\n';
  }
  if (!any) std::cout << "  no entry applies to this case\n";
}

}  // namespace

int explain(const Options& options) {
  props::Shown shown;
  const props::Case c = given_case(options.words.at(0), shown);
  if (!shown.property.empty()) parse_properties({shown.property});
  const std::string& profile = options.profile_word.empty() ? shown.profile : options.profile_word;
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
  std::cout << "\nphase 1 must return " << expected.status;
  if (expected.rule != nullptr) {
    std::cout << " and leave *workspaceSize and *executor unchanged (docs/contract.md, "
              << expected.rule->id << ")\n";
    print_entries(profile, c, nullptr);
    return kPassed;
  }
  std::cout << '\n';
  if (c.misuse != props::Misuse::none) {
    std::cout << "phase 2 with " << props::name(c.misuse) << " must return "
              << props::misuse_status(c.misuse) << '\n';
  }
  std::cout << "classes:";
  for (const std::string& label : props::classes(c)) std::cout << ' ' << label;
  std::cout << "\n\n";
  if (const std::string why = props::obstacle(c, campaign::kLargestCase); !why.empty()) {
    print_entries(profile, c, nullptr);
    std::cout << "values not shown: " << why << '\n';
    return kPassed;
  }
  const std::vector<ref::Dense> data = props::make_data(c);
  print_entries(profile, c, &data);
  std::cout << '\n';
  props::print_inputs(std::cout, c, data);
  props::print_expected(std::cout, c, data);
  return kPassed;
}

int repro(const Options& options) {
  props::Shown shown;
  const props::Case c = given_case(options.words.back(), shown);
  campaign::Settings only = campaign::as_shown(settings(options), shown);
  only.operators = {c.call.op};
  if (only.properties.empty() && !shown.property.empty())
    only.properties = parse_properties({shown.property});
  campaign::catch_interrupts();
  campaign::Checker checker(only);
  if (campaign::chosen_operators(only, checker.operators()).empty()) {
    std::cout << "not tested: no given file defines " << ref::signature(c.call.op).api << '\n';
    return kNotTested;
  }
  if (!checker.is(c.call.product)) {
    throw props::InputError("the library does not support " +
                            std::string(ref::name(c.call.product)));
  }
  const bool valid = c.sequence.empty() && ref::expect(c.call).rule == nullptr;
  const bool runs = valid || checker.takes(c);
  const std::string too_large = runs ? props::obstacle(c, campaign::kLargestCase) : "";
  int violated = 0;
  bool lost = false;
  std::string calls;  // of the first property that fails and shows what it judged
  std::vector<props::Check> checks;
  for (const props::Property* property : campaign::chosen_properties(only)) {
    if (checker.meets(*property, c) && !(property->runs && !too_large.empty()))
      checks.push_back({property, &c});
  }
  if (!too_large.empty()) {
    if (checks.empty()) throw props::InputError("the case: " + too_large);
    std::cout << "not checked: properties that run the call: " << too_large << '\n';
  }
  const bool is_second = options.words.size() > 1;
  if (is_second && !checks.empty()) {
    props::Shown ignored;
    const props::Case first = given_case(options.words.front(), ignored);
    campaign::demand_runnable("the first case", first);
    checker.attempt(*checks.front().property, first);
  }
  int checked = 0;
  std::vector<props::Answer> answers = checker.check(checks);
  report::Entries entries;
  campaign::Allowances allowances(checker.profile(), only.known, checker.operators(), entries);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    props::Answer& answer = answers[i];
    const std::string finding = answer.verdict.finding;
    const std::uint64_t known = entries.known_findings();
    allowances.apply(checks[i], answer);
    if (entries.known_findings() > known)
      std::cout << "known: " << checks[i].property->name << ": " << finding << '\n';
    if (answer.given_up || !answer.verdict.checked) {
      std::cout << "not checked: " << checks[i].property->name << ": " << answer.verdict.finding
                << '\n';
    } else {
      ++checked;
      if (answer.verdict.held && answer.printed.empty())
        std::cout << "passed: " << checks[i].property->name << '\n';
    }
    if (answer.verdict.held && answer.printed.empty()) continue;
    ++violated;
    lost = lost || props::is_loss(answer.verdict);
    campaign::Failure failure =
        answer.verdict.held ? campaign::printed(c, *checks[i].property, answer.printed)
                            : campaign::Failure{checks[i].property, c, answer.verdict, nullptr};
    // Without a process of its own the library may end this one, before anything is said.
    if (valid && too_large.empty() && calls.empty() && only.fork && !is_second)
      calls = campaign::look_again(checker, failure);
    std::cout << campaign::describe(failure, only);
    if (only.fork && !is_second) {  // not under a debugger
      const campaign::Explanations found =
          campaign::explaining_entries(checker, failure, campaign::details_from_now());
      if (!found.empty()) std::cout << campaign::hint_of(found) << '\n';
    }
  }
  if (!valid || !too_large.empty()) {
    std::cout << '\n';
    props::print_call(std::cout, c);
  } else if (!calls.empty()) {
    std::cout << '\n' << calls;
  } else {
    const std::vector<ref::Dense> data = props::make_data(c);
    std::cout << '\n';
    props::print_inputs(std::cout, c, data);
    props::print_expected(std::cout, c, data);
    if (!lost)
      props::print_got(std::cout, c, data, checker.outputs(c), checker.numerics(c, data),
                       violated > 0 ? campaign::kOtherRun : "");
  }
  // Whatever the library printed may help.
  if (const std::string errors = checker.errors(); !errors.empty())
    std::cerr << "stderr of the library:\n" << errors;
  if (!options.quiet) {
    const report::Question question =
        campaign::question(only, "repro", checker.profile(), {c.call.product}, {c.call.op},
                           only.properties, checker.provision());
    report::print_providers(std::cout, question, style_of(options, STDOUT_FILENO));
    report::print_environment(std::cout, question.environment);
  }
  if (checked == 0 && violated == 0) {
    std::cout << "not tested: none of the selected properties could be checked on this case";
    if (const ref::Expectation expected = ref::expect(c.call); expected.rule != nullptr)
      std::cout << "; it breaks the rule " << expected.rule->id << ": "
                << expected.violation.argument << ": " << expected.violation.detail;
    std::cout << '\n';
  }
  return violated > 0 ? kFailed : checked > 0 ? kPassed : kNotTested;
}

}  // namespace gradproof::cli
