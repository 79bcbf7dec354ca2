// Fuzz target: a small valid call of one operator, both phases on poisoned, guarded memory, with
// any data and layout or one misuse of phase 2. Every value must be within the contract's bound,
// nothing else may be written.
#include "fuzz/case_target.h"
#include "props/cases/data/data.h"

namespace {

using namespace gradproof;
using props::Case, props::Verdict;

Verdict check(const Case& c) {
  const std::vector<ref::Dense> data = props::make_data(c);
  return props::judge_outcome(c, data, fuzz::session(c.call.product).perform(c, data));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::demand(fuzz::small_case({data, size}), check, fuzz::is_small_and_valid);
  return 0;
}
