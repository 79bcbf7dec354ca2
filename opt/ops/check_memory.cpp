// Rules on memory: a view fits its storage, an output does not meet itself, nor what is read.
#include <algorithm>
#include <array>

#include "opt/base/checked.h"
#include "opt/ops/check.h"

namespace gradproof::ops {

namespace {

/// Elements from the first to the last element of a non-empty view, less 1. No more than 2⁶³ · 2⁶³:
/// extents of at least 1 sum up to no more than their product, which fits int64.
Wide reach(const Tensor& t) {
  Wide sum = 0;
  for (std::size_t i = 0; i < t.shape.size(); ++i) sum += multiply(t.shape[i] - 1, t.strides[i]);
  return sum;
}

bool contiguous(const Tensor& t) {
  std::int64_t expected = 1;
  for (std::size_t i = t.shape.size(); i-- > 0;) {
    if (t.shape[i] != 1 && t.strides[i] != expected) return false;
    expected *= t.shape[i];
  }
  return true;
}

Status check_view(const Call& call, TensorArgument& a) {
  if (a->whole) {  // most are; nothing more is to be asked about them, since **dim-value** holds
    a.reach = a.elements - 1;
    return {};
  }
  for (std::size_t i = 0; i < a->storage.size(); ++i) {
    if (a->storage[i] < 0) {
      return refuse(call, "view", a.name, " has storage dimension ", i, " = ", a->storage[i],
                    ", must be at least 0");
    }
  }
  const auto count = checked_product(a->storage);
  if (!count || !checked_mul(*count, a.element_bytes)) {
    return refuse(call, "view", a.name,
                  " has a storage of more elements or bytes than fit in int64");
  }
  if (a->offset < 0) {
    return refuse(call, "view", a.name, " has offset ", a->offset, ", must be at least 0");
  }
  for (std::size_t i = 0; i < a->strides.size(); ++i) {
    if (a->strides[i] < 0) {
      return refuse(call, "view", a.name, " has stride ", a->strides[i], " at dimension ", i,
                    ", must be at least 0");
    }
  }
  if (a.empty()) return {};
  const Wide last = reach(*a.tensor) + a->offset;
  if (last >= *count) {
    return refuse(call, "view", a.name, " reaches element ", last, " of a storage of ", *count);
  }
  if (a.content == Content::mask && !contiguous(*a.tensor)) {
    return refuse(call, "view", a.name, " is not contiguous, must be");
  }
  a.reach = static_cast<std::int64_t>(last) - a->offset;
  return {};
}

/// Strides that nest: each is larger than the reach of all smaller ones together.
Status check_overlap(const Call& call, const TensorArgument& a) {
  if (a.access != Access::written || a.empty() || a->whole) return {};
  std::array<int, 5> axes{};
  int count = 0;
  for (int axis = 0; axis < a.rank(); ++axis) {
    if (a->shape[axis] > 1) axes[count++] = axis;
  }
  std::int64_t inner = 0;  // fits: the whole view fits its storage
  for (int i = 0; i < count; ++i) {
    const auto smallest =
        std::min_element(axes.begin() + i, axes.begin() + count,
                         [&](int x, int y) { return a->strides[x] < a->strides[y]; });
    std::iter_swap(axes.begin() + i, smallest);
    const std::int64_t stride = a->strides[axes[i]];
    if (stride <= inner) {
      return refuse(call, "output-overlap", a.name, " has stride ", stride, " at dimension ",
                    axes[i], ", must be more than ", inner, ", which the smaller strides reach");
    }
    inner += (a->shape[axes[i]] - 1) * stride;
  }
  return {};
}

struct Bytes {
  Wide begin, end;  ///< addresses; both 0 if there is nothing
};

Bytes spanned(const TensorArgument& a) {
  if (a.data == nullptr || a.empty()) return {0, 0};
  // The address may be any number; in bytes, the storage and thus all within it fits int64.
  const Wide begin =
      static_cast<Wide>(reinterpret_cast<std::uintptr_t>(a.data)) + a->offset * a.element_bytes;
  return {begin, begin + (a.reach + 1) * a.element_bytes};
}

Status check_alias(const Call& call) {
  for (const TensorArgument& a : call.tensors) {
    if (a.access != Access::written) continue;
    const Bytes to = spanned(a);
    for (const TensorArgument* b = call.tensors.data(); b != &a; ++b) {
      if (b->access == Access::described) continue;
      const Bytes from = spanned(*b);
      if (to.begin < from.end && from.begin < to.end) {
        const Wide begin = std::max(to.begin, from.begin);
        const Wide end = std::min(to.end, from.end);
        return refuse(call, "alias", a.name, " spans ", end - begin, " bytes that ", b->name,
                      " spans too");
      }
    }
  }
  return {};
}

}  // namespace

Status check_memory(const Call& call) {
  for (TensorArgument& a : call.tensors) GRADPROOF_TRY(check_view(call, a));
  for (const TensorArgument& a : call.tensors) GRADPROOF_TRY(check_overlap(call, a));
  return check_alias(call);
}

}  // namespace gradproof::ops
