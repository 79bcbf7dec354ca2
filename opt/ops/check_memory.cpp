// Rules on memory: a view fits its storage, an output does not meet itself, nor what is read.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "opt/base/checked.h"
#include "opt/ops/check.h"
#include "opt/ops/view.h"

namespace gradproof::ops {

namespace {

/// CANN reads the mask as bytes from its data pointer on, whatever the view is. Without a valid
/// storage size the mask counts as empty.
Status take_buffer(const Call& call, TensorArgument& mask) {
  if (!mask->whole && !mask.empty() &&
      (!contiguous(*mask.tensor) || !within_storage(*mask.tensor))) {
    GRADPROOF_TRY(
        refuse(call, "view", mask.name, " is not contiguous in its storage, must be contiguous"));
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : mask->storage) {
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count)) return {};
  }
  mask.end = count;
  return {};
}

/// The view's byte offsets do not fit in int64, so phase 2 refuses the call.
Status refuse_unreachable(const Call& call, const TensorArgument& a) {
  return refused(call, "view", {Answer::later},
                 words(call.api, ": view: ", a.name, " reaches further than fits in int64"));
}

Status check_view(const Call& call, TensorArgument& a) {
  if (a.content == Content::mask && goes(call, Way::mask_buffer)) return take_buffer(call, a);
  if (a->whole) {  // most are; nothing more is to be asked about them, since **dim-value** holds
    a.end = a.elements;
    return {};
  }
  for (std::size_t i = 0; i < a->storage.size(); ++i) {
    if (a->storage[i] < 0) {
      GRADPROOF_TRY(refuse(call, "view", a.name, " has storage dimension ", i, " = ", a->storage[i],
                           ", must be at least 0"));
      a.beyond_storage = true;
    }
  }
  std::int64_t count = 0;
  if (!a.beyond_storage) {
    const auto stated = checked_product(a->storage);
    if (!stated || !checked_mul(*stated, a.element_bytes)) {
      GRADPROOF_TRY(refuse(call, "view", a.name,
                           " has a storage of more elements or bytes than fit in int64"));
    } else {
      count = *stated;
    }
  }
  if (a->offset < 0) {
    GRADPROOF_TRY(refuse(call, "view", a.name, " has offset ", a->offset, ", must be at least 0"));
  }
  for (std::size_t i = 0; i < a->strides.size(); ++i) {
    if (a->strides[i] < 0) {
      GRADPROOF_TRY(refuse(call, "view", a.name, " has stride ", a->strides[i], " at dimension ", i,
                           ", must be at least 0"));
    }
  }
  if (a.empty()) return {};
  const Reach span = reach(*a.tensor);
  const Wide low = span.low + a->offset, last = span.high + a->offset;
  if (last >= count) {
    GRADPROOF_TRY(
        refuse(call, "view", a.name, " reaches element ", last, " of a storage of ", count));
  }
  if (low < 0 || last >= count) a.beyond_storage = true;
  // Inside a storage all numbers fit.
  const Wide most = std::numeric_limits<std::int64_t>::max() / a.element_bytes - 1;
  if (low < -most || last > most) return refuse_unreachable(call, a);
  if (a.content == Content::mask && !contiguous(*a.tensor)) {
    // uncovered: where it is accepted, the view is not read
    GRADPROOF_TRY(refuse(call, "view", a.name, " is not contiguous, must be contiguous"));
  }
  a.first = a->offset;
  a.begin = static_cast<std::int64_t>(low);
  a.end = static_cast<std::int64_t>(last) + 1;
  a.staged = span.low < 0;
  return {};
}

/// Strides that nest: each is larger than the reach of all smaller ones together.
Status check_overlap(const Call& call, TensorArgument& a) {
  if (a.access != Access::written || a.empty() || a->whole || a.content == Content::mask) return {};
  std::array<int, 5> axes{};
  int count = 0;
  for (int axis = 0; axis < a.rank(); ++axis) {
    if (a->shape[axis] > 1) axes[count++] = axis;
  }
  const auto step = [&](int axis) { return std::abs(a->strides[axis]); };  // a view that fits
  std::int64_t inner = 0;  // fits: the whole view fits its storage
  for (int i = 0; i < count; ++i) {
    const auto smallest = std::min_element(axes.begin() + i, axes.begin() + count,
                                           [&](int x, int y) { return step(x) < step(y); });
    std::iter_swap(axes.begin() + i, smallest);
    const std::int64_t stride = step(axes[i]);
    if (stride <= inner) {
      GRADPROOF_TRY(refuse(call, "output-overlap", a.name, " has stride ", a->strides[axes[i]],
                           " at dimension ", axes[i], ", must be more than ", inner,
                           ", the reach of the smaller strides"));
      a.staged = true;
      return {};
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
  const Wide data = static_cast<Wide>(reinterpret_cast<std::uintptr_t>(a.data));
  return {data + a.begin * a.element_bytes, data + a.end * a.element_bytes};
}

Status check_alias(const Call& call) {
  for (TensorArgument& a : call.tensors) {
    if (a.access != Access::written) continue;
    const Bytes to = spanned(a);
    for (const TensorArgument* b = call.tensors.data(); b != &a; ++b) {
      if (b->access == Access::described) continue;
      const Bytes from = spanned(*b);
      if (to.begin < from.end && from.begin < to.end) {
        const Wide begin = std::max(to.begin, from.begin);
        const Wide end = std::min(to.end, from.end);
        GRADPROOF_TRY(
            refuse(call, "alias", a.name, " shares ", end - begin, " bytes with ", b->name));
        a.staged = true;
      }
    }
  }
  return {};
}

}  // namespace

Status check_memory(const Call& call) {
  for (TensorArgument& a : call.tensors) {
    a.beyond_storage = a.staged = false;
    a.first = a.begin = a.end = 0;
    GRADPROOF_TRY(check_view(call, a));
  }
  for (TensorArgument& a : call.tensors) GRADPROOF_TRY(check_overlap(call, a));
  return check_alias(call);
}

}  // namespace gradproof::ops
