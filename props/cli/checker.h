// Checks one property on one case, and makes failing cases small.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>

#include "props/cases/generator.h"
#include "props/cli/options.h"
#include "props/worker/examiner.h"

namespace gradproof::cli {

/// Bytes of all storages of one case at most. The suite needs about three times as much memory;
/// CANN's largest case for these operators takes 3.5 GiB.
inline constexpr std::int64_t kLargestCase = std::int64_t{16} << 30;

/// Throws InputError, which begins with `where`, for a valid case that cannot be run.
void demand_runnable(const std::string& where, const props::Case& c);

/// The one place where a case meets the implementation under test.
class Checker {
 public:
  /// Starts the library, in a process of its own unless the options say otherwise. Throws
  /// InputError if it cannot be used.
  explicit Checker(const Options& options);

  const std::vector<ref::Operator>& operators() const { return examiner_->operators(); }
  props::Functions functions() const { return examiner_->functions(); }
  const std::vector<ref::Product>& products() { return examiner_->products(); }
  bool is(ref::Product product);
  /// As Examiner::check. Many at once cost less than one by one.
  std::vector<props::Answer> check(std::span<const props::Check> checks);
  /// One check in at most so many seconds (0: the usual), as Examiner::attempt.
  props::Verdict attempt(const props::Property& property, const props::Case& c,
                         double seconds = 0) {
    return examiner_->attempt({&property, &c}, seconds);
  }
  /// A bare run, for a look at what comes out.
  std::vector<ref::Dense> outputs(const props::Case& c) { return examiner_->outputs(c); }
  /// As Examiner::renew.
  void renew() { examiner_->renew(); }
  std::string errors() const { return examiner_->errors(); }

 private:
  std::unique_ptr<props::Examiner> examiner_;
};

struct Failure {
  const props::Property* property = nullptr;
  props::Case test;
  props::Verdict verdict;
};

/// What a library printed is a failure of the property `quiet`, whatever was being checked.
Failure printed(const props::Case& c, const std::string& text);

/// Where an attacked case comes from: a valid case, and one attack on it or two.
struct Origin {
  props::Case valid;
  std::vector<props::Attack> attacks;
};

/// Replaces the failing case by simpler ones for as long as the same kind of finding remains and
/// time is left. Of an attacked case, first the valid case beneath is made simple and attacked in
/// the same way.
Failure shrink(Checker& checker, Failure failure, std::chrono::milliseconds limit,
               const std::optional<Origin>& origin = std::nullopt);

/// The command that performs the failing case again.
std::string repro_line(const Failure& failure, const Options& options);
/// The lines that a person gets: property, finding, and the repro line.
std::string describe(const Failure& failure, const Options& options);

}  // namespace gradproof::cli
