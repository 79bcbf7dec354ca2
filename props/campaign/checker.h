// The one place where a case meets the implementation under test.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "props/campaign/settings.h"

namespace gradproof::campaign {

/// Bytes of all storages of one case at most. The suite needs about three times as much memory;
/// CANN's largest case for these operators takes 3.5 GiB.
inline constexpr std::int64_t kLargestCase = std::int64_t{16} << 30;

/// Throws InputError, which begins with `where`, for a valid case that cannot be run.
void demand_runnable(const std::string& where, const props::Case& c);

class Checker {
 public:
  /// Starts the library, in a process of its own unless the settings say otherwise. Throws
  /// InputError if it cannot be used.
  explicit Checker(const Settings& settings);

  const profiles::Profile& profile() const { return examiner_->profile(); }
  const std::vector<ref::Operator>& operators() const { return examiner_->operators(); }
  const props::Provision& provision() const { return examiner_->provision(); }
  props::Functions functions() const { return examiner_->functions(); }
  const std::vector<ref::Product>& products() { return examiner_->products(); }
  const std::vector<props::Refusal>& refusals() { return examiner_->refusals(); }
  /// Whether the library is to be judged as that product: it can be started as it, or refuses to.
  bool is(ref::Product product);
  /// Whether the property is to be checked on the case, by the library's profile.
  bool meets(const props::Property& property, const props::Case& c) const {
    return props::meets(property, c, use_);
  }
  /// What of the contract is tested.
  const Selection& selection() const { return selection_; }
  /// As props::is_taken.
  bool takes(const props::Case& c) const { return props::is_taken(c, use_); }
  /// As Examiner::check. Many at once cost less than one by one.
  std::vector<props::Answer> check(std::span<const props::Check> checks,
                                   const std::function<bool()>& enough = props::never);
  /// One check in at most so many seconds (0: the usual), as Examiner::attempt.
  props::Verdict attempt(const props::Property& property, const props::Case& c,
                         double seconds = 0) {
    return examiner_->attempt({&property, &c}, seconds);
  }
  /// The same with these entries in the profile besides.
  props::Verdict attempt_with(const props::Property& property, const props::Case& c,
                              const profiles::Some& entries) {
    return examiner_->attempt_with({&property, &c}, entries);
  }
  /// A bare run, for a look at what comes out.
  std::vector<ref::Dense> outputs(const props::Case& c) { return examiner_->outputs(c); }
  /// How the profile lets a valid call be computed.
  ref::Numerics numerics(const props::Case& c, const std::vector<ref::Dense>& data) const {
    return use_.terms(c.call, c.misuse, &data).numerics;
  }
  /// As Examiner::look_at.
  props::Look look_at(const props::Property& property, const props::Case& c) {
    return examiner_->look_at({&property, &c});
  }
  /// As Examiner has them.
  props::Choices choices() { return examiner_->choices(); }
  std::vector<std::string> kernels_for(std::span<const props::Case> cases,
                                       const std::string& instruction_set) {
    return examiner_->kernels_for(cases, instruction_set);
  }
  props::KernelUses take_kernel_uses() { return examiner_->take_kernel_uses(); }
  /// As Examiner::renew.
  void renew() { examiner_->renew(); }
  std::string errors() const { return examiner_->errors(); }

  /// The last cases that were checked before this one, the last one at the end.
  std::vector<props::Case> before(const props::Case& c) const;

 private:
  /// The same for kernels behind a kit. If a kernel declines the case's own call in its first
  /// check, the other checks of that case get the same answer and are not made.
  std::vector<props::Answer> check_kernel(std::span<const props::Check> checks,
                                          const std::function<bool()>& enough);

  std::deque<props::Case> recent_;
  std::unique_ptr<props::Examiner> examiner_;
  const profiles::Use use_;
  const Selection selection_;
};

}  // namespace gradproof::campaign
