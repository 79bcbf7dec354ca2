// Small valid cases from bytes. See case_target.h.
#include <algorithm>

#include "fuzz/case_target.h"
#include "props/cases/data/data.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/memory_layout.h"
#include "props/cases/text/bytes.h"
#include "ref/element.h"
#include "ref/rules.h"

namespace gradproof::fuzz {
namespace {

/// Of all tensors together; a run takes a fraction of a millisecond then.
constexpr std::int64_t kMostBytes = 1 << 14;
/// Window positions, taps and the like that reference and library walk through.
constexpr std::int64_t kMostWork = 1 << 14;

/// Whether no parameter makes a call on small tensors long: a huge window over padding does.
bool short_loops(const ref::Call& call) {
  std::int64_t work = 1;
  for (const ref::IntArray& array : call.arrays) {
    for (std::int64_t value : array.values) {
      if (value > 1) work *= std::min(value, kMostWork);
      if (work > kMostWork) return false;
    }
  }
  return true;
}

/// Elements lie at multiples of their size: what the contract asks of a data pointer.
bool aligned(const ref::Call& call) {
  const props::Layout layout = props::layout_of(call);
  for (std::size_t slot = 0; slot < call.tensors.size(); ++slot) {
    const std::int64_t low = layout.allocations[layout.allocation[slot]].low;
    const int size = ref::dtype_size(ref::component_type(call.tensors[slot].dtype));
    if ((layout.at[slot] - low) % size != 0) return false;
  }
  return true;
}

}  // namespace

bool is_small_and_valid(const props::Case& c) {
  return ref::expect(c.call).rule == nullptr && props::runnable(c, kMostBytes) &&
         short_loops(c.call) && aligned(c.call);
}

bool fits_no_memory(const ref::Call& call) {
  if (props::fits_address_space(props::layout_of(call))) return false;
  const ref::Rule* rule = ref::expect(call).rule;
  return rule == nullptr || rule->id == "alias";
}

props::Case small_case(std::span<const std::uint8_t> bytes) {
  props::Case c = props::from_bytes(bytes, only_operator());
  if (is_small_and_valid(c)) return c;
  const std::vector<props::CoveragePoint> points = props::coverage_points(c.call.op);
  props::ByteSource source(bytes);
  const props::CoveragePoint& point = points[source.below(points.size())];
  props::Case drawn = props::generate_valid(source, point, {.max_elements = 128});
  drawn.seed = c.seed;
  return drawn;
}

}  // namespace gradproof::fuzz
