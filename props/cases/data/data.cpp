// Dense tensors from a case's data recipe.
#include "props/cases/data/data.h"

#include <algorithm>
#include <cstring>

#include "props/cases/data/fill.h"
#include "props/cases/data/indices.h"
#include "props/cases/memory_layout.h"
#include "props/cases/overlap.h"
#include "props/cases/shapes.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

std::vector<std::int64_t> strides_of(const ref::Tensor& t) {
  return t.null_strides ? ref::contiguous_strides(t.shape) : t.strides;
}

/// The lowest and the highest element of a view that lies inside its storage.
struct Reach {
  std::int64_t low, high;
};
Reach reach(const ref::Tensor& t) {
  const std::vector<std::int64_t> strides = strides_of(t);
  Reach reach{t.offset, t.offset};
  for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
    if (t.shape[axis] > 1)
      (strides[axis] < 0 ? reach.low : reach.high) += (t.shape[axis] - 1) * strides[axis];
  }
  return reach;
}

/// Calls `share(i, next)` for each element i and the next one, in row-major order, that has the
/// same address.
template <class Share>
void each_shared(const ref::Tensor& t, const Share& share) {
  if (!may_overlap(t)) return;
  const ViewWalk walk(t);
  const auto [low, high] = reach(t);
  const std::int64_t span = high - low + 1;
  if (span <= 4 * walk.count() + 1024) {  // a table of addresses unless the view is very thin
    std::vector<std::int64_t> before(static_cast<std::size_t>(span), -1);
    walk.each([&, low = low](std::int64_t i, std::int64_t where) {
      std::int64_t& there = before[static_cast<std::size_t>(where - low)];
      if (there >= 0) share(there, i);
      there = i;
    });
    return;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> elements;
  elements.reserve(static_cast<std::size_t>(walk.count()));
  walk.each([&](std::int64_t i, std::int64_t where) { elements.emplace_back(where, i); });
  std::sort(elements.begin(), elements.end());
  for (std::size_t i = 1; i < elements.size(); ++i) {
    if (elements[i].first == elements[i - 1].first)
      share(elements[i - 1].second, elements[i].second);
  }
}

/// Memory holds one value per address, so elements of an overlapping view that share one get the
/// value of the first of them in row-major order.
void unify_shared(const ref::Tensor& t, ref::Dense& dense) {
  if (dense.bytes.empty()) return;
  const auto size = static_cast<std::size_t>(ref::dtype_size(t.dtype));
  each_shared(t, [&](std::int64_t from, std::int64_t to) {
    std::memcpy(dense.bytes.data() + static_cast<std::size_t>(to) * size,
                dense.bytes.data() + static_cast<std::size_t>(from) * size, size);
  });
}

ref::Dense fill_tensor(const Case& c, int slot) {
  const ref::Tensor& t = c.call.tensors[slot];
  const std::int64_t count = *element_count(t.shape);
  ref::Dense dense{
      t.dtype, t.shape,
      std::vector<std::byte>(static_cast<std::size_t>(count * ref::dtype_size(t.dtype)))};
  fill_reals(c.fills[slot], Stream(c.seed, slot), ref::component_type(t.dtype), dense.bytes.data(),
             count * ref::components(t.dtype));
  return dense;
}

bool for_indices_only(Fill::Kind kind) { return kind >= Fill::Kind::forward; }

/// The recipe of a tensor that is not `indices`, whatever a hand-written case says.
Case with_element_fills(Case c) {
  for (std::size_t slot = 0; slot < c.fills.size(); ++slot) {
    const bool read_indices =
        default_fill(c.call.op, static_cast<int>(slot)).kind == Fill::Kind::forward;
    if (for_indices_only(c.fills[slot].kind) && !read_indices) c.fills[slot] = Fill{};
  }
  return c;
}

/// Whether two inputs that are read have bytes in common: allowed, but no recipe can fill both.
bool inputs_share_bytes(const ref::Call& call) {
  struct Span {
    int allocation;
    std::int64_t first, last;
  };
  const Layout layout = layout_of(call);
  std::vector<Span> spans;
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::tensor || p.access != ref::Access::read) continue;
    const ref::Tensor& t = call.tensors[p.slot];
    if (element_count(t) == 0) continue;
    const std::int64_t size = ref::dtype_size(t.dtype);
    const auto [low, high] = reach(t);
    const std::int64_t at = layout.at[p.slot];
    const Span span{layout.allocation[p.slot], at + low * size, at + (high + 1) * size};
    for (const Span& other : spans) {
      if (span.allocation == other.allocation && span.first < other.last && other.first < span.last)
        return true;
    }
    spans.push_back(span);
  }
  return false;
}

}  // namespace

ViewWalk::ViewWalk(const ref::Tensor& t)
    : shape_(t.shape), strides_(strides_of(t)), offset_(t.offset) {
  count_ = element_count(t.shape).value_or(0);
}

std::string obstacle(const Case& c, std::int64_t max_bytes) {
  const auto too_large = [&] {
    return "its tensors take more than " + std::to_string(max_bytes) + " bytes";
  };
  std::int64_t total = 0;
  for (const ref::Tensor& t : c.call.tensors) {
    const std::int64_t size = ref::dtype_size(t.dtype);
    if (t.null || size == 0) return "a tensor is null, or its type has no size";
    for (const std::vector<std::int64_t>* shape : {&t.shape, &t.storage}) {
      const auto count = element_count(*shape);
      std::int64_t bytes = 0;
      if (!count || __builtin_mul_overflow(*count, size, &bytes) ||
          __builtin_add_overflow(total, bytes, &total)) {
        return too_large();
      }
    }
    if (t.shares != -1) {
      if (t.shares_at < 0) return "a tensor begins before the memory that it shares";
      if (__builtin_add_overflow(total, t.shares_at, &total)) return too_large();
    }
    if (total > max_bytes) return too_large();
  }
  if (inputs_share_bytes(c.call)) return "two inputs share bytes, and no recipe can fill both";
  return {};
}

std::vector<bool> replaced_elements(const ref::Tensor& t) {
  std::vector<bool> replaced;
  each_shared(t, [&](std::int64_t i, std::int64_t) {
    if (replaced.empty()) replaced.resize(static_cast<std::size_t>(*element_count(t.shape)));
    replaced[static_cast<std::size_t>(i)] = true;
  });
  return replaced;
}

bool runnable(const Case& c, std::int64_t max_bytes) { return obstacle(c, max_bytes).empty(); }

namespace {

/// Whether self has a plane with elements for each plane of gradOutput. Some libraries accept calls
/// where it has not.
bool has_forward(const ref::Call& call) {
  const auto planes = [&](std::string_view name) {
    const std::vector<std::int64_t>& shape = ref::tensor(call, name).shape;
    return std::vector(shape.begin(), shape.end() - spatial_axes(call.op));
  };
  return planes("self") == planes("gradOutput") &&
         *element_count(ref::tensor(call, "self").shape) > 0;
}

}  // namespace

bool has_indices_in_windows(const Case& c) {
  const int slot = indices_slot(c.call.op);
  return slot >= 0 && ref::is_backward(c.call.op) && c.fills[slot].kind == Fill::Kind::forward &&
         has_forward(c.call) && !may_overlap(c.call.tensors[slot]);
}

std::vector<ref::Dense> make_data(const Case& original) {
  const Case c = with_element_fills(original);
  std::vector<ref::Dense> data(c.call.tensors.size());
  int indices = -1;
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind != ref::Kind::tensor || p.access != ref::Access::read) continue;
    if (for_indices_only(c.fills[p.slot].kind))
      indices = p.slot;
    else
      data[p.slot] = fill_tensor(c, p.slot);
  }
  if (indices >= 0) {
    const ref::Tensor& t = c.call.tensors[indices];
    if (*element_count(t.shape) == 0) {
      data[indices] = {t.dtype, t.shape, {}};
    } else if (c.fills[indices].kind != Fill::Kind::forward || !has_forward(c.call)) {
      data[indices] = random_indices(c);
    } else {
      const int self = ref::slot(c.call.op, "self");
      data[self] = fill_tensor(c, self);
      data[indices] = ref::forward_indices(c.call, data[self]);
    }
  }
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind == ref::Kind::tensor && p.access == ref::Access::read)
      unify_shared(c.call.tensors[p.slot], data[p.slot]);
  }
  return data;
}

}  // namespace gradproof::props
