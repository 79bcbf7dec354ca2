// Which properties a case of a campaign is checked on, and what becomes of the answers.
#include <algorithm>
#include <optional>
#include <vector>

#include "props/campaign/campaign.h"

namespace gradproof::campaign {

std::uint64_t Campaign::number(const Work& work, std::uint64_t j) const {
  const auto at = std::find(operators_.begin(), operators_.end(), work.op);
  return j * operators_.size() + static_cast<std::uint64_t>(at - operators_.begin());
}

bool Campaign::due(const Work& work, const props::Property& property, std::uint64_t j) const {
  if (settings_.cases > 0) return work.schedule.due(j, property.every);
  return (property.of_library ? property_time_ : work.time).due(property);
}

bool Campaign::check_all(Work& work, const props::Case& c, std::uint64_t j, std::string& why_not,
                         bool every_set) {
  constexpr const char* kLostAgain = "repeated crashes or hangs in similar cases";
  why_not = "no property that applies had its turn";
  if (findings_.is_lost_again(c)) {
    ++given_up_;
    why_not = kLostAgain;
    return true;
  }
  // Only a large case is divided among threads, and has rows of many vectors.
  const bool large = work.schedule.is_large(j);
  // Only equivalence asks which status follows from a bad index.
  const bool bad_index = std::ranges::any_of(
      c.fills, [](const props::Fill& fill) { return fill.kind == props::Fill::Kind::one_bad; });
  std::vector<props::Check> checks, waiting;
  for (const props::Property* property : properties_) {
    if (!property->applies(c) || missing_operator(*property, work.op)) continue;
    const bool asked = ((every_set || large) && property->name == "instruction-sets") ||
                       ((large || work.schedule.is_divided(j)) && property->name == "threads") ||
                       (bad_index && property->name == "equivalence");
    (asked || due(work, *property, j) ? checks : waiting).push_back({property, &c});
  }
  // Where all wait for others, the cheapest one is checked: it may be the only one that was asked
  // for.
  if (checks.empty() && !waiting.empty()) {
    checks.push_back(*std::min_element(waiting.begin(), waiting.end(),
                                       [](const props::Check& one, const props::Check& other) {
                                         return one.property->every < other.property->every;
                                       }));
  }
  std::vector<props::Answer> answers = checker_.check(checks, [this] { return over(); });
  bool checked = false;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    // The time of a hang does not count: the property still has to be checked on other cases.
    if (!props::is_loss(answers[i].verdict)) {
      for (PropertyTime* time : {&work.time, &property_time_})
        time->use(*checks[i].property, answers[i].seconds);
    }
    if (checks[i].property->of_library) about_library_ += answers[i].seconds;
    if (answers[i].given_up)
      why_not = kLostAgain;
    else if (i == 0 && !answers[i].verdict.checked && !answers[i].verdict.finding.empty())
      why_not = answers[i].verdict.finding;
    if (judge(checks[i], std::move(answers[i]), number(work, j), Findings::no_origin) &&
        props::performs(*checks[i].property, properties_))
      checked = true;
  }
  if (checked) why_not.clear();
  return answers.size() == checks.size();
}

bool Campaign::judge(const props::Check& check, props::Answer answer, std::uint64_t number,
                     const Findings::Ask& origin) {
  if (had_enough()) return false;  // of the batch that had the last finding
  if (answer.given_up) {
    ++given_up_;
    return false;
  }
  const bool known = allowances_.apply(check, answer);
  const bool checked = answer.verdict.checked;
  report::Check counted = check_of(*check.property, answer.verdict, answer.seconds);
  counted.judges_values = counted.judges_values && !known;  // its error is not known
  if (checked)
    recorder_.checked(*check.test, counted);
  else
    recorder_.not_checked(*check.test, check.property->name, answer.verdict.finding);
  // A known finding is no example of a case that passes.
  if (checked && !known) findings_.saw(check, answer.verdict);
  if (!answer.verdict.held)
    findings_.add({check.property, *check.test, answer.verdict, nullptr}, number, origin);
  if (answer.printed.empty()) return checked;
  const Failure noise = printed(*check.test, *check.property, answer.printed);
  if (std::find(properties_.begin(), properties_.end(), noise.property) == properties_.end())
    return checked;
  recorder_.checked(noise.test, check_of(*noise.property, noise.verdict, 0));
  findings_.add(noise, number, origin);
  return checked;
}

}  // namespace gradproof::campaign
