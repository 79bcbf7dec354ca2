// The boundary sides of the contract. See contract.h.
#include "props/cases/mutate/contract.h"

#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/mutate/mutator.h"
#include "ref/element.h"
#include "ref/rules.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Access;
using ref::Kind;
using ref::Parameter;

constexpr int kWhole = Mutation::kWhole;
const std::string kAll = "all tensors";

template <class T, class U>
bool contains(const T& values, U value) {
  return std::find(std::begin(values), std::end(values), value) != std::end(values);
}

bool is_dimension_rule(std::string_view rule) {
  return rule == "dim-value" || rule == "shape" || rule == "view" || rule == "output-overlap";
}

/// Collects the sides of one operator on one product.
class Cells {
 public:
  Cells(ref::Operator op, ref::Product product)
      : op_(op),
        product_(product),
        parameters_(ref::signature(op).parameters),
        dtypes_(accepted_dtypes(op, product)),
        ranks_(accepted_ranks(op)),
        axes_(spatial_axes(op)),
        indices_(indices_slot(op)) {}

  std::vector<BoundarySide> take() {
    for (const ref::Rule& rule : ref::rules()) {
      if (!rule.applies(op_)) continue;
      rule_ = rule.id;
      if (rule_ == "platform") add("soc", kWhole, dtypes_.empty());
      if (!dtypes_.empty()) add_rule();
    }
    // Of two outputs each one is the other's other.
    std::sort(sides_.begin(), sides_.end());
    sides_.erase(std::unique(sides_.begin(), sides_.end()), sides_.end());
    return std::move(sides_);
  }

 private:
  void add(std::string_view argument, int at, bool broken, int rank = 0) {
    sides_.push_back({op_, product_, rule_, std::string(argument), at, rank, broken});
  }
  void add_both(std::string_view argument, int at, int rank = 0) {
    for (const bool broken : {false, true}) add(argument, at, broken, rank);
  }
  template <class F>
  void each(Kind kind, const F& f) const {
    for (const Parameter& p : parameters_) {
      if (p.kind == kind) f(p);
    }
  }
  template <class F>
  void each_tensor_axis(const F& f) const {
    each(Kind::tensor, [&](const Parameter& p) {
      for (const int rank : ranks_) {
        for (int axis = 0; axis < rank; ++axis) f(p, axis, rank);
      }
    });
  }
  bool is_mask(const Parameter& p) const { return has_mask(op_) && p.slot == indices_; }

  void add_rule();
  void add_lists();
  void add_dims();
  void add_lengths();
  void add_elements();
  void add_shapes();
  void add_memory();

  const ref::Operator op_;
  const ref::Product product_;
  const std::span<const Parameter> parameters_;
  const std::vector<std::int32_t> dtypes_;
  const std::vector<int> ranks_;
  const int axes_, indices_;
  std::string rule_;
  std::vector<BoundarySide> sides_;
};

void Cells::add_rule() {
  if (rule_ == "null-argument") {
    for (const Parameter& p : parameters_) {
      if (p.kind == Kind::tensor || p.kind == Kind::int_array) add_both(p.name, kWhole);
    }
    for (const char* output : {"workspaceSize", "executor"}) add_both(output, kWhole);
  } else if (rule_ == "dtype" || rule_ == "format" || rule_ == "rank") {
    add_lists();
  } else if (rule_ == "dim-value") {
    add_dims();
  } else if (rule_ == "array-length") {
    add_lengths();
  } else if (rule_ == "index-range") {
    add_both("self", kWhole);
  } else if (rule_ == "shape") {
    add_shapes();
  } else if (rule_ == "view" || rule_ == "output-overlap" || rule_ == "alias") {
    add_memory();
  } else if (rule_ != "platform") {
    add_elements();
  }
}

/// Every value that the header knows, for all tensors together; a wrong one for each alone.
void Cells::add_lists() {
  std::vector<std::int32_t> formats;
  for (const int rank : ranks_) {
    for (const std::int32_t format : accepted_formats(op_, rank)) formats.push_back(format);
  }
  std::sort(formats.begin(), formats.end());
  formats.erase(std::unique(formats.begin(), formats.end()), formats.end());
  if (rule_ == "dtype") {
    for (const std::int32_t dtype : kDtypes) add(kAll, dtype, !contains(dtypes_, dtype));
  } else if (rule_ == "format") {
    for (const std::int32_t format : kFormats) add(kAll, format, !contains(formats, format));
  } else {
    for (int rank = 0; rank <= 8; ++rank) {
      // A rank that is the only one is kept by every valid call, and by nothing else.
      if (ranks_.size() > 1 || !contains(ranks_, rank)) add(kAll, rank, !contains(ranks_, rank));
    }
  }
  each(Kind::tensor, [&](const Parameter& p) {
    add(p.name, kWhole, true);
    if (rule_ == "format")
      for (const std::int32_t format : formats) add(p.name, format, false);
    if (rule_ == "rank")
      for (const int rank : ranks_) add(p.name, rank, false);
    if (rule_ != "dtype") return;
    if (p.slot == indices_)
      add(p.name, indices_dtype(op_), false);
    else
      for (const std::int32_t dtype : dtypes_) add(p.name, dtype, false);
  });
}

void Cells::add_dims() {
  each_tensor_axis([&](const Parameter& p, int axis, int rank) { add(p.name, axis, true, rank); });
  for (const int rank : ranks_) {
    for (int axis = 0; axis < rank; ++axis) {
      if (!family(op_).pads_each_end || axis < rank - axes_) add(kAll, axis, false, rank);
    }
  }
  add_both(kAll, kWhole);  // byte counts
}

void Cells::add_lengths() {
  each(Kind::int_array, [&](const Parameter& p) {
    const std::vector<int> legal = accepted_lengths(op_, p.name);
    for (int length = 0; length <= *std::max_element(legal.begin(), legal.end()) + 1; ++length) {
      add(p.name, length, !contains(legal, length));
    }
  });
}

void Cells::add_elements() {
  constexpr std::pair<std::string_view, std::string_view> kOf[] = {{"kernel-value", "kernelSize"},
                                                                   {"stride-value", "stride"},
                                                                   {"padding-value", "padding"},
                                                                   {"dilation-value", "dilation"}};
  for (const auto& [rule, argument] : kOf) {
    if (rule != rule_) continue;
    const int count = accepted_lengths(op_, argument).back();
    for (int i = 0; i < count; ++i) add_both(argument, i);
    if (has_windows(op_)) add(argument, kWhole, true);  // one value for all axes
  }
  if (rule_ != "size-value") return;
  for (int i = 0; i < axes_; ++i) add_both("outputSize", i);
  if (has_parameter(op_, "inputSize")) {
    for (int i = 0; i < accepted_lengths(op_, "inputSize").back(); ++i) add_both("inputSize", i);
  }
  each(Kind::real, [&](const Parameter& p) { add_both(p.name, kWhole); });
}

void Cells::add_shapes() {
  each_tensor_axis([&](const Parameter& p, int axis, int rank) {
    // Where outputSize is given, a forward takes any input extent. (H and W are dimensions 2 and 3
    // or, with NHWC, 1 and 2.)
    const int last = family(op_).format_places_axes ? rank - 2 : rank - 1;
    const bool free = !ref::is_backward(op_) && resizes(op_) && p.name == "self" &&
                      axis >= rank - axes_ && axis <= last;
    if (!free) add(p.name, axis, true, rank);
  });
  add(kAll, kWhole, false);
  if (has_windows(op_)) {
    for (int i = 0; i < axes_; ++i) add_both("kernelSize", i);
    add("ceilMode", kWhole, true);
  }
  if (family(op_).pads_each_end) {
    for (int i = 0; i < accepted_lengths(op_, "padding").back(); ++i) add_both("padding", i);
  }
  each(Kind::int_array, [&](const Parameter& p) {
    if (p.name != "outputSize" && p.name != "inputSize") return;
    for (int i = 0; i < accepted_lengths(op_, p.name).back(); ++i) add(p.name, i, true);
  });
}

void Cells::add_memory() {
  const auto written = [](const Parameter& p) { return p.access == Access::written; };
  if (rule_ == "view") {
    each(Kind::tensor, [&](const Parameter& p) { add_both(p.name, kWhole); });
    each_tensor_axis([&](const Parameter& p, int axis, int rank) {
      add(p.name, axis, true, rank);
      if (p.access == Access::read && !is_mask(p)) add(p.name, axis, false, rank);
    });
  } else if (rule_ == "output-overlap") {
    each_tensor_axis([&](const Parameter& p, int axis, int rank) {
      if (!written(p) || is_mask(p)) return;
      add(p.name, axis, true, rank);
      if (axis + 1 < rank)
        add(p.name, axis, false, rank);  // the innermost one has none to keep apart
    });
  } else {
    each(Kind::tensor, [&](const Parameter& output) {
      if (!written(output)) return;
      each(Kind::tensor, [&](const Parameter& other) {
        if (other.slot == output.slot) return;
        add(other.name, output.slot, false);
        if (other.access == Access::described) return;
        add(other.name, output.slot, true);
        add_both(output.name, other.slot);
      });
    });
  }
}

/// Fields of a tensor that belong together: a shape without its strides means nothing.
struct Part {
  bool (*same)(const ref::Tensor& a, const ref::Tensor& b);
  void (*copy)(const ref::Tensor& from, ref::Tensor& to);
};
constexpr Part kParts[] = {
    {[](const ref::Tensor& a, const ref::Tensor& b) { return a.dtype == b.dtype; },
     [](const ref::Tensor& from, ref::Tensor& to) { to.dtype = from.dtype; }},
    {[](const ref::Tensor& a, const ref::Tensor& b) { return a.format == b.format; },
     [](const ref::Tensor& from, ref::Tensor& to) { to.format = from.format; }},
    {[](const ref::Tensor& a, const ref::Tensor& b) {
       return a.shape == b.shape && a.strides == b.strides && a.null_strides == b.null_strides &&
              a.offset == b.offset && a.storage == b.storage;
     },
     [](const ref::Tensor& from, ref::Tensor& to) {
       to.shape = from.shape;
       to.strides = from.strides;
       to.null_strides = from.null_strides;
       to.offset = from.offset;
       to.storage = from.storage;
     }},
    {[](const ref::Tensor& a, const ref::Tensor& b) {
       return a.null_data == b.null_data && a.shares == b.shares && a.shares_at == b.shares_at;
     },
     [](const ref::Tensor& from, ref::Tensor& to) {
       to.null_data = from.null_data;
       to.shares = from.shares;
       to.shares_at = from.shares_at;
     }},
};

/// Takes over what `change` did to `base`. False if `into` was changed there, too, and otherwise.
template <class T>
bool take_over(const T& base, const T& change, T& into) {
  if (change == base || change == into) return true;
  if (into != base) return false;
  into = change;
  return true;
}

bool take_over_tensor(const ref::Tensor& base, const ref::Tensor& change, ref::Tensor& into) {
  if (change.null || into.null) return take_over(base, change, into);
  for (const Part& part : kParts) {
    if (part.same(change, base) || part.same(change, into)) continue;
    if (!part.same(into, base)) return false;
    part.copy(change, into);
  }
  return true;
}

}  // namespace

std::vector<BoundarySide> boundary_sides(ref::Operator op, ref::Product product) {
  return Cells(op, product).take();
}

bool lacks(ref::Operator op, ref::Product product) { return accepted_dtypes(op, product).empty(); }

BoundarySide side_of(const Mutation& mutation) {
  const ref::Call& call = mutation.mutated.call;
  BoundarySide side{call.op, call.product,   mutation.rule, mutation.argument, mutation.at,
                    0,       mutation.breaks};
  if (mutation.at == kWhole || !is_dimension_rule(mutation.rule)) return side;
  for (const Parameter& p : ref::signature(call.op).parameters) {
    const bool all = mutation.argument == kAll && p.slot == output_side(call.op);
    if (p.kind == Kind::tensor && (p.name == mutation.argument || all))
      side.rank = static_cast<int>(call.tensors[p.slot].shape.size());
  }
  return side;
}

std::vector<BoundarySide> sides_of_valid(const ref::Call& call) {
  std::vector<BoundarySide> sides;
  const auto add = [&](const char* rule, std::string_view argument, int at) {
    sides.push_back({call.op, call.product, rule, std::string(argument), at, 0, false});
  };
  add("platform", "soc", kWhole);
  for (const Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind == Kind::tensor || p.kind == Kind::int_array) add("null-argument", p.name, kWhole);
    if (p.kind != Kind::tensor) continue;
    const ref::Tensor& t = call.tensors[p.slot];
    add("dtype", p.name, t.dtype);
    add("format", p.name, t.format);
    add("rank", p.name, static_cast<int>(t.shape.size()));
  }
  for (const char* output : {"workspaceSize", "executor"}) add("null-argument", output, kWhole);
  return sides;
}

std::string to_text(const BoundarySide& side) {
  std::string text = side.rule + " " + side.argument;
  if (side.at != kWhole) {
    if (side.rule == "dtype")
      text += " " + ref::dtype_name(side.at);
    else if (side.rule == "format")
      text += " " + ref::format_name(side.at);
    else if (side.rule == "rank")
      text += " " + std::to_string(side.at);
    else if (side.rule == "array-length")
      text += " of length " + std::to_string(side.at);
    else if (side.rule == "alias")
      text += " with tensor " + std::to_string(side.at);
    else
      text += "[" + std::to_string(side.at) + "]";
  }
  if (side.rank > 0) text += " at rank " + std::to_string(side.rank);
  return text + (side.broken ? " broken" : " kept") + " on " + std::string(ref::name(side.product));
}

std::optional<Case> both(const Case& valid, const Mutation& a, const Mutation& b) {
  Case merged = a.mutated;
  const ref::Call& base = valid.call;
  const ref::Call& change = b.mutated.call;
  ref::Call& into = merged.call;
  bool fits =
      take_over(base.product, change.product, into.product) &&
      take_over(base.flags, change.flags, into.flags) &&
      take_over(base.null_workspace_size, change.null_workspace_size, into.null_workspace_size) &&
      take_over(base.null_executor, change.null_executor, into.null_executor);
  for (std::size_t i = 0; fits && i < base.tensors.size(); ++i)
    fits = take_over_tensor(base.tensors[i], change.tensors[i], into.tensors[i]);
  for (std::size_t i = 0; fits && i < base.arrays.size(); ++i)
    fits = take_over(base.arrays[i], change.arrays[i], into.arrays[i]);
  for (std::size_t i = 0; fits && i < base.reals.size(); ++i) {
    // NaN is unlike itself; both mutations start from the same number otherwise.
    if (change.reals[i] == base.reals[i]) continue;
    if (into.reals[i] != base.reals[i])
      fits = false;
    else
      into.reals[i] = change.reals[i];
  }
  if (!fits) return std::nullopt;
  for (ref::Tensor& t : into.tensors) {
    // Nothing lies in the memory of a tensor that is not there.
    if (t.shares >= 0 && into.tensors[static_cast<std::size_t>(t.shares)].null)
      t.shares = -1, t.shares_at = 0;
  }
  return merged;
}

}  // namespace gradproof::props
