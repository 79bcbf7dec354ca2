// gradproof repro and gradproof explain: one case, looked at closely.
#include <cstdio>
#include <iostream>

#include "props/cases/data.h"
#include "props/cases/generator.h"
#include "props/cases/input_error.h"
#include "props/cli/checker.h"
#include "props/cli/picture.h"
#include "props/cli/progress.h"
#include "props/subject/layout.h"
#include "ref/element.h"

namespace gradproof::cli {
namespace {

void print_call(const props::Case& c) {
  const ref::Signature& signature = ref::signature(c.call.op);
  std::cout << signature.api << " on " << ref::name(c.call.product) << '\n';
  for (const ref::Parameter& p : signature.parameters) {
    std::cout << "  " << p.name << ": ";
    if (p.kind == ref::Kind::flag) {
      std::cout << (c.call.flags[p.slot] != 0 ? "true" : "false") << '\n';
    } else if (p.kind == ref::Kind::real) {
      std::cout << c.call.reals[p.slot] << '\n';
    } else if (p.kind == ref::Kind::int_array) {
      const ref::IntArray& array = c.call.arrays[p.slot];
      std::cout << (array.null ? "null" : "(");
      for (std::size_t i = 0; !array.null && i < array.values.size(); ++i)
        std::cout << (i > 0 ? ", " : "") << array.values[i];
      std::cout << (array.null ? "\n" : ")\n");
    } else {
      const ref::Tensor& t = c.call.tensors[p.slot];
      if (t.null) {
        std::cout << "null\n";
        continue;
      }
      const auto list = [](const std::vector<std::int64_t>& values) {
        std::string text;
        for (std::int64_t v : values) text += (text.empty() ? "" : ",") + std::to_string(v);
        return "[" + text + "]";
      };
      std::cout << ref::dtype_name(t.dtype) << ' ' << ref::format_name(t.format) << ' '
                << list(t.shape)
                << (t.null_strides       ? ", null strides"
                    : props::is_dense(t) ? ""
                                         : ", strides " + list(t.strides))
                << (t.offset != 0 ? ", offset " + std::to_string(t.offset) : "")
                << (t.storage != t.shape ? ", storage " + list(t.storage) : "")
                << (t.null_data ? ", null data" : "") << '\n';
    }
  }
}

}  // namespace

int explain(const Options& options) {
  const props::Case c = props::parse_case(options.words.at(0));
  print_call(c);
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
  if (!props::runnable(c, kLargestCase)) {
    std::cout << "its tensors take more than 16 GiB: no values\n";
    return kHeld;
  }
  const std::vector<ref::Dense> data = props::make_data(c);
  print_inputs(std::cout, c, data);
  print_expected(std::cout, c, data);
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
  const bool valid = ref::expect(c.call).rule == nullptr;
  if (valid && !props::runnable(c, kLargestCase))
    throw props::InputError("the case's tensors take more than 16 GiB");
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
  if (valid) {
    const std::vector<ref::Dense> data = props::make_data(c);
    std::cout << '\n';
    print_inputs(std::cout, c, data);
    print_expected(std::cout, c, data);
    if (!lost) print_got(std::cout, c, checker.outputs(c));
  }
  // On purpose or not, what the library says about itself may help.
  if (const std::string errors = checker.errors(); !errors.empty())
    std::cerr << "stderr of the library:\n" << errors;
  return violated == 0 ? kHeld : kViolated;
}

}  // namespace gradproof::cli
