// gradproof list: the names that the other commands take and print.
#include <iostream>

#include "props/cases/generator.h"
#include "props/cases/input_error.h"
#include "props/cli/options.h"
#include "props/report/record.h"

namespace gradproof::cli {
namespace {

template <class Print>
void each_operator(const Print& print) {
  for (int i = 0; i < ref::kOperatorCount; ++i)
    print(ref::signature(static_cast<ref::Operator>(i)));
}

}  // namespace

int list(const Options& options) {
  const std::string& what = options.words.at(0);
  if (what == "operators") {
    each_operator([](const ref::Signature& s) { std::cout << s.stem << "  " << s.api << '\n'; });
  } else if (what == "properties") {
    for (const props::Property& p : props::properties())
      std::cout << p.name << ": " << p.says << '\n';
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
  } else {
    throw props::InputError(
        "there are lists of operators, properties, rules, classes and cells, none of '" + what +
        "'");
  }
  return kHeld;
}

}  // namespace gradproof::cli
