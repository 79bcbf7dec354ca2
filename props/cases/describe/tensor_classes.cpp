// The classes of layouts, memory and extents, one row a class.
#include "props/cases/describe/class_rows.h"

#include <algorithm>
#include <set>

#include "props/cases/describe/classes.h"
#include "props/cases/overlap.h"
#include "props/cases/wide.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Access;

/// Whether any tensor of that access (all of them: `any`) is as `is` says.
template <class F>
bool some_tensor(const Case& c, const F& is, bool written, bool inputs = true) {
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    if ((p.access == Access::written ? written : inputs) && is(c.call.tensors[p.slot])) return true;
  }
  return false;
}

/// Planes of the input: samples times channels.
Wide planes(const Case& c) {
  const Shape& in = in_shape(c);
  const std::size_t first = first_spatial(c.call), axes = spatial_axes(c.call.op);
  Wide count = 1;
  for (std::size_t a = 0; a < in.size(); ++a) {
    if (a < first || a >= first + axes) count *= in[a];
  }
  return count;
}

bool empty(const ref::Tensor& t) { return element_count(t.shape) == 0; }

bool plain(const ref::Tensor& t) {
  return t.offset == 0 && (t.null_strides || t.strides == ref::contiguous_strides(t.shape));
}

bool has_gaps(const ref::Tensor& t) {
  if (t.null_strides || empty(t) || may_overlap(t)) return false;
  Wide reach = 0;
  for (std::size_t a = 0; a < t.shape.size(); ++a)
    reach += t.shape[a] > 1 ? Wide{t.shape[a] - 1} * t.strides[a] : 0;
  return reach + 1 > *element_count(t.shape);
}

bool transposed(const ref::Tensor& t) {
  if (t.null_strides || may_overlap(t)) return false;
  std::int64_t outer = 0;
  for (std::size_t a = 0; a < t.shape.size(); ++a) {
    if (t.shape[a] < 2) continue;
    if (outer != 0 && t.strides[a] > outer) return true;
    outer = t.strides[a];
  }
  return false;
}

bool broadcast(const ref::Tensor& t) {
  for (std::size_t a = 0; !t.null_strides && a < t.shape.size(); ++a) {
    if (t.shape[a] > 1 && t.strides[a] == 0) return true;
  }
  return false;
}

bool odd_unit_stride(const ref::Tensor& t) {
  if (t.null_strides) return false;
  const std::vector<std::int64_t> plain_strides = ref::contiguous_strides(t.shape);
  for (std::size_t a = 0; a < t.shape.size(); ++a) {
    if (t.shape[a] == 1 && t.strides[a] != plain_strides[a]) return true;
  }
  return false;
}

bool large_storage(const ref::Tensor& t) {
  return element_count(t.storage).value_or(0) > element_count(default_storage(t)).value_or(0);
}

bool any_op(ref::Operator) { return true; }
bool describes_self(ref::Operator op) {
  return std::ranges::any_of(ref::signature(op).parameters,
                             [](const ref::Parameter& p) { return p.access == Access::described; });
}

const ClassRow kRows[] = {
    {"all-contiguous", any_op,
     [](const Case& c) {
       return !some_tensor(
           c, [](const auto& t) { return !plain(t); }, true);
     }},
    {"null-strides", any_op,
     [](const Case& c) {
       return some_tensor(
           c, [](const auto& t) { return t.null_strides; }, true);
     }},
    {"offset-input", any_op,
     [](const Case& c) {
       return some_tensor(
           c, [](const auto& t) { return t.offset != 0; }, false);
     }},
    {"offset-output", any_op,
     [](const Case& c) {
       return some_tensor(
           c, [](const auto& t) { return t.offset != 0; }, true, false);
     }},
    {"strided-input", any_op, [](const Case& c) { return some_tensor(c, has_gaps, false); }},
    {"strided-output", any_op, [](const Case& c) { return some_tensor(c, has_gaps, true, false); }},
    {"transposed-input", any_op, [](const Case& c) { return some_tensor(c, transposed, false); }},
    {"transposed-output", any_op,
     [](const Case& c) { return some_tensor(c, transposed, true, false); }},
    {"broadcast-input", any_op, [](const Case& c) { return some_tensor(c, broadcast, false); }},
    {"overlapping-input", any_op,
     [](const Case& c) {
       return some_tensor(
           c, [](const auto& t) { return may_overlap(t) && !broadcast(t); }, false);
     }},
    {"extent-1-odd-stride", any_op,
     [](const Case& c) { return some_tensor(c, odd_unit_stride, true); }},
    {"storage-larger", any_op, [](const Case& c) { return some_tensor(c, large_storage, true); }},
    {"self-shares-gradInput", describes_self,
     [](const Case& c) { return ref::tensor(c.call, "self").shares >= 0; }},
    {"self-null-data", describes_self,
     [](const Case& c) { return ref::tensor(c.call, "self").null_data; }},
    {"empty", can_be_empty, [](const Case& c) { return some_tensor(c, empty, true); }},
    {"distinct-extents", any_op,
     [](const Case& c) {
       const Shape& in = in_shape(c);
       return std::set<std::int64_t>(in.begin(), in.end()).size() == in.size();
     }},
    {"equal-spatial-extents", any_op,
     [](const Case& c) {
       const auto first = in_shape(c).begin() + static_cast<std::ptrdiff_t>(first_spatial(c.call));
       return *first > 1 && std::equal(first + 1, first + spatial_axes(c.call.op), first);
     }},
    {"extent-1", any_op,
     [](const Case& c) { return std::count(in_shape(c).begin(), in_shape(c).end(), 1) > 0; }},
    {"first-extent-1", any_op, [](const Case& c) { return in_shape(c)[0] == 1; }},
    {"extent-over-64", any_op,
     [](const Case& c) { return *std::max_element(in_shape(c).begin(), in_shape(c).end()) > 64; }},
    {"extent-over-256", any_op,
     [](const Case& c) { return *std::max_element(in_shape(c).begin(), in_shape(c).end()) > 256; }},
    {kManyPlanes, any_op, [](const Case& c) { return planes(c) > 65535; }},
};

}  // namespace

std::span<const ClassRow> tensor_classes() { return kRows; }

}  // namespace gradproof::props
