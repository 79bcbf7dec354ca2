// Enumerates the small scope. See small_scope.h.
#include "props/cases/generate/small_scope.h"

#include <algorithm>
#include <vector>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/shapes.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using Axis = ScopeAxis;
using Configurations = ScopeConfigurations;

Configurations configurations(ref::Operator op, const Scope& scope, bool flag) {
  Configurations all;
  family(op).scope(scope, flag, all);
  return all;
}

/// The call with one plane and those axes.
Case assemble(ref::Operator op, ref::Product product, const std::vector<Axis>& axes, bool flag) {
  Case c = blank_case(op);
  ref::Call& call = c.call;
  call.product = product;
  const int indices = indices_slot(op);
  std::vector<std::int64_t> in = {1, 1}, out = {1, 1};
  for (const Axis& axis : axes) in.push_back(axis.in), out.push_back(axis.out);
  const std::vector<std::int32_t> formats = accepted_formats(op, static_cast<int>(in.size()));
  const bool nd = std::find(formats.begin(), formats.end(), ref::kNd) != formats.end();
  for (int slot = 0; slot < static_cast<int>(call.tensors.size()); ++slot) {
    ref::Tensor& t = call.tensors[slot];
    t.dtype = slot == indices ? indices_dtype(op) : ref::kFloat;
    t.format = nd ? ref::kNd : formats.front();
    reshape(t, slot == output_side(op) || slot == indices ? out : in);
  }
  if (has_mask(op))
    reshape(call.tensors[indices], mask_shape(out, axes[0].kernel * axes[1].kernel));
  family(op).spell(call, axes);
  if (!call.flags.empty()) call.flags[0] = flag ? 1 : 0;
  return c;
}

/// Makes the extent that the operator infers wrong on one axis. False if any extent is right.
bool miss_extent(Case& c, std::size_t axis, std::int64_t by) {
  const ref::Operator op = c.call.op;
  if (traits(op).free_output) return false;
  for (const int slot : {output_side(op), indices_slot(op)}) {
    if (slot < 0) continue;
    std::vector<std::int64_t> shape = c.call.tensors[slot].shape;
    if (slot != output_side(op) && has_mask(op)) continue;
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
    return (family(op_).scope_in_pairs ? pairs() : rotations()) && misses() && illegal();
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

std::vector<std::int64_t> of_axes(const std::vector<ScopeAxis>& axes,
                                  std::int64_t ScopeAxis::*member) {
  std::vector<std::int64_t> values;
  for (const ScopeAxis& axis : axes) values.push_back(axis.*member);
  return values;
}

Scope Scope::at_most(std::int64_t largest) const {
  return {std::min(pooled_from, largest), std::min(kernel, largest), std::min(stride, largest),
          std::min(resized, largest),     std::min(padded, largest), std::min(adaptive, largest)};
}

void each_scope_call(ref::Operator op, ref::Product product, const Scope& scope,
                     const std::function<bool(const ScopeCall&)>& visit) {
  std::uint64_t seed = 0;
  const bool has_flag = !blank_case(op).call.flags.empty();  // ceilMode, alignCorners
  for (const bool flag : {false, true}) {
    if (flag && !has_flag) break;
    if (!Enumeration(op, product, scope, flag, visit, seed).run()) return;
  }
}

}  // namespace gradproof::props
