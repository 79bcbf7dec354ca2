// Fuzz target: phase 1 of one operator with any descriptors at all. It must return what the rule
// table says, leave its outputs alone when it refuses, name operator and rule in its message, and
// ask for no memory in proportion to what a descriptor claims.
#include "fuzz/case_target.h"
#include "props/cases/text/bytes.h"

namespace {

using namespace gradproof;
using props::Case, props::Verdict;

/// Far more than a plan needs, far less than what hostile descriptors claim.
constexpr std::size_t kLargestAllocation = std::size_t{1} << 20;

Verdict check(const Case& c) {
  props::Session& session = fuzz::session(c.call.product);
  fuzz::largest_allocation();
  const props::Phase1 got = session.get_workspace_size(c.call);
  if (const std::size_t bytes = fuzz::largest_allocation(); bytes > kLargestAllocation)
    return Verdict::violated("allocation", "phase 1 allocated " + std::to_string(bytes) + " bytes");
  if (got.failure.empty() && got.status == 0) {
    const props::Phase1 again = session.get_workspace_size(c.call);
    if (again.status != 0 || again.workspace != got.workspace)
      return Verdict::violated("workspace", "phase 1 asked for " + std::to_string(got.workspace) +
                                                " bytes, then answered " +
                                                std::to_string(again.status) + " and asked for " +
                                                std::to_string(again.workspace));
  }
  Verdict verdict = props::judge_phase1(c.call, got);
  if (verdict.held && got.status != 0)
    verdict = props::judge_message(c.call, got, props::Naming::any_argument);
  return verdict.held || fuzz::fits_no_memory(c.call) ? Verdict{} : verdict;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::demand(props::from_bytes({data, size}, fuzz::only_operator()), check);
  return 0;
}
