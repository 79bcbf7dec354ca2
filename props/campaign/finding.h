// A failing case, and how it is told: to people, and in a report.
#pragma once

#include <optional>
#include <string>

#include "props/campaign/settings.h"
#include "props/report/record.h"

namespace gradproof::campaign {

/// Why an operator has no case.
inline constexpr const char* kNoProduct = "the library supports none of the selected products";

struct Failure {
  const props::Property* property = nullptr;
  props::Case test;
  props::Verdict verdict;
  /// What was being checked, where that is not the property that failed.
  const props::Property* during = nullptr;
  bool passes_alone = false;  ///< the case passes in a new process, as the text of the verdict says
  std::string chance{};       ///< in how many runs it fails, if not in all, for its text
  std::optional<props::Case> after{};  ///< the earlier call that it needs
  /// Whether it fails depends on earlier calls: each attempt needs a new process.
  bool keeps_data = false;
};

/// Whether it is a wrong result of a call: the same in each run of a deterministic library.
/// Messages may have addresses in them.
bool is_of_results(const Failure& failure);

/// What a library printed is a failure of the property `quiet`, whatever was being checked.
Failure printed(const props::Case& c, const props::Property& during, const std::string& text);

/// The command that performs the failing case again.
std::string repro_line(const Failure& failure, const Settings& settings);
/// The lines that a person gets: property, finding, and the repro line.
std::string describe(const Failure& failure, const Settings& settings);

/// The failure as a report has it, with its repro line.
report::Failure summary(const Failure& failure, const Settings& settings);
/// What a report counts of one check.
report::Check check_of(const props::Property& property, const props::Verdict& verdict,
                       double seconds);
/// What a report says of the question that was asked.
report::Question question(const Settings& settings, std::string_view command,
                          const profiles::Profile& profile,
                          const std::vector<ref::Product>& products,
                          const std::vector<ref::Operator>& operators,
                          const std::vector<const props::Property*>& properties,
                          const props::Provision& provision);

}  // namespace gradproof::campaign
