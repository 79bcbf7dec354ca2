// Bitwise comparison of results.
#include "props/judge/repeats.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "props/cases/memory_layout.h"
#include "props/judge/numbers.h"
#include "ref/element.h"

namespace gradproof::props {

bool differ_in_nans_alone(const ref::Dense& a, const ref::Dense& b) {
  if (!ref::is_floating(a.dtype)) return false;
  const std::int32_t type = ref::component_type(a.dtype);
  const std::int64_t size = ref::dtype_size(type);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(a.bytes.size()) / size; ++i) {
    if (std::memcmp(a.bytes.data() + i * size, b.bytes.data() + i * size,
                    static_cast<std::size_t>(size)) == 0)
      continue;
    if (!std::isnan(ref::load(a.bytes.data(), type, i)) ||
        !std::isnan(ref::load(b.bytes.data(), type, i)))
      return false;
  }
  return true;
}

std::string difference(const ref::Call& call, int slot, const ref::Dense& a, const ref::Dense& b,
                       const std::string& manner) {
  const auto [at, other] = std::mismatch(a.bytes.begin(), a.bytes.end(), b.bytes.begin());
  const std::int32_t type = ref::component_type(a.dtype);
  const std::int64_t value = (at - a.bytes.begin()) / ref::dtype_size(type);
  return std::string(tensor_name(call.op, slot)) +
         coordinates(value / ref::components(a.dtype), a.shape) + " differs " + manner + ": " +
         number(ref::load(a.bytes.data(), type, value), type) + " and " +
         number(ref::load(b.bytes.data(), type, value), type);
}

Verdict judge_repeats(const Case& c, const Outcome& run, const profiles::Terms& terms,
                      profiles::Use* use) {
  for (const std::vector<ref::Dense>& other : run.other_runs) {
    for (std::size_t slot = 0; slot < run.outputs.size(); ++slot) {
      const ref::Dense &a = run.outputs[slot], &b = other[slot];
      if (a.bytes == b.bytes) continue;
      const bool nans = terms.nan_bits != nullptr && differ_in_nans_alone(a, b);
      const profiles::Entry* const entry =
          nans ? terms.nan_bits : terms.lets_depend(profiles::Dependence::runs);
      if (entry == nullptr)
        return Verdict::violated("repeat",
                                 difference(c.call, static_cast<int>(slot), a, b,
                                            "between two runs of one repeatable executor"));
      use->met(*entry);
    }
  }
  return {};
}

}  // namespace gradproof::props
