// Order: samples, channels and axes are all alike, so the same problem under other names has the
// same answer under other names. Sums are exact (problem.h), so that their order cannot show.
#include <algorithm>

#include "acl/acl_base.h"
#include "props/cases/shapes.h"
#include "props/properties/relabel.h"

namespace gradproof::props {
namespace {

bool is_nhwc(const ref::Call& call) {
  return channels_last(call.op, call.tensors[output_side(call.op)]);
}

std::size_t channel_axis(const ref::Call& call) {
  const std::size_t rank = call.tensors[output_side(call.op)].shape.size();
  return is_nhwc(call) ? 3 : rank - static_cast<std::size_t>(spatial_axes(call.op)) - 1;
}

std::int64_t extent(const Case& c, std::size_t axis) {
  return c.call.tensors[output_side(c.call.op)].shape[axis];
}

bool has_batch(const ref::Call& call) { return is_nhwc(call) || channel_axis(call) == 1; }

Verdict check(const Problem& first, const Problem& second, const Relabel& r,
              const std::string& manner, Bench& bench) {
  demand_decided_maxima(first, bench);
  const Run before = perform(first, bench);
  if (!before.ran) return before.verdict;
  const Run after = perform(second, bench);
  if (!after.ran) return after.verdict;
  for (std::size_t i = 0; i < after.outputs.size(); ++i) {
    const int slot = static_cast<int>(i);
    const ref::Dense due =
        relabelled_output(first.c.call, second.c.call, slot, before.outputs[i], r);
    Verdict verdict = same_values(first.c.call.op, slot, due, after.outputs[i], manner);
    if (!verdict.held) return verdict;
  }
  return {};
}

Verdict check_shift(const Case& c, std::size_t axis, const std::string& manner, Bench& bench) {
  const Problem first = exact_problem(c);
  Relabel r = unchanged(c.call);
  r.shift[axis] = 1;
  return check(first, relabelled(first, r), r, manner, bench);
}

}  // namespace

bool batch_order_applies(const Case& c) {
  return can_be_exact(c) && has_batch(c.call) && extent(c, 0) > 1;
}

Verdict check_batch_order(const Case& c, Bench& bench) {
  return check_shift(c, 0, "with samples rotated by one", bench);
}

bool channel_order_applies(const Case& c) {
  return can_be_exact(c) && extent(c, channel_axis(c.call)) > 1;
}

Verdict check_channel_order(const Case& c, Bench& bench) {
  return check_shift(c, channel_axis(c.call), "with channels rotated by one", bench);
}

// A pool's forward has to choose between equal maxima by their position, so it gets none.
bool axis_order_applies(const Case& c) {
  if (!can_be_exact(c)) return false;
  if (!selects(c.call.op)) return true;
  const std::vector<std::int64_t>& shape = c.call.tensors[input_side(c.call.op).front()].shape;
  std::int64_t plane = 1;
  for (std::size_t a = first_spatial(c.call); a < shape.size(); ++a) plane *= shape[a];
  return plane <= kMostDistinct;
}

Verdict check_axis_order(const Case& c, Bench& bench) {
  Problem first = exact_problem(c);
  if (selects(c.call.op)) {
    // In plain layout: elements of a broadcast view cannot all differ.
    make_plain(first.c.call);
    make_distinct(first.data[data_slot(c.call.op)], spatial_axes(c.call.op));
  }
  Relabel r = unchanged(c.call);
  const std::size_t at = first_spatial(c.call), axes = r.spatial.size();
  for (std::size_t a = 0; a < axes; ++a) {
    r.spatial[a] = (a + 1) % axes;
    r.order[at + a] = at + r.spatial[a];
  }
  const std::string manner =
      axes == 3 ? "with H, W, D in place of D, H, W" : "with H and W exchanged";
  return check(first, relabelled(first, r), r, manner, bench);
}

bool nhwc_applies(const Case& c) { return family(c.call.op).format_places_axes && can_be_exact(c); }

Verdict check_nhwc(const Case& c, Bench& bench) {
  const Problem first = exact_problem(c);
  Relabel r = unchanged(c.call);
  const bool from_nhwc = is_nhwc(c.call);
  r.order = from_nhwc ? std::vector<std::size_t>{0, 3, 1, 2} : std::vector<std::size_t>{0, 2, 3, 1};
  Problem second = relabelled(first, r);
  for (ref::Tensor& t : second.c.call.tensors)
    t.format = from_nhwc ? ACL_FORMAT_NCHW : ACL_FORMAT_NHWC;
  return check(first, second, r, from_nhwc ? "as NCHW" : "as NHWC", bench);
}

}  // namespace gradproof::props
