// Tries other properties, data and calls for a failure.
#include "props/campaign/plain_failures.h"

#include <algorithm>
#include <optional>

#include "props/campaign/new_process.h"
#include "props/cases/data/data.h"
#include "props/cases/shapes.h"
#include "props/cases/shrink/simpler.h"
#include "props/profiles/finding_kinds.h"

namespace gradproof::campaign {
namespace {

/// A case over which the library was lost, or another call of a check, runs if its tensors take no
/// more.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

}  // namespace

Failure PlainFailures::with_plain_data(Failure found) {
  using Kind = props::Fill::Kind;
  if (found.verdict.kind != "values" || !found.test.sequence.empty()) return found;
  // Whole numbers have exact sums: where they are wrong, the cause is no rounding.
  const auto data = static_cast<std::size_t>(props::data_slot(found.test.call.op));
  const Kind kind = found.test.fills[data].kind;
  if ((kind == Kind::uniform || kind == Kind::normal) && found.verdict.look != "rounding")
    return found;
  if (found.verdict.look == "rounding") {
    // Terms that cancel may leave so little that any error may be one of rounding. Ones do not.
    props::Case ones = found.test;
    ones.fills[data] = {Kind::constant, 1, 0};
    props::Verdict verdict = checker_.attempt(*found.property, ones);
    if (!verdict.held && verdict.kind == found.verdict.kind && verdict.look != "rounding" &&
        !is_known(*found.property, ones, verdict))
      return {found.property, ones, std::move(verdict), nullptr};
  }
  for (const props::Case& c : props::with_plain_data(found.test)) {
    props::Verdict verdict = checker_.attempt(*found.property, c);
    // More than rounding is another failure than rounding.
    if (found.verdict.look != "rounding" && verdict.look == "rounding") continue;
    if (!verdict.held && verdict.kind == found.verdict.kind &&
        !is_known(*found.property, c, verdict))
      return {found.property, c, std::move(verdict), nullptr};
  }
  return found;
}

Failure PlainFailures::of(Failure found) {
  const props::Property* values = props::find_property("equivalence");
  if (found.property == values) return with_plain_data(std::move(found));
  // What became of a process may have happened in the plain call, whatever was asked.
  const bool lost = ends_process(found) && props::runnable(found.test, kMostBytes);
  if (!(found.property->runs || lost) || found.property->of_library ||
      found.verdict.kind == "hang" || !found.test.sequence.empty() ||
      !values->applies(found.test) ||
      std::find(properties_.begin(), properties_.end(), values) == properties_.end())
    return found;
  const auto as_value = [&](const props::Case& c) -> std::optional<Failure> {
    props::Verdict verdict = checker_.attempt(*values, c);
    // Damage to memory is worse than a wrong value: it stays, though the plain call shows the
    // value.
    if (verdict.held || props::is_loss(verdict) != lost ||
        (profiles::is_damage(found.verdict.kind) && !profiles::is_damage(verdict.kind)) ||
        is_known(*values, c, verdict))
      return std::nullopt;
    return Failure{values, c, std::move(verdict), nullptr};
  };
  if (std::optional<Failure> own = as_value(found.test)) return with_plain_data(*std::move(own));
  // Data of other calls differ from those of the check, so another failure may be another defect.
  const auto like = [&](const Failure& other) {
    return lost || profiles::is_damage(found.verdict.kind)
               ? other.verdict.kind == found.verdict.kind
               : profiles::gravity_of(other.verdict.kind) ==
                     profiles::gravity_of(found.verdict.kind);
  };
  for (const props::Case& c : other_calls(found)) {
    std::optional<Failure> other = as_value(c);
    if (other && like(*other)) return *std::move(other);
  }
  return found;
}

std::vector<props::Case> PlainFailures::other_calls(const Failure& found) {
  const props::Property& values = *props::find_property("equivalence");
  std::vector<props::Case> calls;
  for (const props::Case& c : checker_.look_at(*found.property, found.test).calls.made) {
    if (c.call.op == found.test.call.op && !(c == found.test) &&
        std::find(calls.begin(), calls.end(), c) == calls.end() && checker_.meets(values, c) &&
        checker_.selection().takes_point_of(c) && props::runnable(c, kMostBytes))
      calls.push_back(c);
  }
  return calls;
}

}  // namespace gradproof::campaign
