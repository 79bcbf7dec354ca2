// Names of kinds and promises, and entries that contradict each other.
#include "props/profiles/profile.h"

#include <algorithm>
#include <iterator>

#include "props/cases/input_error.h"

namespace gradproof::profiles {
namespace {

/// The narrower deviation first: it is the first to explain a failure.
constexpr std::string_view kCoordinates[] = {"DOUBLE", "FLOAT"};
constexpr std::string_view kTypes[] = {"FLOAT", "FLOAT16", "BF16"};
constexpr std::string_view kAny[] = {"any"};
constexpr std::string_view kWinners[] = {"last", "any"};
constexpr std::string_view kFlushed[] = {"flushed"};
constexpr std::string_view kNan[] = {"NaN"};
constexpr std::string_view kIgnored[] = {"ignored"};
constexpr std::string_view kOutOfRange[] = {"ignored", "untested"};
constexpr std::string_view kPositions[] = {"INT32 positions"};
constexpr std::string_view kNothing[] = {"nothing"};
constexpr std::string_view kBothFit[] = {"both fit"};

constexpr KindRow kKinds[] = {
    {"absent", {}, false, true},
    {"untested", {}, false, true},
    {"status", {}, true},
    {"computed", {}, false, true},
    {"writes", kNothing},
    {"phase2", {}, true},
    {"refused_workspace", {}, true},
    {"coordinates", kCoordinates},
    {"accumulation", kTypes},
    {"bits", kDependences, false, false, true},
    {"nan_bits", kAny},
    {"ties", kWinners},
    {"nans", kWinners},
    {"subnormals", kFlushed},
    {"zero_times_infinity", kNan},
    {"out_of_window_indices", kIgnored},
    {"out_of_range_indices", kOutOfRange, true},
    {"mask", kPositions},
    {"mask_view", kIgnored},
    {"scales", kBothFit},
};
static_assert(std::size(kKinds) == static_cast<std::size_t>(Kind::scales) + 1);

/// In the order of docs/profile-format.md.
constexpr Promise kPromises[] = {
    {"messages", "a failure's message names the operator, the rule, the argument and its value"},
    {"memory-rules",
     "phase 1 refuses views beyond their storage, outputs that overlap themselves and aliases"},
    {"phase-2-checks",
     "phase 2 refuses a null executor, a workspace that is null, too small or overlaps the data, "
     "null data, and an executor of another operator"},
    {"handles-after-destruction",
     "executors that are used, destroyed or unknown, and destroyed streams, are refused"},
    {"executors-after-failure",
     "an executor that phase 2 refused can still be run, and must be destroyed"},
    {"early-destruction", "executors need neither tensors nor arrays once phase 1 has returned"},
    {"repeatable-executors", "every executor can be made repeatable and given other addresses"},
    {"host-memory", "device memory is memory of the process, whose pages mprotect protects"},
    {"restart",
     "streams, events, memory and executors outlive aclrtResetDevice, and aclFinalize with "
     "aclInit"},
    {"thread-counts",
     "aclInit's file limits the threads of a call, and results do not depend on it"},
    {"instruction-sets",
     "aclInit's file chooses the instruction set, and results do not depend on it"},
    {"kernels", "the library reports its kernels, and the one that a call uses"},
    {"services", "the runtime's functions behave as include/ says, also for wrong arguments"},
    {"process",
     "resets during work, full queues, fork, exit, dlclose, cancelled callers and the program's "
     "tasks lose no work; each aclrtSetDevice is undone by one aclrtResetDevice; work starts "
     "without a synchronisation"},
    {"quiet-threads",
     "the library's threads take no signals of the program and sleep while there is no work"},
    {"changing-indices",
     "indices that change while a gradient runs write nothing outside gradInput and the workspace"},
    {"configuration", "aclInit's file and the environment choose product, threads and log"},
    {"trace", "a trace of the calls can be written"},
    {"strict-mode", "strict mode refuses host memory and reports objects that were not destroyed"},
    {"non-fitting-scales", "a positive scale that does not fit the sizes is used as it is"},
    {"forward-nan", "the 2-D pool's forward accepts NaN and -Inf"},
};

/// Entries of one group decide the same thing of a case.
int group(const Entry& entry) { return entry.answers() ? 0 : 1 + static_cast<int>(entry.kind); }

}  // namespace

std::span<const KindRow> kinds() { return kKinds; }

bool Entry::wins_over(const Entry& other) const {
  if (implied != other.implied) return other.implied;
  return std::find(over.begin(), over.end(), other.id) != over.end();
}

bool Entry::takes() const {
  return kind == Kind::computed || kind == Kind::writes || (kind == Kind::status && number == 0) ||
         (kind == Kind::phase2 && when.misuses.empty());
}

bool Entry::answers() const {
  return kind == Kind::absent || kind == Kind::untested || kind == Kind::status || takes();
}

std::span<const Promise> promises() { return kPromises; }

std::string Entry::value() const {
  if (!word.empty()) return std::string(word);
  const KindRow& row = kinds()[static_cast<std::size_t>(kind)];
  if (row.number) return std::to_string(number);
  std::string text;
  for (const Dependence d : depends_on)
    text += (text.empty() ? "" : ", ") + std::string(kDependences[static_cast<std::size_t>(d)]);
  return text;
}

bool Profile::promises(std::string_view promise) const {
  return promise.empty() || std::find(promised.begin(), promised.end(), promise) != promised.end();
}

bool contradict(const Entry& a, const Entry& b) {
  if (group(a) != group(b)) return false;
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
      if (a.wins_over(b) || b.wins_over(a) || !contradict(a, b) || !a.when.may_meet(b.when) ||
          !same_condition(a, b))
        continue;
      throw props::InputError(b.place() + ": entry '" + b.id + "' contradicts entry '" + a.id +
                              "' (" + a.place() +
                              "): both can apply to the same case, with different values");
    }
  }
}

}  // namespace gradproof::profiles
