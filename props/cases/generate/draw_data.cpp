// Data recipes and misuse of a generated case.
#include <limits>

#include "props/cases/generate/draw_case.h"
#include "props/cases/overlap.h"
#include "props/cases/shapes.h"

namespace gradproof::props {
namespace {

Fill draw_fill(Draw& draw, bool finite) {
  switch (draw.below(finite ? 14 : 18)) {
    case 6: return {Fill::Kind::uniform, -5, 5};
    case 7: return {Fill::Kind::uniform, 0, 1};
    case 8: return {Fill::Kind::normal, 0, 1};
    case 9: return {Fill::Kind::normal, -73.5, 13};
    case 10:
    case 11: return {Fill::Kind::powers, 8, 0};
    case 12: return {Fill::Kind::zeros_and_ones, 8, 0};
    case 13: return {Fill::Kind::constant, draw.pick({1.0, 0.0, -0.0, 60000.0, 1e-7, 0.1}), 0};
    case 14:
      return {Fill::Kind::constant,
              draw.pick({std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity()}),
              0};
    case 15:
    case 16:
    case 17: return {Fill::Kind::special, 8, 0};
    default: return {};
  }
}

}  // namespace

void draw_data(Draw& draw, Case& c, CallKind kind) {
  const ref::Operator op = c.call.op;
  const int indices = indices_slot(op);
  c.seed = draw.below(1'000'000);
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if (p.kind != ref::Kind::tensor || p.access == ref::Access::written || p.slot == indices)
      continue;
    // NaN and −Inf in the mask pool's forward are no case for most libraries (promises.h). `self`
    // of a gradient matters only to the indices that its forward yields.
    const bool finite =
        !family(op).takes_nan && p.name == "self" && (ref::is_backward(op) || !draw.chance(1, 6));
    if (p.access == ref::Access::read || indices >= 0) c.fills[p.slot] = draw_fill(draw, finite);
  }
  if (indices >= 0 && ref::is_backward(op)) {
    const std::uint64_t way = draw.below(kind == CallKind::layer ? 12 : 20);
    Fill& fill = c.fills[indices];
    // Elements that share an address share their value too, which no argmax and no single bad index
    // does.
    if (way >= 10 || may_overlap(c.call.tensors[indices]))
      fill.kind = Fill::Kind::in_range;
    else if (way >= 8 && !has_mask(op))
      fill.kind = Fill::Kind::one_bad;
    if (fill.kind == Fill::Kind::one_bad && *element_count(c.call.tensors[indices].shape) == 0) {
      fill.kind = Fill::Kind::in_range;
    }
  }
  if (draw.chance(1, 16))
    c.misuse = static_cast<Misuse>(draw.between(1, static_cast<std::int64_t>(Misuse::dead_stream)));
}

}  // namespace gradproof::props
