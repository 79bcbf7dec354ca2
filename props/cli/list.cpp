// gradproof list: the names that the other commands take and print.
#include <iostream>
#include <string>

#include "props/cases/generator.h"
#include "props/cases/input_error.h"
#include "props/cli/options.h"
#include "props/profiles/profile.h"
#include "props/report/record.h"

namespace gradproof::cli {
namespace {

template <class Print>
void each_operator(const Print& print) {
  for (int i = 0; i < ref::kOperatorCount; ++i)
    print(ref::signature(static_cast<ref::Operator>(i)));
}

/// docs/rules.md, whole: the test docs.rules compares.
void print_rules_as_markdown() {
  std::cout << "# Rules of phase 1\n\n"
               "Written by `gradproof list rules --markdown` from the reference's table "
               "(`ref/rules.cpp`), in the order\n"
               "in which they are checked: the first one that a call breaks gives its status. "
               "What the words mean is in\n"
               "[contract.md](contract.md). Sources of what must hold are CANN's documents of the "
               "gradients, by the numbers\n"
               "000 to 004 in the order of the table below; what follows \"contract\" was decided "
               "here, where they are silent.\n"
               "Statuses are listed in 001 and 004 alone, for some of the rules; the others were "
               "decided alike.\n\n"
               "| rule | status | what must hold | source |\n|---|---|---|---|\n";
  for (const ref::Rule& rule : ref::rules()) {
    std::cout << "| **" << rule.id << "** | " << rule.status << " | " << rule.statement << " | "
              << rule.source << " |\n";
  }
  std::cout << "\n## Who has them\n\n| operator | rules that say nothing about it |\n|---|---|\n";
  each_operator([](const ref::Signature& s) {
    std::string absent;
    for (const ref::Rule& rule : ref::rules()) {
      if (!rule.applies(s.op)) absent += (absent.empty() ? "" : ", ") + std::string(rule.id);
    }
    std::cout << "| `" << s.api << "` | " << (absent.empty() ? "–" : absent) << " |\n";
  });
}

}  // namespace

int list(const Options& options) {
  const std::string& what = options.words.at(0);
  if (options.markdown && what != "rules")
    throw props::InputError("only the list of rules comes as Markdown");
  if (what == "operators") {
    each_operator([](const ref::Signature& s) { std::cout << s.stem << "  " << s.api << '\n'; });
  } else if (what == "properties") {
    for (const props::Property& p : props::properties())
      std::cout << p.name << ": " << p.says << '\n';
  } else if (options.markdown) {
    print_rules_as_markdown();
  } else if (what == "rules") {
    for (const ref::Rule& rule : ref::rules()) {
      std::cout << rule.id << " (" << rule.status << ", " << rule.source << "): " << rule.statement
                << '\n';
    }
  } else if (what == "classes") {
    each_operator([](const ref::Signature& s) {
      for (const std::string& label : props::all_classes(s.op))
        std::cout << s.stem << "  " << label << '\n';
    });
  } else if (what == "cells") {
    each_operator([](const ref::Signature& s) {
      for (const props::Cell& cell : props::cells(s.op))
        std::cout << s.stem << "  " << report::cell_name(cell) << '\n';
    });
  } else if (what == "profiles") {
    for (const std::string_view name : profiles::shipped_profiles())
      std::cout << name << ": " << profiles::find_profile(std::string(name)).says << '\n';
    std::cout << "\npromises:\n";
    for (const profiles::Promise& promise : profiles::promises())
      std::cout << "  " << promise.name << ": " << promise.says << '\n';
  } else {
    throw props::InputError(
        "there are lists of operators, properties, rules, classes, cells and profiles, none of '" +
        what +
        "'");
  }
  return kPassed;
}

}  // namespace gradproof::cli
