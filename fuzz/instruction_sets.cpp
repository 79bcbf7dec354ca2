// Fuzz target: one small valid call of any operator, carried out in all the ways that must not show
// in its result: on every instruction set that the machine has, with 1, 2 and 3 threads.
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/case_target.h"
#include "props/cases/data/data.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace {

using namespace gradproof;
using props::Case, props::Verdict;

constexpr int kMostThreads = 3;

Verdict check(const Case& c) {
  static const std::vector<std::string_view> sets =
      fuzz::session(ref::Product::Ascend910B).instruction_sets();
  if (!props::has_result(c)) return {};
  props::Session& session = fuzz::session(c.call.product);
  const std::vector<ref::Dense> data = props::make_data(c);
  const props::Outcome usual = session.perform(c, data);
  for (const std::string_view set : sets) {
    for (int threads = 1; threads <= kMostThreads; ++threads) {
      session.select(c.call.product, threads, set);
      Verdict verdict = props::same_bits(
          c, usual, session.perform(c, data),
          "on " + std::string(set) + " with " + std::to_string(threads) + " threads");
      if (!verdict.held) return verdict;
    }
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::demand(fuzz::small_case({data, size}), check, fuzz::is_small_and_valid);
  return 0;
}
