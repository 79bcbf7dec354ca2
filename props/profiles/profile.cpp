// Names of kinds and promises, and entries that contradict each other.
#include "props/profiles/profile.h"

#include <algorithm>
#include <array>

#include "props/cases/input_error.h"
#include "ref/element.h"

namespace gradproof::profiles {
namespace {

constexpr std::array<std::string_view, 15> kKinds = {
    "absent",     "untested",          "status",
    "phase2",     "coordinates",       "accumulation",
    "bits",       "nan_bits",          "ties",
    "nans",       "subnormals",        "zero_times_infinity",
    "out_of_window_indices", "out_of_range_indices", "mask"};

constexpr std::string_view kWinners[] = {"first", "last", "any"};

/// In the order of docs/profiles.md.
constexpr Promise kPromises[] = {
    {"messages", "a failure's message names the operator, the rule and the argument"},
    {"memory-rules",
     "phase 1 refuses views beyond their storage, outputs that overlap themselves and aliases"},
    {"phase-2-checks",
     "phase 2 refuses a null executor, a null or short workspace, null data, and an executor of "
     "another operator"},
    {"handles-after-destruction",
     "executors that are used, destroyed or unknown, and destroyed streams, are refused"},
    {"executors-after-failure",
     "an executor that phase 2 refused can be run, and has to be destroyed"},
    {"early-destruction", "executors need neither tensors nor arrays once phase 1 has returned"},
    {"repeatable-executors", "every executor can be made repeatable and given other addresses"},
    {"restart",
     "streams, events, memory and executors outlive aclrtResetDevice and aclFinalize with aclInit"},
    {"thread-counts", "aclInit's file bounds the threads of a call, and results do not depend on it"},
    {"instruction-sets",
     "aclInit's file chooses the instruction set, and results do not depend on it"},
    {"services", "the runtime's functions answer as include/ says, wrong arguments included"},
    {"configuration", "aclInit's file and the environment choose product, threads and log"},
    {"trace", "a trace of the calls can be written"},
    {"strict-mode", "strict device mode refuses host memory and reports what is left"},
    {"non-fitting-scales", "a positive scale that does not fit the sizes is used as it is"},
    {"forward-nan", "the 2-D pool's forward takes NaN and -Inf"},
};

/// Kinds that decide the same thing of a case.
int group(Kind kind) {
  switch (kind) {
    case Kind::absent:
    case Kind::untested:
    case Kind::status:
      return 0;
    default:
      return 1 + static_cast<int>(kind);
  }
}

}  // namespace

std::string_view name(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::span<const Promise> promises() { return kPromises; }

std::string Entry::value() const {
  switch (kind) {
    case Kind::status:
    case Kind::phase2:
      return std::to_string(number);
    case Kind::out_of_range:
      return number == 0 ? "ignored" : std::to_string(number);
    case Kind::accumulation:
      return ref::dtype_name(static_cast<std::int32_t>(number));
    case Kind::coordinates:
      return "FLOAT";
    case Kind::bits: {
      std::string text;
      for (const Dependence d : depends_on)
        text += (text.empty() ? "" : ", ") + std::string(kDependences[static_cast<std::size_t>(d)]);
      return text;
    }
    case Kind::ties:
    case Kind::nans:
      return std::string(kWinners[static_cast<std::size_t>(winner)]);
    default:
      return "";
  }
}

bool Profile::promises(std::string_view promise) const {
  return promise.empty() || std::find(promised.begin(), promised.end(), promise) != promised.end();
}

bool contradict(const Entry& a, const Entry& b) {
  if (group(a.kind) != group(b.kind)) return false;
  if (a.kind == Kind::bits) return false;  // what they name adds up
  return a.kind != b.kind || a.value() != b.value();
}

void demand_consistent(const Profile& profile) {
  const auto same_condition = [](const Entry& a, const Entry& b) {
    // Two different conditions may exclude each other; what they decide together shows in a run.
    return !a.when.condition || !b.when.condition ||
           a.when.condition->text() == b.when.condition->text();
  };
  for (std::size_t i = 0; i < profile.entries.size(); ++i) {
    for (std::size_t k = i + 1; k < profile.entries.size(); ++k) {
      const Entry &a = profile.entries[i], &b = profile.entries[k];
      if (!contradict(a, b) || !a.when.may_meet(b.when) || !same_condition(a, b)) continue;
      throw props::InputError(profile.file + ":" + std::to_string(b.line) + ": entry '" + b.id +
                              "' contradicts entry '" + a.id + "' of line " +
                              std::to_string(a.line) +
                              ": both may speak about one case, and say different things of it");
    }
  }
}

}  // namespace gradproof::profiles
