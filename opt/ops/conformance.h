// Refusing by a rule, and whether the conformance in force refuses at all (docs/conformance.md).
//
// The checks are those of the operators' documents, and the few that CANN alone makes. Each asks
// here; what CANN answers otherwise is a row of one table, conformance_table.cpp, and nothing else
// knows of it. A check that was answered "taken" is followed by all later ones, so each of them is
// safe without those before it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "opt/ops/call.h"

namespace gradproof::ops {

/// What a conformance says to a broken rule.
enum class Answer : std::uint8_t {
  refused,
  taken,    ///< the rule is not this conformance's
  later,    ///< phase 1 succeeds, phase 2 refuses
  nothing,  ///< the call succeeds and writes nothing
};
struct Verdict {
  Answer answer = Answer::refused;
  std::int32_t status = 0;        ///< of a refusal; 0: 161001 for null-argument, else 161002
  bool writes_workspace = false;  ///< a refusal that has put 0 into *workspaceSize
};

/// Which calls a row is about, those with another tensor or array broken left out. Handles were
/// checked before, so that every tensor and array of the call is there.
class Applies {
 public:
  constexpr Applies() = default;  ///< always
  constexpr Applies(bool (*call)(const Call&)) : call_(call) {}
  constexpr Applies(bool (*tensor)(const Call&, const TensorArgument&)) : tensor_(tensor) {}
  constexpr Applies(bool (*array)(const Call&, const ArrayArgument&)) : array_(array) {}

  /// Whether it applies to a rule that the argument of this name breaks.
  bool to(const Call& call, std::string_view argument) const;

 private:
  bool (*call_)(const Call&) = nullptr;
  bool (*tensor_)(const Call&, const TensorArgument&) = nullptr;
  bool (*array_)(const Call&, const ArrayArgument&) = nullptr;
};

/// Products as bits, by their numbers.
using Products = std::uint8_t;

/// A row: broken rules that the two conformances judge differently, or that neither takes although
/// CANN does not refuse them. The first row that fits decides.
struct Difference {
  std::span<const char* const> apis;
  std::string_view rule;
  std::string_view argument;  ///< empty: any
  Products products;
  Applies applies;
  Verdict documented, cann;
  const char* input;   ///< in words
  const char* source;  ///< of what is said about CANN
};
std::span<const Difference> differences();

/// Ways of computing that differ, each a row of its own.
enum class Way : std::uint8_t {
  mask_positions,  ///< the 2-D mask has INT32 positions h·W + w in place of bits
  mask_buffer,     ///< the 2-D mask is what its data pointer points to, whatever the view says
  drops_indices,   ///< contributions whose index is outside its window are left out
  fitting_scales,  ///< scales count only if both agree with the extents
};
struct WayDifference {
  Way way;
  std::span<const char* const> apis;
  Products products;
  bool (*applies)(const Call&);  ///< null: always
  const char *input, *documented, *cann, *source;
};
std::span<const WayDifference> ways();

/// Whether this call goes CANN's way.
bool goes(const Call& call, Way way);

/// The verdict of the conformance in force on a broken rule. Where no row fits, both conformances
/// refuse the call: a rule that is CANN's alone needs a row for every call that asks for it.
/// Records `nothing` and `differs` in call.course.
Verdict judge(const Call& call, std::string_view rule, std::string_view argument);
/// Turns the verdict `refused` into a status, and `later` into call.course.later and success.
Status refused(const Call& call, std::string_view rule, const Verdict& verdict,
               std::string message);

/// A broken rule: success where the conformance takes it, otherwise a status with the message
/// "<api>: <rule>: <argument><parts>". Parts give the offending values.
template <class... Parts>
Status refuse(const Call& call, std::string_view rule, std::string_view argument,
              const Parts&... parts) {
  const Verdict verdict = judge(call, rule, argument);
  if (verdict.answer == Answer::taken || verdict.answer == Answer::nothing) return {};
  return refused(call, rule, verdict, words(call.api, ": ", rule, ": ", argument, parts...));
}

/// Adds what the other conformance answers to the same call: to the message of a refusal, or as a
/// line of the log. Calls `validate` again under the other conformance.
Status with_advice(Call& call, Status status, Status (*validate)(const void*), const void* context);

/// Validates a call, and adds advice where the two conformances differ.
template <class Validate>
Status settle(Call& call, const Validate& validate) {
  Status status = validate();
  if (!call.course.differs || (status.ok() && call.config.log == LogLevel::off)) return status;
  return with_advice(
      call, std::move(status),
      [](const void* context) { return (*static_cast<const Validate*>(context))(); }, &validate);
}

}  // namespace gradproof::ops
