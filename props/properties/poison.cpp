// Poison: what memory held before a run must not show in its result, nor how often it ran.
#include "props/cases/data/data.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {

bool poison_applies(const Case& c) { return has_result(c); }

Verdict check_poison(const Case& c, Bench& bench) {
  constexpr int kTries = 3;
  const std::vector<ref::Dense> data = make_data(c);
  // A workspace of zeros, as new pages of a process are.
  const Manner other{.poison = 0x3C, .workspace = 0, .plausible_gaps = true};
  const Outcome first = bench.session.perform(c, data, other);
  // All ones: NaN in every floating type, so that whatever is read before it is written spreads.
  // Beside the elements of inputs is another NaN (props/cases/data/outside.h).
  const Outcome second = bench.session.perform(c, data, {.poison = 0xFF, .repeats = 3});
  Verdict verdict =
      same_bits(c, first, second,
                "between memory filled with 3C, a workspace of zeros, inputs' gaps with an element "
                "of theirs, and memory filled with NaN (three runs of one executor)",
                bench.use);
  // What changes by itself, as by a race, says nothing about memory.
  for (int i = 0; !verdict.held && i < kTries; ++i) {
    Verdict by_itself = same_bits(c, first, bench.session.perform(c, data, other),
                                  "from run to run in equal memory", bench.use);
    if (!by_itself.held) return by_itself;
  }
  return verdict;
}

}  // namespace gradproof::props
