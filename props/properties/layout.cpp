// Layout: what a view's elements are counts, not where in memory they lie.
#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "props/properties/problem.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {

bool layout_applies(const Case& c) {
  if (!has_result(c)) return false;
  for (int slot = 0; slot < static_cast<int>(c.call.tensors.size()); ++slot) {
    const ref::Tensor& t = c.call.tensors[slot];
    if (access_of(c.call.op, slot) != ref::Access::described && (t.offset != 0 || !is_dense(t)))
      return true;
  }
  return false;
}

Verdict check_layout(const Case& c, Bench& bench) {
  const std::vector<ref::Dense> data = make_data(c);
  Case copy = c;
  make_plain(copy.call);
  const Outcome own = bench.session.perform(c, data);
  note(copy, bench);
  return same_bits(c, own, bench.session.perform(copy, data),
                   "between the case's views and contiguous copies", bench.use,
                   profiles::Dependence::layout);
}

}  // namespace gradproof::props
