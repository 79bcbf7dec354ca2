// The complete result of a campaign: its question, its counts and its findings.
//
// report.json is this struct as JSON (docs/report-format.md). Tables, JUnit XML and HTML are
// generated from it, so a report that is read back or merged from shards prints exactly what the
// campaign printed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "props/report/entries.h"
#include "ref/call.h"

namespace gradproof::report {

/// Version of report.json's layout; this program reads it and all earlier ones.
inline constexpr int kFormat = 2;
/// Ends the names of runs in OperatorReport::kernels that the property `kernels` made.
inline constexpr std::string_view kCompared = " compared";

/// A file of the library under test.
struct LibraryFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::string fingerprint;  ///< FNV-1a over the contents, in hexadecimal
};

/// Operators that one file defines.
struct Provider {
  std::string file;
  std::vector<std::string> operators;  ///< stems
};

/// What the campaign was to check. All shards of a campaign have the same question.
struct Question {
  std::string command;                 ///< "verify", "exhaust" or "run"
  std::vector<LibraryFile> libraries;  ///< empty if a process is tested
  std::vector<std::string> products, operators, properties;
  std::uint64_t seed = 0;
  std::uint64_t cases = 0;         ///< of all shards together; 0: as many as fit into `seconds`
  double seconds = 0;              ///< 0: no limit
  int threads = 0;                 ///< 0: chosen by the library
  std::string profile;             ///< its name
  std::vector<std::string> files;  ///< of `run`
  /// Named exactly by an option: each must be checked at least once.
  std::vector<std::string> selected_operators{}, selected_properties{};
  std::string exec{};         ///< the command of the process under test; empty for libraries
  std::string selection{};    ///< options with patterns and limits that select part of the contract
  bool phase1_only = false;   ///< phase 2 was not called
  std::string runtime{};      ///< the file that defines the runtime functions
  std::string conformance{};  ///< of a library that reports it (gradproof/config.h)
  std::vector<std::string> environment{};  ///< "GRADPROOF_CONFORMANCE=cann" and the like
  std::string validation{};  ///< who checks everything but values: "by the kit", or empty
  std::string tensors{};     ///< what kernels get instead of the caller's tensors; mostly empty
  std::string float_mode{};  ///< what the library does to the mode of its program; mostly empty
  std::vector<Provider> providers{};
  std::vector<Provider> dependencies{};  ///< define operators too, but were not given
  /// Why no other products were tested, as it follows their names in a sentence. Empty: all were
  /// tested, options selected them, or the report is older than this member.
  std::string why_products{};
};

/// One shard of the campaign.
struct Part {
  int shard = 1;
  std::string started;  ///< UTC, ISO 8601
  double seconds = 0;
  std::uint64_t cases = 0, failures = 0;
  bool interrupted = false;
  bool swept = false;  ///< the whole contract was swept: everything uncovered is missing
};

/// Histogram of checks by their largest error, as a fraction of the bound.
struct Distribution {
  /// 0 exactly; then kSteps equal steps up to 1; then everything above.
  static constexpr int kSteps = 20;
  /// Larger errors, including infinite ones, count as this.
  static constexpr double kLargestShown = 1e6;
  std::array<std::uint64_t, kSteps + 2> bins{};
  double worst = 0;    ///< over all checks, failed ones too; at most kLargestShown
  std::string test{};  ///< the case of `worst`, as text; empty if that is 0

  void add(double fraction, bool within);
  /// Names the case of an error that was added. Of equal ones the smallest text is kept, whichever
  /// came first: jobs share the cases.
  void name_worst(double fraction, const std::string& of_case);
};

/// A largest error in a table: "0.4137", "1234", "> 1e6".
std::string worst_text(double worst);

/// Calls at the boundary of a rule: just outside it, and just inside.
struct Sides {
  std::uint64_t broken = 0, kept = 0;
};

struct RuleCount {
  std::string rule;
  /// By product and argument; argument "any" means valid calls, for rules without a boundary.
  std::map<std::pair<std::string, std::string>, Sides> arguments;

  Sides total() const;
};

struct PropertyCount {
  std::uint64_t runs = 0, failed = 0;
  double seconds = 0;
  /// How often nothing could be compared, and the first reason.
  std::uint64_t not_checked = 0;
  std::string why{};
};

/// Counts of one operator. Classes, points and rules that were expected and not covered have the
/// count 0.
struct OperatorReport {
  std::uint64_t cases = 0;                        ///< valid cases whose results were checked
  std::map<std::string, std::uint64_t> left_out;  ///< valid cases without a check, by reason
  std::uint64_t boundary_cases = 0;               ///< calls at the boundary of a rule
  std::uint64_t failures = 0;                     ///< checks that failed
  std::string obstacle;                           ///< why no check of it was possible; mostly empty
  double share = 0;                               ///< seconds of the campaign spent on it
  std::map<std::string, Distribution> errors;     ///< by element type
  std::map<std::string, std::uint64_t> classes, points;
  /// Coverage points of which the kernel said that it does not support a case: those of them that
  /// no case covers are not expected.
  std::set<std::string> declined;
  /// All boundary sides of all rules (props/cases/mutate/contract.h), and "null-argument before
  /// RULE".
  std::map<std::string, std::uint64_t> borders;
  /// Of the life-cycle model, such as "consumed executor: run".
  std::map<std::string, std::uint64_t> transitions;
  /// Runs by kernel, then by element type and instruction set: "BF16 avx2" where the library chose
  /// the kernel, "BF16 avx2 compared" where the property `kernels` did. Empty if the library does
  /// not report its kernels.
  std::map<std::string, std::map<std::string, std::uint64_t>> kernels;
  std::vector<RuleCount> rules;  ///< in checking order
  std::map<std::string, PropertyCount> properties;

  double worst() const;
  RuleCount& rule(std::string_view id);
};

/// Failing checks of another property, or of another operator.
struct AlsoFailed {
  ref::Operator op{};
  std::string property;
  std::uint64_t count = 0;
};

/// A finding: failing checks that seem to have one cause (props/campaign/causes.h); in `run`, one
/// failing check.
struct Failure {
  ref::Operator op{};
  std::string property, kind;
  std::uint64_t count = 0;   ///< failing checks of this property of this operator
  std::uint64_t number = 0;  ///< of the first case that failed so, within its campaign
  std::string where;         ///< `run`: the case's place in its file
  std::string test;          ///< that case as text, shrunk if there was time
  std::string finding, repro;
  std::string picture;  ///< inputs, expected and actual results, if small
  bool shrunk = true;   ///< false: no time was left for shrinking
  double seconds = 0;   ///< from the start of the campaign to the first failing case
  std::string look{};   ///< of wrong values: what they look like (props/judge/compare.h)
  /// What is the same on any case and operator (Verdict::symptom); empty: nothing.
  std::string symptom{};
  std::vector<AlsoFailed> also{};
  /// The features that a case must have to be counted here: "ceil", "BF16", …
  std::vector<std::string> needed{};
  /// The features that the text names: without those that say nothing about the cause.
  std::vector<std::string> in_common{};
  /// What makes it pass, a sentence each: a pointer to what may be wrong.
  std::vector<std::string> hints{};

  /// All failing checks.
  std::uint64_t total() const;
  void add(ref::Operator of, const std::string& of_property, std::uint64_t checks);
  /// Removes one failing check, unless it is the only one of the finding's own property. False if
  /// there is none to remove.
  bool take_one(ref::Operator of, const std::string& of_property);
  /// The hints, and that it was not shrunk, a line each.
  std::string remarks() const;
};

struct SlowCheck {
  double seconds = 0;
  ref::Operator op{};
  std::string property, test;
};

/// One case file of `run`.
struct FileCount {
  std::string file;
  std::uint64_t cases = 0, failed = 0, skipped = 0;
  double worst = 0, seconds = 0;
  /// Cases whose line names a property that was not checked, with the reason.
  std::vector<std::string> untested{};
};

enum class Result {
  passed,
  failed,
  incomplete,  ///< nothing failed, but part of the selection was not checked
};
/// "passed", "failed", "incomplete".
std::string_view name(Result result);

struct Report {
  Question question;
  int shards = 1;           ///< number of shards of the campaign
  std::vector<Part> parts;  ///< the shards in this report, in order
  std::map<ref::Operator, OperatorReport> operators;
  std::vector<Failure> failures;
  std::vector<SlowCheck> slowest;  ///< slowest first, kSlowest at most
  std::vector<FileCount> files;
  std::uint64_t replayed = 0;  ///< findings of earlier runs that were run again
  Entries entries;             ///< of the profile, and known findings

  static constexpr std::size_t kSlowest = 20;

  std::uint64_t cases() const;
  std::uint64_t boundary_cases() const;
  std::uint64_t checks() const;
  std::uint64_t failed() const;
  /// Checks of the question's properties in which nothing could be compared.
  std::uint64_t skipped() const;
  bool interrupted() const;
  /// Whether all boundary sides had to be covered: all shards swept the contract and checked
  /// statuses.
  bool promises_borders() const;
  /// The same for the transitions of the life-cycle model.
  bool promises_transitions() const;
  /// Number of boundary sides and transitions that had to be covered and were not.
  std::uint64_t uncovered() const;
  /// What was selected and not checked, such as "upsample_bilinear2d_backward: no check ran". A
  /// campaign selects what options name, else the operators that the files define.
  std::vector<std::string> untested() const;
  /// The same for `run`: files, and properties that an option names.
  std::vector<std::string> untested_of_run() const;
  /// Properties of the question that were not named by an option and had no applicable case.
  std::vector<std::string> idle_properties() const;
  Result result() const;
  /// Duration of the longest part, which is that of the campaign on a cluster.
  double seconds() const;
  void add_slow(SlowCheck check);
  /// Sorts findings by severity, most severe first.
  void sort_failures();
};

/// The part of a report with one part; creates it if missing.
Part& only_part(Report& report);

}  // namespace gradproof::report
