// Everything that a campaign found out, as one value: what it asked, what it counted, what failed.
//
// report.json is this struct written down (docs/report.md), and tables, JUnit XML and HTML are made
// from it, so a report read back or joined from shards prints exactly what the campaign itself did.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "props/report/entries.h"
#include "ref/call.h"

namespace gradproof::report {

/// Version of report.json's layout: readers take it and those before.
inline constexpr int kFormat = 2;

/// A file of the implementation under test, and what it held.
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

/// What was asked. Shards of one campaign have the same question.
struct Question {
  std::string command;                 ///< "verify" or "run"
  std::vector<LibraryFile> libraries;  ///< empty if a process is judged
  std::vector<std::string> products, operators, properties;
  std::uint64_t seed = 0;
  std::uint64_t cases = 0;         ///< of all shards together; 0: as many as fit into `seconds`
  double seconds = 0;              ///< 0: no limit
  int threads = 0;                 ///< 0: the library's choice
  std::string profile;             ///< its name
  std::vector<std::string> files;  ///< of `run`
  /// Named by an option: each of them has to be checked at least once.
  std::vector<std::string> selected_operators{}, selected_properties{};
  std::string exec{};         ///< the command of a process that is judged; empty for libraries
  std::string selection{};    ///< patterns and limits that chose a part of it, as options
  bool phase1_only = false;   ///< phase 2 was not called
  std::string runtime{};      ///< the file that the runtime functions are from
  std::string conformance{};  ///< of a library that tells it (gradproof/config.h)
  std::string validation{};   ///< who answers for everything but values: "by the kit", or empty
  std::vector<Provider> providers{};
  std::vector<Provider> dependencies{};  ///< have operators too, but were not given
};

/// One process' share of the campaign.
struct Part {
  int shard = 1;
  std::string started;  ///< UTC, ISO 8601
  double seconds = 0;
  std::uint64_t cases = 0, failures = 0;
  bool interrupted = false;
  bool swept = false;  ///< the whole contract was walked: what of it is not covered is missing
};

/// Checks of results by their largest error, as a fraction of its bound.
struct Distribution {
  /// 0 exactly; then kSteps equal steps up to 1; then everything above.
  static constexpr int kSteps = 20;
  /// Errors beyond this many bounds, infinite ones too, are not told apart.
  static constexpr double kLargestShown = 1e6;
  std::array<std::uint64_t, kSteps + 2> bins{};
  double worst = 0;  ///< failing checks included; kLargestShown at most

  void add(double fraction, bool within);
};

/// A largest error in a table: "0.4137", "1234", "> 1e6".
std::string worst_text(double worst);

/// Calls at the boundary of a rule: just outside it, and just inside.
struct Sides {
  std::uint64_t broken = 0, kept = 0;
};

struct RuleCount {
  std::string rule;
  /// By product and argument; argument "any" stands for valid calls of rules that have no border.
  std::map<std::pair<std::string, std::string>, Sides> arguments;

  Sides total() const;
};

struct PropertyCount {
  std::uint64_t runs = 0, failed = 0;
  double seconds = 0;
  /// Times that there was nothing to compare, and the first reason.
  std::uint64_t not_checked = 0;
  std::string why{};
};

/// Everything about one operator. Classes, points and rules that had to come up and did not stand
/// here with a count of 0.
struct OperatorReport {
  std::uint64_t cases = 0;                     ///< valid cases whose results were checked
  std::uint64_t boundary_cases = 0;            ///< calls at the boundary of a rule
  std::uint64_t failures = 0;                  ///< checks that were violated
  double share = 0;                            ///< seconds of a campaign that were its turns
  std::map<std::string, Distribution> errors;  ///< by element type
  std::map<std::string, std::uint64_t> classes, points;
  /// Each side of each border of each rule (props/cases/contract.h), and "null-argument before
  /// RULE".
  std::map<std::string, std::uint64_t> borders;
  /// Of the life-cycle model: "consumed executor: run" and the like.
  std::map<std::string, std::uint64_t> transitions;
  /// Runs by kernel, then by element type and instruction set ("BF16 avx2"); empty if the library
  /// does not tell its kernels.
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

/// A finding: failing checks that seem to have one cause (props/campaign/causes.h). Of `run`: one
/// failing check.
struct Failure {
  ref::Operator op{};
  std::string property, kind;
  std::uint64_t count = 0;   ///< failing checks of this property of this operator
  std::uint64_t number = 0;  ///< of the first case that failed so, within its campaign
  std::string where;         ///< `run`: the case's place in its file
  std::string test;          ///< that case as text, shrunk if there was time
  std::string finding, repro;
  std::string picture;  ///< what went in, what had to come out and what came out, if it is small
  bool shrunk = true;   ///< false: the case is as it was found, no time was left to make it small
  double seconds = 0;   ///< from the campaign's begin until the first failing case
  std::string look{};   ///< of wrong values: "not written", "NaN", "rounding", or ""
  std::vector<AlsoFailed> also{};
  /// The features that are needed for the failure: "ceil", "BF16", …
  std::vector<std::string> in_common{};

  /// All failing checks.
  std::uint64_t total() const;
  void add(ref::Operator of, const std::string& of_property, std::uint64_t checks);
  /// Takes one away, if it is not the only one of its own property; false if there is none.
  bool take_one(ref::Operator of, const std::string& of_property);
  /// What has to be said of that, without a line's end; "" if nothing.
  std::string remark() const;
};

/// Damage to memory and lost processes come first, then wrong values, wrong statuses, the rest.
int severity(std::string_view kind);

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
  /// Cases whose line names a property that made no check, with the reason.
  std::vector<std::string> untested{};
};

enum class Result {
  passed,
  failed,
  incomplete,  ///< nothing failed, but something that was selected made no check
};
/// "passed", "failed", "incomplete".
std::string_view name(Result result);

struct Report {
  Question question;
  int shards = 1;           ///< into how many the campaign was split
  std::vector<Part> parts;  ///< those that are in here, by shard
  std::map<ref::Operator, OperatorReport> operators;
  std::vector<Failure> failures;
  std::vector<SlowCheck> slowest;  ///< slowest first, kSlowest at most
  std::vector<FileCount> files;
  std::uint64_t replayed = 0;  ///< findings of earlier runs that were tried again
  Entries entries;             ///< of the profile, and known findings

  static constexpr std::size_t kSlowest = 20;

  std::uint64_t cases() const;
  std::uint64_t boundary_cases() const;
  std::uint64_t checks() const;
  std::uint64_t failed() const;
  bool interrupted() const;
  /// Whether every border of the contract had to be covered: all shards swept it, and judged
  /// statuses.
  bool promises_borders() const;
  /// Likewise every transition of the life-cycle model.
  bool promises_transitions() const;
  /// Borders and transitions that had to be covered and were not.
  std::uint64_t uncovered() const;
  /// What was selected and made no check, in words: "upsample_bilinear2d_backward: no file defines
  /// it". A campaign selects what options name, else the operators that the files define.
  std::vector<std::string> untested() const;
  /// The same for `run`: files, and properties that an option names.
  std::vector<std::string> untested_of_run() const;
  /// Properties of the question that nobody named and that no case came up for.
  std::vector<std::string> idle_properties() const;
  Result result() const;
  /// Of the longest part: what a cluster had to wait for.
  double seconds() const;
  void add_slow(SlowCheck check);
  /// Puts the gravest findings first.
  void sort_failures();
};

/// Of a report that holds one part: that part.
Part& only_part(Report& report);

}  // namespace gradproof::report
