// Changes of mutation.h that are not about numbers alone: layouts, types, memory, scalars, data.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "fuzz/mutation.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/shapes.h"
#include "ref/rules.h"
#include "ref/types.h"

namespace gradproof::fuzz {
namespace {

using ref::Tensor;

constexpr std::int32_t kDtypes[] = {ref::kFloat,  ref::kFloat16,   ref::kBf16,
                                    ref::kDouble, ref::kComplex64, ref::kInt8,
                                    ref::kInt32,  ref::kInt64,     ref::kComplex128,
                                    ref::kUint8,  ref::kBool,      ref::kDtypeUndefined};
constexpr std::int32_t kFormats[] = {
    ref::kNd,    ref::kNchw,    ref::kNhwc,           ref::kNcdhw,
    ref::kNcl,   ref::kNc,      ref::kHwcn,           ref::kNdc1hwc0,
    ref::kNdhwc, ref::kNc1hwc0, ref::kFormatUndefined};

}  // namespace

void Mutation::edit_layout() {
  Tensor& t = any_tensor();
  if (t.strides.size() != t.shape.size()) t.strides = ref::contiguous_strides(t.shape);
  const std::size_t rank = t.shape.size();
  switch (draw_.below(7)) {
    case 0: props::reshape(t, t.shape); break;
    case 1: t.null_strides = !t.null_strides; break;
    case 2: t.offset = draw_.chance(1, 2) ? draw_.between(1, 9) : other(t.offset); break;
    case 3: {  // extents' order in memory turned round
      std::uint64_t stride = 1;
      for (std::size_t axis = 0; axis < rank; ++axis) {
        t.strides[axis] = static_cast<std::int64_t>(stride);
        stride *= static_cast<std::uint64_t>(t.shape[axis]);
      }
      break;
    }
    case 4:
      for (std::int64_t& s : t.strides)
        s = static_cast<std::int64_t>(2 * static_cast<std::uint64_t>(s));
      break;
    case 5:
      if (rank > 0) t.strides[any(rank)] = draw_.chance(1, 2) ? 0 : other(t.strides[any(rank)]);
      break;
    default: break;
  }
  t.storage = props::default_storage(t);
  if (t.storage.empty() || !draw_.chance(1, 4)) return;
  std::int64_t& last = t.storage.back();
  last = draw_.chance(1, 2) ? static_cast<std::int64_t>(static_cast<std::uint64_t>(last) - 1)
                            : other(last);
}

void Mutation::edit_type() {
  const bool all = draw_.chance(1, 2);
  const bool dtype = draw_.chance(1, 2);
  const std::int32_t value = draw_.chance(1, 8) ? static_cast<std::int32_t>(draw_.between(-2, 80))
                             : dtype            ? pick(kDtypes)
                                                : pick(kFormats);
  const int indices = props::indices_slot(call_.op);
  const std::size_t chosen = any(call_.tensors.size());
  for (std::size_t slot = 0; slot < call_.tensors.size(); ++slot) {
    if (!all && slot != chosen) continue;
    if (!dtype)
      call_.tensors[slot].format = value;
    else if (!all || static_cast<int>(slot) != indices)
      call_.tensors[slot].dtype = value;
  }
}

void Mutation::edit_null() {
  switch (draw_.below(5)) {
    case 0: call_.null_workspace_size = !call_.null_workspace_size; break;
    case 1: call_.null_executor = !call_.null_executor; break;
    case 2: {
      Tensor& t = any_tensor();
      t.null = !t.null;
      break;
    }
    case 3: {
      Tensor& t = any_tensor();
      t.null_data = !t.null_data;
      break;
    }
    default:
      if (call_.arrays.empty()) return;
      ref::IntArray& array = call_.arrays[any(call_.arrays.size())];
      array.null = !array.null;
  }
}

void Mutation::share_memory() {
  Tensor& t = any_tensor();
  t.shares = static_cast<std::int32_t>(draw_.below(call_.tensors.size() + 1)) - 1;
  t.shares_at = draw_.chance(1, 2)   ? draw_.between(-64, 256)
                : draw_.chance(1, 2) ? 0
                                     : other(t.shares_at);
}

void Mutation::edit_scalars() {
  static constexpr double kReals[] = {0,      -0.0,  1,        0.5,      2,         -1,
                                      1e-300, 1e300, 4.9e-324, HUGE_VAL, -HUGE_VAL, NAN};
  switch (draw_.below(3)) {
    case 0: call_.product = static_cast<ref::Product>(draw_.below(ref::kProductCount)); break;
    case 1:
      if (!call_.flags.empty()) call_.flags[any(call_.flags.size())] ^= 1;
      break;
    default:
      if (!call_.reals.empty()) call_.reals[any(call_.reals.size())] = pick(kReals);
  }
}

void Mutation::edit_data() {
  switch (draw_.below(3)) {
    case 0: c_.seed = draw_.below(std::uint64_t{1} << 32); break;
    case 1:
      c_.misuse = draw_.chance(1, 2)
                      ? props::Misuse::none
                      : static_cast<props::Misuse>(draw_.below(
                            static_cast<std::uint64_t>(props::Misuse::dead_stream) + 1));
      break;
    default: {
      const std::size_t slot = any(c_.fills.size());
      const bool indices =
          static_cast<int>(slot) == props::indices_slot(call_.op) && ref::is_backward(call_.op);
      using Kind = props::Fill::Kind;
      c_.fills[slot] = {
          indices ? draw_.pick({Kind::forward, Kind::in_range, Kind::one_bad})
                  : draw_.pick({Kind::integers, Kind::uniform, Kind::normal, Kind::constant,
                                Kind::powers, Kind::special, Kind::zeros_and_ones}),
          draw_.pick({8.0, 1.0, -1.0, 65504.0, 3e38, double{HUGE_VAL}, double{NAN}}),
          draw_.pick({0.0, 1.0, 8.0})};
    }
  }
}

void Mutation::renew() {
  props::SeededSource source(draw_.below(std::numeric_limits<std::int64_t>::max()));
  const bool valid = ref::expect(call_).rule == nullptr;
  if (valid && draw_.chance(1, 4)) {
    std::vector<props::Mutation> all = props::mutations(c_);
    c_ = std::move(all[any(all.size())].mutated);
  } else if (!valid || draw_.chance(1, 4)) {
    const std::vector<props::CoveragePoint> points = props::coverage_points(call_.op);
    c_ = props::generate_valid(source, points[any(points.size())], {.max_elements = 128});
  }
}

}  // namespace gradproof::fuzz
