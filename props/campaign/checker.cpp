// Starts the examiner and passes checks to it.
#include "props/campaign/checker.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "props/campaign/progress.h"
#include "props/cases/data/data.h"
#include "props/cases/input_error.h"
#include "props/profiles/use.h"
#include "props/worker/worker.h"

namespace gradproof::campaign {
namespace {

constexpr std::size_t kEarlier = 32;
/// A case that failed is the last one, or one of a batch of at most 256.
constexpr std::size_t kRecent = kEarlier + 256;

}  // namespace

Checker::Checker(const Settings& settings)
    : examiner_(settings.fork
                    ? props::examine_in_worker(settings.subject,
                                               {.timeout = settings.timeout, .stop = interrupted})
                    : props::examine_here(settings.subject)),
      use_(examiner_->profile()),
      selection_(settings.selection) {}

std::vector<props::Answer> Checker::check(std::span<const props::Check> checks,
                                          const std::function<bool()>& enough) {
  for (const props::Check& check : checks) {
    if (!recent_.empty() && recent_.back() == *check.test) continue;
    recent_.push_back(*check.test);
    if (recent_.size() > kRecent) recent_.pop_front();
  }
  std::vector<props::Answer> answers = provision().validation.empty()
                                           ? examiner_->check(checks, enough)
                                           : check_kernel(checks, enough);
  if (!interrupted()) return answers;
  // A batch system's signal goes to every process of a job, the subject's too: its end then is no
  // finding.
  if (!answers.empty() && props::is_loss(answers.back().verdict)) answers.pop_back();
  return answers;
}

std::vector<props::Case> Checker::before(const props::Case& c) const {
  const auto found = std::find(recent_.rbegin(), recent_.rend(), c);
  const auto end = found == recent_.rend() ? recent_.end() : found.base() - 1;
  const auto count = std::min<std::ptrdiff_t>(end - recent_.begin(), kEarlier);
  return {end - count, end};
}

std::vector<props::Answer> Checker::check_kernel(std::span<const props::Check> checks,
                                                 const std::function<bool()>& enough) {
  std::vector<props::Check> first, rest;  // checks of each case
  std::vector<std::size_t> begins, left;  // and their places
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (i > 0 && checks[i].test == checks[i - 1].test) continue;
    first.push_back(checks[i]);
    begins.push_back(i);
  }
  begins.push_back(checks.size());
  std::vector<std::optional<props::Answer>> all(checks.size());
  const std::vector<props::Answer> of_first = examiner_->check(first, enough);
  for (std::size_t k = 0; k < of_first.size(); ++k) {
    const props::Verdict& verdict = of_first[k].verdict;
    const bool declined = props::judges_one_call(*first[k].property) && !verdict.checked &&
                          verdict.finding.starts_with(profiles::kDeclined);
    all[begins[k]] = of_first[k];
    for (std::size_t i = begins[k] + 1; i < begins[k + 1]; ++i) {
      if (declined) {
        all[i].emplace().verdict = verdict;
      } else {
        rest.push_back(checks[i]);
        left.push_back(i);
      }
    }
  }
  std::vector<props::Answer> of_rest;
  if (!enough()) of_rest = examiner_->check(rest, enough);
  for (std::size_t k = 0; k < of_rest.size(); ++k) all[left[k]] = std::move(of_rest[k]);
  // Where that was enough, the last answers are missing.
  std::vector<props::Answer> answers;
  for (std::size_t i = 0; i < all.size() && all[i]; ++i) answers.push_back(*std::move(all[i]));
  return answers;
}

void demand_runnable(const std::string& where, const props::Case& c) {
  if (const std::string why = props::obstacle(c, kLargestCase); !why.empty())
    throw props::InputError(where + ": " + why);
}

bool Checker::is(ref::Product product) {
  const std::vector<ref::Product>& products = examiner_->products();
  const std::vector<props::Refusal>& refusals = examiner_->refusals();
  return std::find(products.begin(), products.end(), product) != products.end() ||
         std::any_of(refusals.begin(), refusals.end(),
                     [&](const props::Refusal& refusal) { return refusal.product == product; });
}

}  // namespace gradproof::campaign
