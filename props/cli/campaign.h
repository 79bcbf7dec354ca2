// A campaign: steps of a schedule checked until a number of cases or a time is reached.
#pragma once

#include <map>
#include <tuple>

#include "props/cli/checker.h"
#include "props/cli/schedule.h"
#include "props/report/record.h"

namespace gradproof::cli {

class Campaign {
 public:
  using Clock = std::chrono::steady_clock;

  /// Finds out which products the library can be.
  Campaign(const props::Library& library, const Options& options);
  void run();

  /// Complete after run().
  const report::Report& report() const { return report_; }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  std::vector<ref::Product> available();
  bool over() const;
  void take(std::uint64_t k);
  void check_all(const props::Case& c, std::uint64_t k);
  void check(const props::Property& property, const props::Case& c, std::uint64_t k);
  void violated(const props::Property& property, const props::Case& c, props::Verdict verdict, std::uint64_t k);
  std::string progress_line(std::uint64_t k) const;

  const Options& options_;
  Clock::time_point start_ = Clock::now();
  std::vector<const props::Property*> properties_;
  std::vector<ref::Operator> operators_;
  Checker checker_;
  std::vector<ref::Product> products_;
  Schedule schedule_;
  report::Report report_;
  report::Recorder recorder_{report_};
  /// By operator, property and sort of finding: where in report_.failures it stands.
  std::map<std::tuple<ref::Operator, std::string_view, std::string>, std::size_t> kinds_;
};

}  // namespace gradproof::cli
