// Compares what a library did with what the reference says, element by element.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/case.h"
#include "props/profiles/use.h"
#include "props/subject/session.h"
#include "ref/bound.h"
#include "ref/rules.h"

namespace gradproof::props {

/// The kind of finding of a library that cannot be started.
inline constexpr std::string_view kStart = "start";

struct Verdict {
  bool held = true;  ///< nothing wrong was seen
  /// False: nothing was compared, so that `held` says nothing about the library.
  bool checked = true;
  /// What is wrong, in one or a few lines; of what was not checked, why. Else empty.
  std::string finding;
  double worst_fraction = 0;  ///< largest error as a fraction of its bound over all elements
  /// Kind of finding ("status kernel-value", "values", "trespass", …), to tell failures apart.
  std::string kind;
  /// Of wrong values: what they look like (judge/compare.h). Of a misuse: the status.
  std::string look = {};
  /// What is the same on any case and operator if one defect is the cause: a status of handles and
  /// streams, the size of a leak, bytes behind a workspace. Else empty.
  std::string symptom = {};

  static Verdict violated(std::string kind, std::string finding) {
    return {false, true, std::move(finding), 0, std::move(kind)};
  }
  static Verdict not_checked(std::string why) { return {true, false, std::move(why), 0, ""}; }
};

// Each of these is given the profile in use, which says what the library is known to do otherwise.
// Without one everything that docs/contract.md says is asked.

/// Phase 1 against the rule table: status; outputs left alone on failure; on success a workspace
/// size and an executor.
Verdict judge_phase1(const ref::Call& call, const Phase1& got, profiles::Use* use = nullptr);

/// What a message has to say about the argument. Of several that break the rule any may be named.
enum class Naming : std::uint8_t { the_argument, any_argument };

/// The message of a refused phase 1: names the operator, the rule, the argument and, where there is
/// one, the value. Of a library that does not promise that: there is one.
Verdict judge_message(const ref::Call& call, const Phase1& got,
                      Naming naming = Naming::the_argument, const profiles::Use* use = nullptr);

/// "returned 0 instead of 507035"
std::string returned_instead(std::int32_t got, std::int32_t expected);

/// The symptom of so many bytes written behind a workspace.
std::string behind_workspace(std::int64_t bytes);

/// Nothing was written but the outputs and the workspace, as large as phase 1 required it.
Verdict judge_memory(const Outcome& got);

/// A whole call: phase 1, phase 2 and synchronisation statuses (bad indices, misuse), trespasses,
/// repeats, and every output element against exact value and bound.
Verdict judge_outcome(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got,
                      profiles::Use* use = nullptr);

/// The message of phase 2 about the case's misuse: names the operator, the argument and the bytes
/// of a workspace. For libraries that promise it.
Verdict judge_misuse_message(const Case& c, const Outcome& got);

/// Whether phase 2 refuses the call for a tensor without memory, whatever its misuse is.
bool is_about_data(const Case& c);

/// What phase 2 must return for a misuse (docs/contract.md); 0 for none.
std::int32_t misuse_status(Misuse misuse);

}  // namespace gradproof::props
