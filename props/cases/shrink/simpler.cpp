// Simpler variants of a failing case: the edits that a shrinker tries.
#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/overlap.h"
#include "props/cases/shapes.h"
#include "props/cases/shrink/shrinker.h"
#include "props/cases/shrink/simpler.h"
#include "props/cases/shrink/simpler_sequences.h"
#include "ref/element.h"
#include "ref/rules.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

/// Values to try instead of `value`: `target`, then half the way, three quarters, and so on. More
/// than two values, because a smaller length may pass by chance, where its data hides the failure.
std::vector<std::int64_t> towards(std::int64_t value, std::int64_t target) {
  if (value == target) return {};
  const auto minus = [](std::int64_t a, std::int64_t b) {  // wraps: both may be any number
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  };
  std::vector<std::int64_t> values = {target};
  for (std::int64_t rest = minus(value, target) / 2; rest != 0; rest /= 2)
    values.push_back(minus(value, rest));
  return values;
}

/// Divides the extents that differ between tensors by what divides them all, on these axes: where
/// a kernel supports few ratios of sizes, smaller ones fail only together.
void divide_together(Shrinker& s, const Case& c, std::size_t from, std::size_t to) {
  const auto resized = [&](std::size_t axis) {
    const std::vector<ref::Tensor>& all = c.call.tensors;
    return std::any_of(all.begin(), all.end(), [&](const ref::Tensor& t) {
      return axis < t.shape.size() && t.shape[axis] != all.front().shape[axis];
    });
  };
  std::int64_t common = 0;
  for (std::size_t axis = from; axis < to; ++axis) {
    for (const ref::Tensor& t : c.call.tensors) {
      if (resized(axis) && axis < t.shape.size() && t.shape[axis] > 0)
        common = std::gcd(common, t.shape[axis]);
    }
  }
  constexpr std::int64_t kMost = 16;
  for (std::int64_t left = 1; left <= kMost && left < common; ++left) {
    if (common % left != 0) continue;
    const std::int64_t by = common / left;
    s.add_both([&](ref::Call& call) {
      for (std::size_t axis = from; axis < to; ++axis) {
        if (!resized(axis)) continue;
        for (ref::Tensor& t : call.tensors) {
          if (axis < t.shape.size()) resize(t, axis, t.shape[axis] / by);
        }
        if (!has_parameter(call.op, "outputSize") || axis < first_spatial(call)) continue;
        std::vector<std::int64_t>& sizes = ref::int_array(call, "outputSize").values;
        if (const std::size_t i = axis - first_spatial(call); i < sizes.size()) sizes[i] /= by;
      }
    });
  }
}

void shrink_shapes(Shrinker& s, const Case& c) {
  const std::size_t rank = c.call.tensors.front().shape.size();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    for (const ref::Tensor& source : c.call.tensors) {
      if (axis >= source.shape.size()) continue;
      for (std::int64_t extent : towards(source.shape[axis], 1)) {
        s.add_both([&](ref::Call& call) {  // the axis in every tensor that is as long there
          for (ref::Tensor& t : call.tensors) {
            if (axis < t.shape.size() && t.shape[axis] == source.shape[axis])
              resize(t, axis, extent);
          }
        });
      }
    }
    s.add_both([&](ref::Call& call) {
      for (ref::Tensor& t : call.tensors) resize(t, axis, 1);
    });
  }
  divide_together(s, c, 0, rank);
  for (std::size_t axis = 0; axis < rank; ++axis) divide_together(s, c, axis, axis + 1);
  // Samples as channels: what needs many planes may need neither to be many.
  for (std::size_t axis = 0; axis + 1 + spatial_axes(c.call.op) < rank; ++axis) {
    s.add_both([&](ref::Call& call) {
      for (ref::Tensor& t : call.tensors) {
        std::int64_t both;
        if (axis + 1 >= t.shape.size() ||
            __builtin_mul_overflow(t.shape[axis], t.shape[axis + 1], &both))
          continue;
        resize(t, axis + 1, both);
        resize(t, axis, 1);
      }
    });
  }
  const std::vector<int> ranks = accepted_ranks(c.call.op);
  if (static_cast<int>(rank) > ranks.front()) {
    s.add([&](Case& v) {  // without the batch
      for (ref::Tensor& t : v.call.tensors) {
        if (t.shape.size() != rank) continue;
        reshape(t, std::vector<std::int64_t>(t.shape.begin() + 1, t.shape.end()));
        if (format_follows_rank(v.call.op)) t.format = ref::kNd;
      }
    });
  }
}

void shrink_parameters(Shrinker& s, const Case& c) {
  if (const auto simplify = family(c.call.op).simplify) simplify(s, c);
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    switch (p.kind) {
      case ref::Kind::int_array: {
        const auto& values = c.call.arrays[p.slot].values;
        const std::int64_t target = p.name == "padding" ? 0 : 1;
        for (std::size_t i = 0; i < values.size(); ++i) {
          for (std::int64_t v : towards(values[i], target)) {
            s.add_both([&](ref::Call& call) { call.arrays[p.slot].values[i] = v; });
            if (p.name != "kernelSize") continue;
            s.add_both(
                [&](ref::Call& call) {  // a smaller window, with the padding that it can have
                  call.arrays[p.slot].values[i] = v;
                  for (std::int64_t& pad : ref::int_array(call, "padding").values) pad = 0;
                });
          }
        }
        for (std::size_t length :
             {std::size_t{0}, std::size_t{1}, values.empty() ? 0 : values.size() - 1}) {
          if (length < values.size())
            s.add_both([&](ref::Call& call) { call.arrays[p.slot].values.resize(length); });
        }
        break;
      }
      case ref::Kind::flag: s.add_both([&](ref::Call& call) { call.flags[p.slot] = 0; }); break;
      case ref::Kind::real: s.add([&](Case& v) { v.call.reals[p.slot] = 0; }); break;
      case ref::Kind::tensor: break;
    }
  }
}

/// Elements from the beginning of storage to the end of the view; 0 if that is no number, or the
/// view is empty or runs backwards.
std::int64_t span(const ref::Tensor& t) {
  const std::vector<std::int64_t> strides =
      t.null_strides ? ref::contiguous_strides(t.shape) : t.strides;
  std::int64_t last = t.offset;
  for (std::size_t a = 0; a < t.shape.size(); ++a) {
    std::int64_t part;
    if (a >= strides.size() || t.shape[a] < 1 || strides[a] < 0 ||
        __builtin_mul_overflow(t.shape[a] - 1, strides[a], &part) ||
        __builtin_add_overflow(last, part, &last))
      return 0;
  }
  return last < 0 || last == std::numeric_limits<std::int64_t>::max() ? 0 : last + 1;
}

/// No more storage than the view needs.
bool trim(ref::Tensor& t) {
  const std::int64_t needed = span(t);
  if (needed > 0) t.storage = {needed};
  return needed > 0;
}

void shrink_layouts(Shrinker& s, const Case& c) {
  const auto plain = [](ref::Tensor& t) {
    reshape(t, t.shape);
    t.null_data = false;
    t.shares = -1;
    t.shares_at = 0;
  };
  s.add([&](Case& v) {
    for (ref::Tensor& t : v.call.tensors) plain(t);
  });
  for (std::size_t slot = 0; slot < c.call.tensors.size(); ++slot) {
    const auto edit = [&](const auto& f) { s.add([&](Case& v) { f(v.call.tensors[slot]); }); };
    edit(plain);
    edit([](ref::Tensor& t) { t.null_data = false; });
    edit([](ref::Tensor& t) { t.shares = -1, t.shares_at = 0; });
    edit([](ref::Tensor& t) { reshape(t, t.shape); });
    edit([](ref::Tensor& t) {
      t.null_strides = false, t.strides = ref::contiguous_strides(t.shape);
    });
    edit([](ref::Tensor& t) { t.offset = 0; });
    edit([](ref::Tensor& t) { t.storage = t.shape; });
    const auto edit_trimmed = [&](const auto& f) {
      s.add([&](Case& v) {
        f(v.call.tensors[slot]);
        return trim(v.call.tensors[slot]);
      });
    };
    edit_trimmed([](ref::Tensor&) {});
    for (const std::int64_t offset : towards(c.call.tensors[slot].offset, 1))
      edit_trimmed([&](ref::Tensor& t) { t.offset = offset; });
    const std::vector<std::int64_t> strides = ref::contiguous_strides(c.call.tensors[slot].shape);
    for (std::size_t a = 0; a < strides.size(); ++a) {
      edit([&](ref::Tensor& t) {
        if (a < t.strides.size()) t.strides[a] = strides[a];
      });
      if (a >= c.call.tensors[slot].strides.size()) continue;
      for (const std::int64_t stride : towards(c.call.tensors[slot].strides[a], strides[a]))
        edit_trimmed([&](ref::Tensor& t) { t.strides[a] = stride; });
    }
  }
}

/// FLOAT everywhere but in indices.
void compute_in_float(ref::Call& call) {
  for (int slot = 0; slot < static_cast<int>(call.tensors.size()); ++slot) {
    if (slot != indices_slot(call.op)) call.tensors[slot].dtype = ref::kFloat;
  }
}

void shrink_rest(Shrinker& s, const Case& c) {
  for (std::size_t slot = 0; slot < c.fills.size(); ++slot) {
    const Fill plain = default_fill(c.call.op, static_cast<int>(slot));
    s.add([&](Case& v) { v.fills[slot] = plain; });
    if (plain.kind == Fill::Kind::integers)
      s.add([&](Case& v) { v.fills[slot] = {Fill::Kind::integers, 1, 0}; });
  }
  s.add([](Case& v) { compute_in_float(v.call); });
  s.add([](Case& v) {
    for (ref::Tensor& t : v.call.tensors) t.format = ref::kNd;
  });
  s.add([](Case& v) { v.call.product = ref::Product::Ascend910B; });
  s.add([](Case& v) { v.misuse = Misuse::none; });
  for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, c.seed / 2})
    s.add([&](Case& v) { v.seed = seed; });
}

/// Makes the input of a pool in ceil mode so long that its last windows are whole. Then there are
/// as many windows without ceil mode; with fewer, another failure might vanish.
void fill_windows(ref::Call& call) {
  std::vector<std::int64_t> shape = call.tensors[input_side(call.op).front()].shape;
  const std::vector<Window> axes = windows(call);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const Window& w = axes[a];
    const std::optional<std::int64_t> up = pooled_extent(w, true), down = pooled_extent(w, false);
    if (!up || !down || *up == *down) continue;
    shape[shape.size() - axes.size() + a] = (*up - 1) * w.stride + w.kernel - 2 * w.pad;
  }
  if (shape == call.tensors[input_side(call.op).front()].shape) return;
  for (const int slot : input_side(call.op)) reshape(call.tensors[slot], shape);
}

/// False where it is so already, for a tensor that is only described, and for indices that share
/// memory: these are equal, and would choose other elements.
bool make_contiguous(ref::Call& call, const ref::Parameter& p) {
  ref::Tensor& t = call.tensors[p.slot];
  if (p.access == ref::Access::described || t.null_strides ||
      t.strides == ref::contiguous_strides(t.shape) ||
      (p.slot == indices_slot(call.op) && may_overlap(t)))
    return false;
  t.strides = ref::contiguous_strides(t.shape);
  t.storage = default_storage(t);
  return true;
}

}  // namespace

std::vector<Case> simpler(const Case& c) {
  Shrinker s(c);
  for (std::vector<Command>& sequence : simpler_sequences(c.sequence))
    s.add([&](Case& v) { v.sequence = std::move(sequence); });
  shrink_shapes(s, c);
  shrink_parameters(s, c);
  shrink_layouts(s, c);
  shrink_rest(s, c);
  return s.take();
}

std::vector<Plainer> plainer(const Case& c) {
  std::vector<Plainer> ways;
  if (ref::expect(c.call).rule != nullptr) return ways;
  const auto offer = [&](const Case& test, std::string_view feature) {
    if (!(test == c) && ref::expect(test.call).rule == nullptr)
      ways.push_back({test, std::string(feature)});
  };
  Case in_float = c;
  compute_in_float(in_float.call);
  offer(in_float, ref::dtype_name(c.call.tensors.front().dtype));
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind != ref::Kind::flag) continue;
    Case without = c;
    without.call.flags[p.slot] = 0;
    const bool ceil = p.name == "ceilMode";
    if (ceil) fill_windows(without.call);
    if (conform(without.call)) offer(without, ceil ? "ceil" : "align-corners");
  }
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    Case contiguous = c;
    if (p.kind == ref::Kind::tensor && make_contiguous(contiguous.call, p))
      offer(contiguous, std::string(p.name) + " strided");
  }
  return ways;
}

std::optional<Case> with_contiguous_tensors(const Case& c) {
  Case contiguous = c;
  if (ref::expect(c.call).rule != nullptr) return std::nullopt;
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind == ref::Kind::tensor) make_contiguous(contiguous.call, p);
  }
  if (contiguous == c || ref::expect(contiguous.call).rule != nullptr) return std::nullopt;
  return contiguous;
}

std::optional<Case> with_forward_indices(const Case& c) {
  const int slot = indices_slot(c.call.op);
  if (slot < 0 || c.fills[slot].kind != Fill::Kind::in_range || may_overlap(c.call.tensors[slot]))
    return std::nullopt;
  Case plain = c;
  plain.fills[slot] = {Fill::Kind::forward, 0, 0};
  return plain;
}

std::vector<Case> with_plain_data(const Case& c) {
  using Kind = Fill::Kind;
  const auto slot = static_cast<std::size_t>(data_slot(c.call.op));
  const Kind kind = c.fills[slot].kind;
  if (kind == Kind::integers || kind == Kind::zeros_and_ones) return {};
  std::vector<Case> plain(2, c);
  plain[0].fills[slot] = Fill{};
  plain[1].fills[slot] = {Kind::uniform, 0, 1};
  if (kind == Kind::uniform || kind == Kind::normal) plain.pop_back();
  return plain;
}

}  // namespace gradproof::props
