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

/// From now on the library chooses, again.
struct Chosen {
  const Kernels& kernels;
  ~Chosen() { (void)kernels.use(""); }
};

/// Each kernel that is right for the case, with the instruction set in force.
Verdict agree(const Case& c, const std::vector<ref::Dense>& data, Bench& bench) {
  Session& session = bench.session;
  const Outcome usual = session.perform(c, data, {.counts = false});
  const Chosen again{session.kernels()};
  Verdict verdict = Verdict::not_checked("the kernel of a call cannot be chosen");
  for (const std::string& name : session.kernels().of(c.call.op)) {
    if (!session.kernels().use(name)) break;
    const Outcome other = session.perform(c, data, {.plausible_gaps = true, .counts = false});
    if (other.phase1.status == 0 && other.phase1.kernel != name) continue;  // it is not right there
    verdict = same_bits(c, usual, other, "with the kernel '" + name + "'", bench.use);
    if (!verdict.held || !verdict.checked) break;
  }
  return verdict;
}

}  // namespace

bool kernels_apply(const Case& c) { return has_result(c) && largest_tensor(c) <= kLargest; }

Verdict check_kernels(const Case& c, Bench& bench) {
  Session& session = bench.session;
  const std::vector<ref::Dense> data = make_data(c);
  Verdict verdict = agree(c, data, bench);
  if (!verdict.held || !verdict.checked || !bench.promises("instruction-sets")) return verdict;
  const int threads = session.threads();
  const std::string_view set = kInstructionSets[mix(c.seed) % std::size(kInstructionSets)];
  if (takes(session, set)) {
    verdict = agree(c, data, bench);
    if (!verdict.held) verdict.finding += "\n  instruction set: " + std::string(set);
  }
  session.select(c.call.product, threads);
  return verdict;
}

}  // namespace gradproof::props
