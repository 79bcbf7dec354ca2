// Enumerates the small scope. See small_scope.h.
#include "props/cases/small_scope.h"

#include <algorithm>
#include <vector>

#include "props/cases/shapes.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

/// One axis of a call: extents of the forward's input and output, and what leads from one to the
/// other.
struct Axis {
  std::int64_t in = 1, out = 1;
  std::int64_t kernel = 1, stride = 1;
  std::int64_t before = 0, after = 0;  ///< padding
  double scale = 0;
};

/// The configurations of one axis under one flag.
struct Configurations {
  std::vector<Axis> legal, illegal;
};

void add_pooling(const Scope& scope, bool ceil, Configurations& all) {
  for (std::int64_t in = 1; in <= scope.pooled_from; ++in) {
    for (std::int64_t kernel = 1; kernel <= scope.kernel; ++kernel) {
      for (std::int64_t stride = 1; stride <= scope.stride; ++stride) {
        for (std::int64_t pad = 0; pad <= kernel / 2; ++pad) {
          const auto out = pooled_extent({in, kernel, stride, pad}, ceil);
          (out ? all.legal : all.illegal)
              .push_back({in, out.value_or(1), kernel, stride, pad, pad, 0});
        }
      }
    }
  }
}

void add_resizing(const Scope& scope, Configurations& all) {
  for (std::int64_t in = 1; in <= scope.resized; ++in) {
    for (std::int64_t out = 1; out <= scope.resized; ++out) {
      const double from = static_cast<double>(in), to = static_cast<double>(out);
      // None given; the one that the extents imply; another one that leads to the same extent.
      for (const double scale : {0.0, to / from, (to + 0.5) / from})
        all.legal.push_back({in, out, 1, 1, 0, 0, scale});
    }
  }
}

void add_padding(const Scope& scope, Configurations& all) {
  for (std::int64_t in = 1; in <= scope.padded; ++in) {
    // Each side pads by less than the extent and crops so much that at least one element is left.
    for (std::int64_t before = 2 - 2 * in; before < in; ++before) {
      for (std::int64_t after = 1 - in - before; after < in; ++after) {
        all.legal.push_back({in, in + before + after, 1, 1, before, after, 0});
      }
    }
    all.illegal.push_back({in, 2 * in, 1, 1, in, 0, 0});
    all.illegal.push_back({in, 2 * in, 1, 1, 0, in, 0});
    for (std::int64_t before = 1 - 2 * in; before < in; ++before)
      all.illegal.push_back({in, 1, 1, 1, before, -in - before, 0});
  }
}

Configurations configurations(ref::Operator op, const Scope& scope, bool flag) {
  Configurations all;
  switch (family(op)) {
    case Family::max_pool3d:
    case Family::max_pool2d:
      add_pooling(scope, flag, all);
      break;
    case Family::upsample:
      add_resizing(scope, all);
      break;
    case Family::pad:
      add_padding(scope, all);
      break;
    case Family::adaptive:
      for (std::int64_t in = 1; in <= scope.adaptive; ++in) {
        for (std::int64_t out = 1; out <= scope.adaptive; ++out)
          all.legal.push_back({in, out, 1, 1, 0, 0, 0});
      }
  }
  return all;
}

/// The call with one plane and those axes.
Case assemble(ref::Operator op, ref::Product product, const std::vector<Axis>& axes, bool flag) {
  Case c = blank_case(op);
  ref::Call& call = c.call;
  call.product = product;
  const int indices = indices_slot(op);
  const bool mask = family(op) == Family::max_pool2d;
  std::vector<std::int64_t> in = {1, 1}, out = {1, 1};
  for (const Axis& axis : axes) in.push_back(axis.in), out.push_back(axis.out);
  for (int slot = 0; slot < static_cast<int>(call.tensors.size()); ++slot) {
    ref::Tensor& t = call.tensors[slot];
    t.dtype = slot != indices ? ref::kFloat : mask ? ref::kInt8 : ref::kInt32;
    t.format = family(op) == Family::upsample ? ref::kNchw : ref::kNd;
    reshape(t, slot == output_side(op) || slot == indices ? out : in);
  }
  if (mask) reshape(call.tensors[indices], mask_shape(out, axes[0].kernel * axes[1].kernel));

  const auto spell = [&](const char* name, std::int64_t Axis::*member) {
    std::vector<std::int64_t>& values = ref::int_array(call, name).values;
    for (const Axis& axis : axes) values.push_back(axis.*member);
  };
  switch (family(op)) {
    case Family::max_pool3d:
    case Family::max_pool2d:
      spell("kernelSize", &Axis::kernel);
      spell("stride", &Axis::stride);
      spell("padding", &Axis::before);
      ref::int_array(call, "dilation").values = {1};
      break;
    case Family::upsample:
      spell("outputSize", &Axis::out);
      if (ref::is_backward(op)) ref::int_array(call, "inputSize").values = in;
      for (std::size_t i = 0; i < 2; ++i) call.reals[i] = axes[i].scale;
      break;
    case Family::pad:
      ref::int_array(call, "padding").values = {axes[1].before, axes[1].after, axes[0].before,
                                                axes[0].after};
      break;
    case Family::adaptive:
      if (!ref::is_backward(op)) spell("outputSize", &Axis::out);
  }
  if (!call.flags.empty()) call.flags[0] = flag ? 1 : 0;
  return c;
}

/// Makes the extent that the operator infers wrong on one axis. False if any extent is right.
bool miss_extent(Case& c, std::size_t axis, std::int64_t by) {
  const ref::Operator op = c.call.op;
  if (op == ref::Operator::adaptive_max_pool3d_backward) return false;
  for (const int slot : {output_side(op), indices_slot(op)}) {
    if (slot < 0) continue;
    std::vector<std::int64_t> shape = c.call.tensors[slot].shape;
    if (slot != output_side(op) && family(op) == Family::max_pool2d) continue;
    shape[2 + axis] += by;
    reshape(c.call.tensors[slot], shape);
  }
  return true;
}

class Enumeration {
 public:
  Enumeration(ref::Operator op, ref::Product product, const Scope& scope, bool flag,
              const std::function<bool(const ScopeCall&)>& visit, std::uint64_t& seed)
      : op_(op),
        product_(product),
        flag_(flag),
        visit_(visit),
        all_(configurations(op, scope, flag)),
        axes_(static_cast<std::size_t>(spatial_axes(op))),
        seed_(seed) {}

  bool run() {
    return (family(op_) == Family::upsample || family(op_) == Family::pad ? pairs()
                                                                          : rotations()) &&
           misses() && illegal();
  }

 private:
  /// Legal configurations i, i + a third, i + two thirds (of three axes): as different as can be.
  std::vector<Axis> rotated(std::size_t i) const {
    std::vector<Axis> axes;
    for (std::size_t a = 0; a < axes_; ++a)
      axes.push_back(all_.legal[(i + a * all_.legal.size() / axes_) % all_.legal.size()]);
    return axes;
  }
  bool visit(Case c, bool legal, std::int64_t configurations) {
    c.seed = ++seed_;
    return visit_({std::move(c), legal, configurations});
  }
  bool rotations() {
    for (std::size_t i = 0; i < all_.legal.size(); ++i) {
      if (!visit(assemble(op_, product_, rotated(i), flag_), true,
                 static_cast<std::int64_t>(axes_)))
        return false;
    }
    return true;
  }
  bool pairs() {
    for (std::size_t i = 0; i < all_.legal.size(); ++i) {
      for (std::size_t j = 0; j < all_.legal.size(); ++j) {
        if (!visit(assemble(op_, product_, {all_.legal[i], all_.legal[j]}, flag_), true,
                   i == j ? 2 : 0))
          return false;
      }
    }
    return true;
  }
  bool misses() {
    for (std::size_t i = 0; i < all_.legal.size(); ++i) {
      const Case right = assemble(op_, product_, rotated(i), flag_);
      for (std::size_t axis = 0; axis < axes_; ++axis) {
        for (const std::int64_t by : {-1, 1}) {
          Case wrong = right;
          if (miss_extent(wrong, axis, by) && !visit(std::move(wrong), false, 0)) return false;
        }
      }
    }
    return true;
  }
  bool illegal() {
    for (std::size_t i = 0; i < all_.illegal.size(); ++i) {
      for (std::size_t axis = 0; axis < axes_; ++axis) {
        std::vector<Axis> axes = rotated(i % all_.legal.size());
        axes[axis] = all_.illegal[i];
        if (!visit(assemble(op_, product_, axes, flag_), false, 1)) return false;
      }
    }
    return true;
  }

  const ref::Operator op_;
  const ref::Product product_;
  const bool flag_;
  const std::function<bool(const ScopeCall&)>& visit_;
  const Configurations all_;
  const std::size_t axes_;
  std::uint64_t& seed_;
};

}  // namespace

Scope Scope::at_most(std::int64_t largest) const {
  return {std::min(pooled_from, largest), std::min(kernel, largest), std::min(stride, largest),
          std::min(resized, largest),     std::min(padded, largest), std::min(adaptive, largest)};
}

void each_scope_call(ref::Operator op, ref::Product product, const Scope& scope,
                     const std::function<bool(const ScopeCall&)>& visit) {
  std::uint64_t seed = 0;
  const bool has_flag =
      has_windows(op) || family(op) == Family::upsample;  // ceilMode, alignCorners
  for (const bool flag : {false, true}) {
    if (flag && !has_flag) break;
    if (!Enumeration(op, product, scope, flag, visit, seed).run()) return;
  }
}

}  // namespace gradproof::props
