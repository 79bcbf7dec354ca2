// Checks one property on one case, and makes failing cases small.
#pragma once

#include <chrono>

#include "props/cases/case.h"
#include "props/cli/options.h"

namespace gradproof::cli {

/// Bytes of all storages of one case at most. The suite needs about three times as much memory; CANN's
/// largest case for these operators takes 3.5 GiB.
inline constexpr std::int64_t kLargestCase = std::int64_t{16} << 30;

/// The one place where a case meets the implementation under test.
class Checker {
 public:
  Checker(const props::Library& library, const Options& options)
      : session_(library), bench_{session_, options.accuracy}, threads_(options.threads) {}

  /// False if the library is another product and stays it.
  bool select(ref::Product product) { return session_.select(product, threads_); }
  /// The property must apply to the case. A case of a product that the library is not is held.
  props::Verdict check(const props::Property& property, const props::Case& c);
  /// A bare run, for a look at what comes out.
  props::Outcome perform(const props::Case& c, const std::vector<ref::Dense>& data) { return session_.perform(c, data); }

 private:
  props::Session session_;
  props::Bench bench_;
  int threads_;
};

struct Failure {
  const props::Property* property = nullptr;
  props::Case test;
  props::Verdict verdict;
};

/// Replaces the failing case by simpler ones for as long as the same kind of finding remains and
/// time is left.
Failure shrink(Checker& checker, Failure failure, std::chrono::milliseconds limit);

/// The command that performs the failing case again.
std::string repro_line(const Failure& failure, const Options& options);
/// The lines that a person gets: property, finding, and the repro line.
std::string describe(const Failure& failure, const Options& options);

}  // namespace gradproof::cli
