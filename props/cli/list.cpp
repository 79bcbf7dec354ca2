// gradproof list: the names that other commands accept and print.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include "props/cases/case.h"
#include "props/cases/describe/classes.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/input_error.h"
#include "props/cli/class_sentences.h"
#include "props/cli/select.h"
#include "props/profiles/profile.h"
#include "props/report/record.h"
#include "props/report/style.h"
#include "ref/element.h"
#include "ref/rules.h"

namespace gradproof::cli {
namespace {

constexpr int kWidth = 80;

template <class Print>
void each_operator(const Print& print) {
  for (int i = 0; i < ref::kOperatorCount; ++i)
    print(ref::signature(static_cast<ref::Operator>(i)));
}

/// A name, and below it its description, in lines of at most 80 columns.
void print_entry(const std::string& name, std::string_view says) {
  std::cout << name << '\n' << report::wrapped("    " + std::string(says), kWidth, 0) << '\n';
}

template <class NameOf>
std::string names_in(const std::vector<props::CoveragePoint>& points, const NameOf& name_of) {
  std::vector<std::string> names;
  for (const props::CoveragePoint& point : points) {
    std::string name(name_of(point));
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  std::string text;
  for (const std::string& name : names) text += ' ' + name;
  return text;
}

void print_operators(const std::vector<ref::Operator>& operators) {
  for (const ref::Operator op : operators) {
    const std::vector<props::CoveragePoint> points = props::coverage_points(op);
    print_entry(
        std::string(ref::signature(op).stem) + "  " + std::string(ref::signature(op).api),
        "types" + names_in(points, [](const auto& c) { return ref::dtype_name(c.dtype); }) +
            "; ranks" + names_in(points, [](const auto& c) { return std::to_string(c.rank); }) +
            "; formats" +
            names_in(points, [](const auto& c) { return ref::format_name(c.format); }) +
            "; products" + names_in(points, [](const auto& c) { return ref::name(c.product); }));
  }
}

/// Each class once, with its operators unless all selected ones have it.
void print_classes(const std::vector<ref::Operator>& operators, const campaign::Selection& chosen) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string_view>> having;
  for (const ref::Operator op : operators) {
    for (const std::string& label : props::all_classes(op)) {
      if (!chosen.classes.empty() && !chosen.classes.takes(label)) continue;
      std::vector<std::string_view>& of = having[label];
      if (of.empty()) order.push_back(label);
      of.push_back(ref::signature(op).stem);
    }
  }
  for (const std::string& label : order) {
    std::string says(class_sentence(label));
    if (having[label].size() < operators.size()) {
      says += " Only for:";
      for (const std::string_view stem : having[label]) says += ' ' + std::string(stem);
    }
    print_entry(label, says);
  }
}

/// The whole page docs/rules.md; the test docs.rules compares it.
void print_rules_as_markdown() {
  std::cout << "# Rules of phase 1\n\n"
               "This page lists the rules of phase 1 in checking order: the first rule that a call "
               "breaks decides the status. The\n"
               "[contract](contract.md) explains the terms. Sources are CANN's documents of the "
               "gradients, numbered 000 to 004\n"
               "in the order of the second table. \"contract\" marks decisions of this project "
               "where the documents say nothing.\n"
               "Only 001 and 004 list statuses, and only for some rules; the other statuses were "
               "chosen by analogy.\n\n"
               "`gradproof list rules --markdown` prints this page from the reference's table "
               "(`ref/rules.cpp`).\n\n"
               "| rule | status | condition | source |\n|---|---|---|---|\n";
  for (const ref::Rule& rule : ref::rules()) {
    std::cout << "| **" << rule.id << "** | " << rule.status << " | " << rule.statement << " | "
              << rule.source << " |\n";
  }
  std::cout
      << "\n## Rules that do not apply\n\n| operator | rules that do not apply |\n|---|---|\n";
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
    throw props::InputError("--markdown works only with `list rules`");
  campaign::Settings settings = options;
  select(options, settings);
  const std::vector<ref::Operator> operators = selected_operators(settings);
  if (what == "operators") {
    print_operators(operators);
  } else if (what == "properties") {
    for (const props::Property* p : campaign::chosen_properties(settings))
      print_entry(std::string(p->name), p->says);
  } else if (options.markdown) {
    print_rules_as_markdown();
  } else if (what == "rules") {
    for (const ref::Rule& rule : ref::rules()) {
      const bool applies = std::any_of(operators.begin(), operators.end(),
                                       [&](ref::Operator op) { return rule.applies(op); });
      if (!applies) continue;
      print_entry(std::string(rule.id) + " (" + std::to_string(rule.status) + ", " +
                      std::string(rule.source) + ")",
                  rule.statement);
    }
  } else if (what == "classes") {
    print_classes(operators, settings.selection);
  } else if (what == "points" || what == "cells") {  // the name until 0.2
    for (const ref::Operator op : operators) {
      for (const props::CoveragePoint& point : props::coverage_points(op)) {
        if (settings.selection.takes(point))
          std::cout << ref::signature(op).stem << "  " << report::point_name(point) << '\n';
      }
    }
  } else if (what == "profiles") {
    for (const std::string_view name : profiles::shipped_profiles())
      print_entry(std::string(name), profiles::find_profile(std::string(name)).says);
    std::cout << "\npromises that a profile can make:\n";
    for (const profiles::Promise& promise : profiles::promises())
      print_entry(std::string(promise.name), promise.says);
  } else {
    throw unknown("list", what,
                  {"operators", "properties", "rules", "classes", "points", "profiles"});
  }
  return kPassed;
}

}  // namespace gradproof::cli
