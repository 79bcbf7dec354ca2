// Fuzz target: a sequence of runtime and executor calls on a small call of any operator. Every
// answer and every output must be the model's; commands that have no meaning where they stand are
// left out.
#include "fuzz/case_target.h"
#include "fuzz/mutate.h"
#include "props/properties/property.h"
#include "props/sequences/bytes.h"

namespace {

using namespace gradproof;
using props::Case, props::Verdict;

Verdict check(const Case& c) {
  if (!props::life_cycle_applies(c)) return {};
  props::Bench bench{fuzz::session(c.call.product)};
  return props::check_life_cycle(c, bench);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const std::optional<Case> c = props::sequence_from_bytes({data, size}))
    fuzz::demand(*c, check);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return gradproof::fuzz::mutate_sequence(data, size, max_size, seed);
}
