// Bitwise comparison of two runs.
#include "props/properties/same_bits.h"

#include <algorithm>

#include "props/cases/memory_layout.h"
#include "props/judge/numbers.h"
#include "ref/element.h"

namespace gradproof::props {

Verdict same_bits(const Case& c, const Outcome& first, const Outcome& second,
                  const std::string& manner) {
  for (const Outcome* run : {&first, &second}) {
    if (!run->phase1.failure.empty()) return Verdict::violated("runtime", run->phase1.failure);
  }
  if (first.phase1.status != second.phase1.status || first.phase2 != second.phase2 ||
      first.sync != second.sync) {
    return Verdict::violated(
        "status", "statuses differ " + manner + ": phase 1 " + std::to_string(first.phase1.status) +
                      " and " + std::to_string(second.phase1.status) + ", phase 2 " +
                      std::to_string(first.phase2) + " and " + std::to_string(second.phase2) +
                      ", synchronisation " + std::to_string(first.sync) + " and " +
                      std::to_string(second.sync));
  }
  for (std::size_t slot = 0; slot < first.outputs.size(); ++slot) {
    const ref::Dense& a = first.outputs[slot];
    const ref::Dense& b = second.outputs[slot];
    if (a.bytes == b.bytes) continue;
    const auto [at, other] = std::mismatch(a.bytes.begin(), a.bytes.end(), b.bytes.begin());
    const std::int32_t type = ref::component_type(a.dtype);
    const std::int64_t value = (at - a.bytes.begin()) / ref::dtype_size(type);
    return Verdict::violated(
        "bits", std::string(tensor_name(c.call.op, static_cast<int>(slot))) +
                    coordinates(value / ref::components(a.dtype), a.shape) + " differs " + manner +
                    ": " + number(ref::load(a.bytes.data(), type, value), type) + " and " +
                    number(ref::load(b.bytes.data(), type, value), type));
  }
  if (!second.unstable.empty()) return Verdict::violated("repeat", second.unstable);
  return {};
}

}  // namespace gradproof::props
