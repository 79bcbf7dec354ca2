// Kernels: which of those that are right computes a call must not show in the result.
#include "props/cases/data/data.h"
#include "props/cases/describe/size.h"
#include "props/cases/hash.h"
#include "props/properties/instruction_sets.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {
namespace {

/// A large call runs the kernel that is preferred for it, which other properties judge.
constexpr std::int64_t kLargest = 1 << 13;

/// Thread counts for calls that are planned like large ones: one thread streams, several divide.
constexpr int kThreads[] = {1, 3};

/// Lets the library choose again when it goes out of scope.
struct Chosen {
  const Kernels& kernels;
  ~Chosen() {
    (void)kernels.use("");
    (void)kernels.plan_as_large(false);
  }
};

/// Compares each kernel that is right for a call with the call's usual outcome.
class Agreement {
 public:
  Agreement(const Case& c, Bench& bench)
      : c_(c),
        bench_(bench),
        data_(make_data(c)),
        usual_(bench.session.perform(c, data_, {.counts = false})) {}

  /// With the instruction set in force.
  Verdict judge(const std::string& manner) {
    Session& session = bench_.session;
    Verdict verdict = Verdict::not_checked("the kernel of a call cannot be chosen");
    for (const std::string& name : session.kernels().of(c_.call.op)) {
      if (!session.kernels().use(name)) break;
      const Outcome other = session.perform(c_, data_, {.plausible_gaps = true, .counts = false});
      if (other.phase1.status == 0 && other.phase1.kernel != name) continue;  // it is not right
      verdict = same_bits(c_, usual_, other, "with the kernel '" + name + "'" + manner, bench_.use);
      if (!verdict.held || !verdict.checked) break;
    }
    return verdict;
  }

 private:
  const Case& c_;
  Bench& bench_;
  const std::vector<ref::Dense> data_;
  const Outcome usual_;
};

/// A set of the machine, mostly another one than that in force.
std::string_view drawn_set(const Case& c, Session& session) {
  constexpr std::uint64_t kDraws = 6;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const std::string_view set = kInstructionSets[mix(c.seed + i) % std::size(kInstructionSets)];
    if (takes(session, set)) return set;
  }
  return "";
}

}  // namespace

bool kernels_apply(const Case& c) { return has_result(c) && largest_tensor(c) <= kLargest; }

Verdict check_kernels(const Case& c, Bench& bench) {
  Session& session = bench.session;
  const int threads = session.threads();
  const Chosen again{session.kernels()};
  Agreement agreement(c, bench);
  // Half of the calls are planned like large ones.
  const auto planned = [&](std::uint64_t dice, std::string_view set) {
    const bool large = session.kernels().plan_as_large(dice % 2 != 0) && dice % 2 != 0;
    session.select(c.call.product, large ? kThreads[dice / 2 % 2] : threads, set);
    return std::string(large ? ", planned like a large call" : "");
  };
  const std::uint64_t dice = mix(~c.seed);
  Verdict verdict = agreement.judge(planned(dice, ""));
  if (verdict.held && verdict.checked && bench.promises("instruction-sets")) {
    if (const std::string_view set = drawn_set(c, session); !set.empty())
      verdict = agreement.judge(planned(dice / 4, set) + ", " + std::string(set));
  }
  session.select(c.call.product, threads);
  return verdict;
}

}  // namespace gradproof::props
