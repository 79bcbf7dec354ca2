// Boundary cases of memory: views that leave their storage, outputs that overlap themselves, shared
// bytes.
#include <algorithm>

#include "props/cases/mutate/mutator.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

using ref::Access;
using ref::Call;
using ref::Tensor;

bool must_be_contiguous(const Call& c, int slot) {
  return has_mask(c.op) && slot == indices_slot(c.op);
}

void spell_strides(Tensor& t) {
  if (t.null_strides) t.strides = ref::contiguous_strides(t.shape);
  t.null_strides = false;
}

std::string stride_is(std::string_view tensor, std::size_t axis, std::int64_t stride) {
  return std::string(tensor) + " stride[" + std::to_string(axis) + "] = " + std::to_string(stride);
}

void mutate_view(Mutator& a, const ref::Parameter& p) {
  const Tensor& t = a.call().tensors[p.slot];
  const std::string name(p.name);
  const bool fixed = must_be_contiguous(a.call(), p.slot);
  for (std::int64_t offset : {std::int64_t{-1}, kInt64Min, kInt64Max}) {
    a.add("view", p.name, name + " offset = " + std::to_string(offset), true,
          [&](Call& c) { c.tensors[p.slot].offset = offset; });
  }
  a.add("view", p.name, name + " offset moved with its storage", false, [&](Call& c) {
    Tensor& moved = c.tensors[p.slot];
    moved.offset += 3;
    moved.storage = {needed_storage(moved)};
  });

  const std::int64_t needed = needed_storage(t), half = std::int64_t{1} << 62;
  const auto storage = [&](std::vector<std::int64_t> dims, const char* what, bool breaks) {
    a.add("view", p.name, name + " storage " + what, breaks,
          [&](Call& c) { c.tensors[p.slot].storage = dims; });
  };
  storage({needed}, "just large enough", false);
  storage({needed - 1}, "one element short", true);
  storage({1, needed}, "of two dimensions", false);
  storage({0}, "empty", true);
  storage({-1}, "negative", true);
  storage({-1, -needed}, "negative twice", true);
  storage({half, 4}, "beyond int64", true);
  // One byte an element just fits.
  storage({kInt64Max}, "of the largest int64", ref::dtype_size(t.dtype) > 1);

  for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
    const Mutator::At at(a, axis);
    const auto stride = [&](std::int64_t value, bool breaks, bool fit_storage) {
      a.add("view", p.name, stride_is(p.name, axis, value), breaks, [&](Call& c) {
        Tensor& changed = c.tensors[p.slot];
        spell_strides(changed);
        changed.strides[axis] = value;
        if (fit_storage) changed.storage = {needed_storage(changed)};
      });
    };
    stride(-1, true, false);
    stride(kInt64Min, true, false);
    if (t.shape[axis] == 1) {
      stride(kInt64Max, false, false);
      continue;
    }
    stride(kInt64Max, true, false);
    if (fixed) {
      stride(0, true, false);
      stride((t.null_strides ? ref::contiguous_strides(t.shape) : t.strides)[axis] + 1, true, true);
    } else if (p.access == Access::read) {
      stride(0, false, true);
    }
  }
}

void mutate_output(Mutator& a, const ref::Parameter& p) {
  Tensor plain = a.call().tensors[p.slot];
  reshape(plain, plain.shape);
  std::vector<std::size_t> axes;  // innermost first
  for (std::size_t axis = plain.shape.size(); axis-- > 0;) {
    if (plain.shape[axis] > 1) axes.push_back(axis);
  }
  const auto strides = [&](const Tensor& changed, const std::string& what, bool breaks) {
    a.add("output-overlap", p.name, what, breaks, [&](Call& c) {
      c.tensors[p.slot] = changed;
      c.tensors[p.slot].storage = {needed_storage(changed)};
    });
  };
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Mutator::At at(a, axes[i]);
    Tensor t = plain;
    t.strides[axes[i]] = 0;
    strides(t, stride_is(p.name, axes[i], 0), true);
    if (i == 0) continue;
    // Contiguous strides are the least that keep the inner axes apart.
    strides(plain, stride_is(p.name, axes[i], plain.strides[axes[i]]), false);
    t = plain;
    t.strides[axes[i]] -= 1;
    strides(t, stride_is(p.name, axes[i], t.strides[axes[i]]), true);
    t.strides[axes[i]] = plain.strides[axes[i - 1]];
    strides(t, stride_is(p.name, axes[i], t.strides[axes[i]]), true);
  }
  if (axes.size() >= 2 && plain.shape[axes[0]] > 2) {
    // 0 2 4 … and 3 5 7 … need not meet, but they do not nest, and what does not nest is refused.
    Tensor t = plain;
    t.strides[axes[0]] = 2;
    t.strides[axes[1]] = 3;
    std::int64_t within = 2 * (t.shape[axes[0]] - 1) + 3 * (t.shape[axes[1]] - 1);
    for (std::size_t i = 2; i < axes.size(); ++i) {
      t.strides[axes[i]] = within + 1;
      within += t.strides[axes[i]] * (t.shape[axes[i]] - 1);
    }
    strides(t, std::string(p.name) + " strides interleaved", true);
  }
}

/// Every tensor plain and with memory of its own.
void separate(Call& c) {
  for (Tensor& t : c.tensors) {
    reshape(t, t.shape);
    t.shares = -1;
    t.shares_at = 0;
    t.null_data = false;
  }
}

std::int64_t bytes(const Tensor& t) { return *element_count(t.shape) * ref::dtype_size(t.dtype); }

/// Puts `guest` into the allocation of `host`, both with data and plain.
void mutate_pair(Mutator& a, const ref::Parameter& guest, const ref::Parameter& host) {
  const Mutator::At place(a, host.slot);
  const Tensor& inside = a.call().tensors[guest.slot];
  const std::int64_t end = bytes(a.call().tensors[host.slot]);
  const auto share = [&](std::int64_t at, bool breaks, bool data) {
    a.add("alias", guest.name,
          std::string(guest.name) + (data ? "" : " without data") + " at byte " +
              std::to_string(at) + " of " + std::string(host.name),
          breaks, [&](Call& c) {
            separate(c);
            c.tensors[guest.slot].shares = host.slot;
            c.tensors[guest.slot].shares_at = at;
            c.tensors[guest.slot].null_data = !data;
          });
  };
  share(0, true, true);
  share(end - 1, true, true);
  // The next address that an element may have.
  const std::int64_t size = ref::dtype_size(inside.dtype);
  share((end + size - 1) / size * size, false, true);
  share(1 - bytes(inside), true, true);
  share(0, false, false);
}

}  // namespace

void mutate_views(Mutator& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind == ref::Kind::tensor && !is_empty(a.call().tensors[p.slot])) mutate_view(a, p);
  }
}

void mutate_overlap(Mutator& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor || p.access != Access::written) continue;
    if (!is_empty(a.call().tensors[p.slot]) && !must_be_contiguous(a.call(), p.slot))
      mutate_output(a, p);
  }
}

void mutate_alias(Mutator& a) {
  const auto parameters = ref::signature(a.op()).parameters;
  for (const ref::Parameter& output : parameters) {
    if (output.kind != ref::Kind::tensor || output.access != Access::written) continue;
    if (is_empty(a.call().tensors[output.slot])) continue;
    for (const ref::Parameter& other : parameters) {
      if (other.kind != ref::Kind::tensor || other.slot == output.slot ||
          is_empty(a.call().tensors[other.slot]))
        continue;
      if (other.access == Access::described) {
        const Mutator::At at(a, output.slot);
        a.add("alias", other.name, std::string(other.name) + " is " + std::string(output.name),
              false, [&](Call& c) {
                separate(c);
                c.tensors[other.slot].shares = output.slot;
              });
        continue;
      }
      mutate_pair(a, other, output);
      mutate_pair(a, output, other);
    }
  }
}

}  // namespace gradproof::props
