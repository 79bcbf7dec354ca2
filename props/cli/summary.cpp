// Ends verify, run and merge: prints findings, table and verdict, and writes the files.
#include "props/cli/summary.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "props/campaign/finding.h"
#include "props/cases/case.h"
#include "props/cases/counted.h"
#include "props/properties/property.h"
#include "props/report/details.h"
#include "props/report/entries_text.h"
#include "props/report/files.h"
#include "props/report/partial.h"
#include "props/report/table.h"
#include "props/report/text.h"
#include "props/report/write.h"

namespace gradproof::cli {
namespace {

void write_files(const report::Report& report, const Options& options,
                 const profiles::KnownList& known) {
  if (!options.report.empty()) report::write_report(report, options.report);
  if (!options.save_known.empty()) report::write_known(report, known, options.save_known);
}

void print_details(const report::Report& report, const Options& options,
                   const report::Style& style) {
  if (options.verbose) {
    report::print_properties(std::cout, report, style);
    report::print_kernel_runs(std::cout, report, style);
  }
  if (options.durations > 0) report::print_durations(std::cout, report, options.durations, style);
}

/// Whether a program by `gradproof emit` shows the failure.
bool shows_in_program(const report::Failure& failure) {
  const props::Property* const property = props::find_property(failure.property);
  const props::Case c = props::parse_case(failure.test);
  return property != nullptr && props::judges_one_call(*property) && c.sequence.empty() &&
         c.misuse == props::Misuse::none;
}

/// Prints the summary, and the next steps for the first finding.
void print_end(const report::Report& report, const Options& options, const report::Style& style) {
  report::print_summary(std::cout, report, style);
  if (report.failures.empty() || options.quiet) return;
  const std::string& again = report.failures.front().repro;
  std::cout << "next steps:\n"
            << report::wrapped_command("  repeat: " + again, style.width) << '\n';
  if (options.exec_word.empty())
    std::cout << report::wrapped_command("  debug: gdb --args " + again + " --no-fork", style.width)
              << '\n';
  if (options.exec_word.empty() && report.failures.front().kind == "leak" &&
      report.failures.front().finding.find("device memory") == std::string::npos)
    std::cout
        << "  stack trace of the leak: the library with -fsanitize=address, and docs/output.md\n";
  const std::string case_word = report::shell_word(report.failures.front().test);
  if (!options.exec_word.empty()) {
    if (options.exec_word.find("python") != std::string::npos)
      std::cout << report::wrapped_command(
                       "  with the Python module, instead of gradproof.serve(): "
                       "gradproof.check(FUNCTION, case=" +
                           case_word + ")",
                       style.width)
                << '\n';
  } else if (shows_in_program(report.failures.front())) {
    const std::string profile = options.profile_word.empty()
                                    ? ""
                                    : "--profile " + report::shell_word(options.profile_word) + " ";
    std::cout << report::wrapped_command("  run it without gradproof: gradproof emit " + profile +
                                             case_word + " >case.cpp",
                                         style.width)
              << '\n';
  }
  if (report.question.command == "verify" && options.save.empty())
    std::cout << "  keep the cases: --save DIR, then gradproof run DIR\n";
}

}  // namespace

int status_of(const report::Report& report) {
  switch (report.result()) {
    case report::Result::passed: return kPassed;
    case report::Result::failed: return kFailed;
    case report::Result::incomplete: return kNotTested;
  }
  return kCannotJudge;
}

report::Style style_of(const Options& options, int descriptor) {
  const auto set = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr ? std::string_view(value) : std::string_view();
  };
  const bool suits = isatty(descriptor) != 0 && set("NO_COLOR").empty() && set("TERM") != "dumb";
  return {options.color == "always" || (options.color == "auto" && suits),
          report::columns(descriptor)};
}

campaign::Settings live_settings(const Options& options) {
  campaign::Settings s = settings(options);
  s.silent = options.quiet;
  if (options.quiet) return s;
  s.announce = [style = style_of(options, STDERR_FILENO)](const report::Failure& found) {
    // After clearing the progress line, if any, and in one write: jobs share stderr.
    const std::string line =
        (isatty(STDERR_FILENO) != 0 ? "\r\x1b[K" : "") + report::found_line(found, style) + '\n';
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // it is in the report
  };
  return s;
}

void print_ended(const Options& options) {
  std::cerr << "gradproof: stopped after " << props::counted(options.max_failures, "finding")
            << " (--max-failures)\n";
}

void print_counts(const Outcome& outcome, const Options& options) {
  const std::size_t reported = outcome.report.failures.size();
  const bool saves = !options.save.empty();
  const std::size_t most = std::max<std::size_t>(outcome.told, saves ? outcome.saved.size() : 0);
  if (options.quiet || (outcome.told == reported && (!saves || outcome.saved.size() == reported)))
    return;
  std::cerr << "gradproof: " << props::counted(outcome.told, "finding")
            << " printed while the command ran, ";
  if (saves) std::cerr << props::counted(outcome.saved.size(), "case") << " saved, ";
  std::cerr << reported << " in the report";
  if (most > reported) {
    std::cerr << ": findings of one cause are joined at the end";
  } else if (outcome.told < reported && options.jobs != 1) {
    std::cerr << ": several jobs print findings of one kind once";
  }
  std::cerr << '\n';
}

void print_skipped(std::uint64_t checks) {
  if (checks == 0) return;
  std::cerr << "gradproof: skipped " << props::counted(checks, "check")
            << " after repeated crashes or hangs in similar ones\n";
}

void print_findings(const report::Report& report, const Options& options) {
  const report::Style style = style_of(options, STDOUT_FILENO);
  if (!options.quiet) report::print_failures(std::cout, report, options.show, style);
  print_end(report, options, style);
}

int conclude(const report::Report& report, const Options& options,
             const profiles::KnownList& known) {
  const report::Style style = style_of(options, STDOUT_FILENO);
  if (!options.quiet) {
    report::print_failures(std::cout, report, options.show, style);
    report::print_providers(std::cout, report.question, style);
    report::print_table(std::cout, report, style);
  }
  if (options.matrix) report::print_matrix(std::cout, report);
  print_details(report, options, style);
  if (options.verbose) {
    for (const std::string& names : report::untested_names(report))
      std::cout << report::wrapped(names, style.width) << '\n';
  }
  if (!options.quiet) report::print_grounds(std::cout, report, style);
  print_end(report, options, style);
  report::print_verdict(std::cout, report, style);
  write_files(report, options, known);
  return status_of(report);
}

void conclude_run(const report::Report& report, const Options& options,
                  const profiles::KnownList& known) {
  const report::Style style = style_of(options, STDOUT_FILENO);
  if (!options.quiet) {
    report::print_failures(std::cout, report, options.show, style);
    report::print_files(std::cout, report, style);
    report::print_providers(std::cout, report.question, style);
    report::print_environment(std::cout, report.question.environment);
    report::print_entries(std::cout, report);
  }
  print_details(report, options, style);
  print_end(report, options, style);
  report::print_run_verdict(std::cout, report, style);
  write_files(report, options, known);
}

}  // namespace gradproof::cli
