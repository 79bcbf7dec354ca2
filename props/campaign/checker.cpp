// Starts the examiner and passes checks to it.
#include "props/campaign/checker.h"

#include <algorithm>

#include "props/campaign/progress.h"
#include "props/cases/data/data.h"
#include "props/cases/input_error.h"
#include "props/profiles/use.h"
#include "props/worker/worker.h"

namespace gradproof::campaign {
namespace {

constexpr std::size_t kRecent = 32;

}  // namespace

Checker::Checker(const Settings& settings)
    : examiner_(settings.fork
                    ? props::examine_in_worker(settings.subject,
                                               {.timeout = settings.timeout, .stop = interrupted})
                    : props::examine_here(settings.subject)),
      use_(examiner_->profile()),
      selection_(settings.selection) {}

std::vector<props::Answer> Checker::check(std::span<const props::Check> checks) {
  for (const props::Check& check : checks) {
    if (!recent_.empty() && recent_.back() == *check.test) continue;
    recent_.push_back(*check.test);
    if (recent_.size() > kRecent) recent_.pop_front();
  }
  std::vector<props::Answer> answers =
      provision().validation.empty() ? examiner_->check(checks) : check_kernel(checks);
  if (!interrupted()) return answers;
  // A batch system's signal goes to every process of a job, the subject's too: its end then is no
  // finding.
  const auto lost = std::find_if(answers.begin(), answers.end(), [](const props::Answer& answer) {
    return props::is_loss(answer.verdict);
  });
  answers.erase(lost, answers.end());
  return answers;
}

std::vector<props::Answer> Checker::check_kernel(std::span<const props::Check> checks) {
  const auto begins_case = [&](std::size_t i) {
    return i == 0 || checks[i].test != checks[i - 1].test;
  };
  std::vector<props::Check> first, rest;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (begins_case(i)) first.push_back(checks[i]);
  }
  const std::vector<props::Answer> of_first = examiner_->check(first);
  const auto declined = [&](std::size_t at) {
    const props::Verdict& verdict = of_first[at].verdict;
    return props::judges_one_call(*first[at].property) && !verdict.checked &&
           verdict.finding.starts_with(profiles::kDeclined);
  };
  std::size_t cases = 0;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    cases += begins_case(i);
    if (cases > of_first.size()) break;
    if (!begins_case(i) && !declined(cases - 1)) rest.push_back(checks[i]);
  }
  std::vector<props::Answer> of_rest = examiner_->check(rest);
  std::vector<props::Answer> answers;
  std::size_t asked = 0;
  cases = 0;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    cases += begins_case(i);
    if (cases > of_first.size()) break;
    if (begins_case(i)) {
      answers.push_back(of_first[cases - 1]);
    } else if (declined(cases - 1)) {
      answers.emplace_back().verdict = of_first[cases - 1].verdict;
    } else {
      if (asked == of_rest.size()) break;
      answers.push_back(std::move(of_rest[asked++]));
    }
  }
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
