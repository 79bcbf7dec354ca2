// Kernels: which of those that are right computes a call must not show in the result.
#include "props/cases/data/data.h"
#include "props/cases/describe/size.h"
#include "props/cases/hash.h"
#include "props/cases/mutate/mutator.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {
namespace {

/// A large call runs the kernel that is preferred for it, which other properties judge.
constexpr std::int64_t kLargest = 1 << 13;
/// Bits of a mask: one for each output and position of its window.
constexpr std::int64_t kLargestMask = 1 << 17;

/// How a call is planned, and words for it. As a large one it is streamed, and several threads
/// divide it.
struct Planning {
  SmallCalls how;
  const char* words;
};
constexpr Planning kPlannings[] = {
    {SmallCalls::usual, ""},
    {SmallCalls::like_large, ", planned like a large call"},
    {SmallCalls::in_small_blocks, ", planned like a large call, in small blocks"},
};
/// Where tiles begin depends on how many threads share them.
constexpr const char* kThreads[] = {"2", "3", "4", "6"};

/// Other data for the first tensor, and how a finding says so.
struct OtherData {
  Fill::Kind kind;
  const char* words;
};
constexpr OtherData kOtherData[] = {
    {Fill::Kind::powers, ", the gradient filled with powers of two"},
    {Fill::Kind::special, ", the gradient filled with special values"},
};

/// Of one in three gradients: powers of two over the whole range of exponents, or NaN, infinities
/// and subnormals. Kernels must agree on those, too.
const OtherData* other_data(const Case& c) {
  const std::uint64_t dice = mix(c.seed ^ 0x5EED);
  if (!ref::is_backward(c.call.op) || dice % 3 != 0) return nullptr;
  return &kOtherData[dice / 3 % std::size(kOtherData)];
}

std::string words(const Phase1& planned) {
  return "'" + planned.kernel + "' with " + std::to_string(planned.workspace) +
         " bytes of workspace";
}

/// Lets the library choose again when it goes out of scope. Options of the program need no restart,
/// which would take longer than small calls.
struct Chosen {
  const Kernels& kernels;
  ~Chosen() {
    (void)kernels.use("");
    (void)kernels.plan(SmallCalls::usual);
    (void)kernels.choose("threads", "");
    (void)kernels.choose("instruction_set", "");
  }
};

/// In a quarter of the cases a kernel that reads beside its tensors ends the worker process. Not in
/// all: to protect pages takes longer than a small call.
Fence fence(const Case& c, const Bench& bench) {
  if (!bench.promises("host-memory")) return Fence::none;
  const std::uint64_t dice = mix(c.seed ^ 0xFE0CE) % 12;
  return dice == 0 ? Fence::before : dice < 3 ? Fence::behind : Fence::none;
}

/// In half of the cases the workspace is all zeros, as new pages of a process are. Else it is NaN
/// and -1 for whoever reads what he has not written.
std::uint8_t workspace_byte(const Case& c) {
  return mix(c.seed ^ 0x2E805) % 2 == 0 ? 0 : Manner().workspace;
}

/// The same call, with room for one more element behind the first tensor.
ref::Call with_more_storage(ref::Call call) {
  call.tensors.front().storage = {needed_storage(call.tensors.front()) + 1};
  return call;
}

/// Compares each kernel that is right for a call with the call's usual outcome, or, if an index is
/// bad or data are missing, with the reference.
class Agreement {
 public:
  Agreement(const Case& c, Bench& bench)
      : c_(c),
        bench_(bench),
        data_(make_data(c)),
        fence_(fence(c, bench)),
        usual_(bench.session.perform(c, data_, {.counted = Manner::Counted::no})) {}

  /// A plan that the library keeps and uses again must be the plan that the call would get if it
  /// were new. The options change in between, so that the plan of one might be used for another. A
  /// longer storage makes a call new, and changes nothing else.
  Verdict judge_kept_plans(const std::string& manner) {
    Session& session = bench_.session;
    (void)session.kernels().use("");
    for (const Planning& planning : kPlannings) {
      (void)session.kernels().plan(planning.how);
      const Phase1 kept = session.get_workspace_size(c_.call);
      const Phase1 as_new = session.get_workspace_size(with_more_storage(c_.call));
      if (kept.kernel == as_new.kernel && kept.workspace == as_new.workspace) continue;
      return Verdict::violated(
          "plan", "phase 1 chooses the kernel " + words(kept) + planning.words + manner + ", but " +
                      words(as_new) + " if the storage of the first tensor is one element longer");
    }
    return {};
  }

  /// With the instruction set in force.
  Verdict judge(const std::string& manner) {
    Session& session = bench_.session;
    Verdict verdict = Verdict::not_checked("the kernel of a call cannot be chosen");
    for (const std::string& name : session.kernels().of(c_.call.op)) {
      if (!session.kernels().use(name)) break;
      const Phase1 planned = session.get_workspace_size(c_.call);
      if (planned.status == 0 && planned.kernel != name) continue;  // it is not right
      const std::uint64_t declined = session.kernels().declined();
      const Outcome other = session.perform(c_, data_,
                                            {.workspace = workspace_byte(c_),
                                             .plausible_gaps = true,
                                             .counted = Manner::Counted::compared,
                                             .fence = fence_});
      verdict =
          compare(other, "with the kernel '" + name + "'" + manner + std::string(words(fence_)));
      if (!verdict.held || !verdict.checked) break;
      if (has_indices_in_windows(c_) && session.kernels().declined() != declined) {
        return Verdict::violated("kernel", "the kernel '" + name +
                                               "' leaves the run to another one" + manner +
                                               ", though all indices are in their windows");
      }
    }
    return verdict;
  }

 private:
  /// Where data are bad, every kernel must tell the same of them.
  Verdict compare(const Outcome& other, const std::string& manner) const {
    if (has_good_data(c_)) return same_bits(c_, usual_, other, manner, bench_.use);
    Verdict verdict = judge_outcome(c_, data_, other, bench_.use);
    if (!verdict.held) verdict.finding += "\n  " + manner;
    return verdict;
  }

  const Case& c_;
  Bench& bench_;
  const std::vector<ref::Dense> data_;
  const Fence fence_;
  const Outcome usual_;
};

/// A set of the machine, another one than that in force where there are two; in half of the cases
/// the best of them, which has most code of its own.
std::string_view drawn_set(std::uint64_t dice, Session& session) {
  std::vector<std::string_view> sets = session.instruction_sets();
  if (sets.size() > 1) std::erase(sets, session.kernels().instruction_set());
  if (sets.empty()) return "";
  return dice % 2 == 0 ? sets.back() : sets[dice / 2 % sets.size()];
}

/// How the kernels compute a case with one instruction set. Each set has one way, drawn for the
/// case, and not all ways: most mistakes show in every way, and more cases find more of them.
struct Way {
  const Planning* planning = nullptr;  ///< null: the library's own
  std::string words;                   ///< how a finding says so, but for the planning
};

/// Draws a way, and lets the library compute so, as far as it can.
Way choose_way(std::uint64_t dice, const Kernels& kernels, const std::string& set) {
  Way way{nullptr, set.empty() ? "" : ", " + set};
  const bool divided = dice % 2 == 0;
  const std::string threads = divided ? kThreads[dice / 32 % std::size(kThreads)] : "1";
  const Planning& planning = kPlannings[divided ? 1 + dice / 4 % 2 : dice / 4 % 3];
  if (!kernels.choose("threads", threads) || !kernels.plan(planning.how)) return way;
  way.planning = &planning;
  if (divided) way.words = ", " + threads + " threads" + way.words;
  return way;
}

}  // namespace

bool kernels_apply(const Case& c) {
  return is_plain(c) && largest_but_masks(c) <= kLargest && largest_tensor(c) <= kLargestMask;
}

Verdict check_kernels(const Case& c, Bench& bench) {
  const Kernels& kernels = bench.session.kernels();
  const Chosen again{kernels};
  Case with_data = c;
  const OtherData* const other = other_data(c);
  if (other != nullptr) with_data.fills.front() = {other->kind, 8, 0};
  Agreement agreement(with_data, bench);
  const auto judged = [&](std::uint64_t dice, const std::string& set) {
    const Way way = choose_way(dice, kernels, set);
    if (way.planning != nullptr) {
      Verdict kept = agreement.judge_kept_plans(way.words);
      if (!kept.held) return kept;
      (void)kernels.plan(way.planning->how);
    }
    return agreement.judge(std::string(way.planning != nullptr ? way.planning->words : "") +
                           way.words + (other != nullptr ? other->words : ""));
  };
  Verdict verdict = judged(mix(~c.seed), "");
  if (!verdict.held || !verdict.checked || !bench.promises("instruction-sets")) return verdict;
  const std::string set(drawn_set(mix(c.seed), bench.session));
  if (set.empty() || !kernels.choose("instruction_set", set)) return verdict;
  return judged(mix(c.seed ^ 0x5E7), set);  // independent of the set
}

}  // namespace gradproof::props
