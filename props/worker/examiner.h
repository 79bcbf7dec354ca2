// Asks a library whether properties hold: in this process, or in one that may crash.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "props/profiles/finding_kinds.h"
#include "props/profiles/use.h"
#include "props/profiles/value_entries.h"
#include "props/properties/property.h"
#include "props/sequences/functions.h"
#include "props/subject/kernels.h"

namespace gradproof::props {

/// One property of one case. The property must apply to it.
struct Check {
  const Property* property = nullptr;
  const Case* test = nullptr;
};

struct Answer {
  Verdict verdict;
  std::string printed;    ///< what the library wrote to stdout meanwhile; cut if it is long
  double seconds = 0;     ///< that the check took; 0 if the library was lost over it
  profiles::Notes notes;  ///< which of the profile's entries it met
  /// Not asked: the library has been lost too often over this property and operator.
  bool given_up = false;
};

/// What is examined and how.
struct Subject {
  std::vector<std::string> libraries;
  /// Where a process computes, and not the library: what starts it (pipe/kernels.cpp).
  std::string command = {};
  int threads = 0;  ///< 0: the library's default
  /// The profile as its file has it, and what to call that in errors; empty: the one that the
  /// library names, else `documented`.
  std::string profile = {}, profile_file = {};
  /// The product of a library that does not tell, by the name of a series or a chip; empty: none.
  std::string assumed_product = {};
};

/// With the promises that the library itself makes: `host-memory` of kernels behind a kit.
profiles::Profile with_stated(profiles::Profile profile, const Provision& provision);

/// Whether the library's process ended or had to be ended.
inline bool is_loss(const Verdict& verdict) { return profiles::is_loss(verdict.kind); }

/// What came of starting a library: the product that it is then, or why it cannot be started;
/// neither if it stays another product, or the user wants to stop.
struct Start {
  std::optional<ref::Product> product;
  Verdict verdict;
};

/// A product as which a library cannot be started.
struct Refusal {
  ref::Product product;
  Verdict verdict;
};

/// A check performed once more, for people.
struct Look {
  Verdict verdict;
  Calls calls;
};

/// The kernels among which the library chooses.
struct Choices {
  std::vector<std::vector<std::string>> kernels;  ///< by operator; empty if it does not tell
  std::vector<std::string> instruction_sets;      ///< that it takes if asked to, but its own choice
};

/// Is not enough, whatever was checked.
inline bool never() { return false; }

class Examiner {
 public:
  virtual ~Examiner() = default;

  /// What the library is judged by.
  virtual const profiles::Profile& profile() const = 0;
  /// The operators that the given files define; there may be none.
  virtual const std::vector<ref::Operator>& operators() const = 0;
  /// The file of each, and of the runtime.
  virtual const Provision& provision() const = 0;
  /// Those of the functions that only sequences need that it has.
  virtual Functions functions() const = 0;
  /// The products that the library can be, and those that it should be and refuses to. Throws
  /// InputError if nobody can tell which product it is.
  const std::vector<ref::Product>& products();
  const std::vector<Refusal>& refusals();
  /// Starts the library as that product; nothing: as the one that it is by itself.
  virtual Start start_as(std::optional<ref::Product> product) = 0;
  /// An answer for each check, in order; fewer if the user wants to stop, or `enough()` becomes
  /// true: then no further check begins. A case of a product that the library is not is not
  /// checked.
  virtual std::vector<Answer> check(std::span<const Check> checks,
                                    const std::function<bool()>& enough) = 0;
  std::vector<Answer> check(std::span<const Check> checks) { return check(checks, never); }
  /// One check that may take so many seconds (0: as many as usual) and is no failure of the
  /// library if it is lost: for the search for smaller cases.
  virtual Verdict attempt(const Check& check, double seconds) = 0;
  /// The same with these entries in the profile besides.
  virtual Verdict attempt_with(const Check& check, const profiles::Some& entries) = 0;
  /// The written tensors after a bare run of a valid case; empty if the library is lost over it.
  /// Contents of more than 1 MiB are left out.
  virtual std::vector<ref::Dense> outputs(const Case& c) = 0;
  /// Performs a check and shows the calls that it judges, so that verdict and results are of the
  /// same run. There is no picture where the property compares runs of the case's own call, and
  /// where a tensor of a call of its own has more than kReadable elements. If the library is lost
  /// over a call of its own, that one alone is shown.
  virtual Look look_at(const Check& check) = 0;
  /// What the library promises to tell of its kernels.
  virtual Choices choices() = 0;
  /// The kernel that each valid call would take with that instruction set; "" where phase 1 fails
  /// or the library is lost.
  virtual std::vector<std::string> kernels_for(std::span<const Case> cases,
                                               const std::string& instruction_set) = 0;
  /// The kernels that checks have run since this was last asked.
  virtual KernelUses take_kernel_uses() = 0;
  /// What comes next meets the library in a process of its own anew, if it has one: whatever
  /// earlier checks left in it is gone.
  virtual void renew() = 0;
  /// What the library wrote to stderr last, as far as it was caught.
  virtual std::string errors() const = 0;

 private:
  void find_products();

  std::vector<ref::Product> products_;
  std::vector<Refusal> refusals_;
};

/// Everything in this process, for debuggers. Throws InputError if the library cannot be used.
std::unique_ptr<Examiner> examine_here(const Subject& subject);

}  // namespace gradproof::props
