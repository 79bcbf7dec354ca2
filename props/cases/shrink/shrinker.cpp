// The order of cases from simple to complicated, and which edits count.
//
// A variant is offered only if it is smaller in `weight`, so shrinking ends; and only if it breaks
// the same rule as the case, or none if that is valid. A valid one asks for no promise (promises.h)
// that the case does not ask for.
#include "props/cases/shrink/shrinker.h"

#include <algorithm>
#include <functional>

#include "props/cases/describe/promises.h"
#include "props/cases/shapes.h"
#include "ref/scales.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

std::uint64_t distance(std::int64_t value, std::int64_t from) {
  const auto v = static_cast<std::uint64_t>(value), f = static_cast<std::uint64_t>(from);
  const std::uint64_t d = value >= from ? v - f : f - v;
  return std::min<std::uint64_t>(2 * d + (value < from ? 1 : 0), std::uint64_t{1} << 50);
}

/// What is unusual about a layout counts first, then how far from the usual it is.
constexpr std::uint64_t kFlag = std::uint64_t{1} << 40;
constexpr std::uint64_t kFarthest = std::uint64_t{1} << 32;

std::uint64_t layout_weight(const Case& c, int slot) {
  const ref::Tensor& t = c.call.tensors[slot];
  std::uint64_t weight = 0;
  weight += t.null_strides;
  weight += t.offset != 0;
  weight += t.storage != t.shape;
  weight += t.null_data;
  weight += t.shares != -1 || t.shares_at != 0;
  const std::vector<std::int64_t> plain = ref::contiguous_strides(t.shape);
  for (std::size_t a = 0; a < t.strides.size(); ++a)
    weight += a >= plain.size() || t.strides[a] != plain[a];
  if (weight == 0) return 0;
  std::uint64_t far = std::min(distance(t.offset, 0), kFarthest);
  for (std::size_t a = 0; a < t.strides.size() && a < plain.size(); ++a)
    far += std::min(distance(t.strides[a], plain[a]), kFarthest);
  // A line of elements is the simplest storage of a view that is not all of it.
  if (t.storage != t.shape) far += t.storage.size();
  for (const std::int64_t extent : t.storage) far += std::min(distance(extent, 1), kFarthest);
  return weight * kFlag + far;
}

bool is_laid_out(const ref::Tensor& t) {
  return !t.null && (t.null_strides || t.offset != 0 || t.storage != t.shape ||
                     t.strides != ref::contiguous_strides(t.shape));
}

/// Whether every rule before **shape** holds, which conform relies on.
bool has_sound_parameters(const ref::Call& call) {
  for (const ref::Rule& rule : ref::rules()) {
    if (rule.id == "shape") return true;
    if (rule.check(call)) return false;
  }
  return true;
}

}  // namespace

Weight weight(const Case& c) {
  Weight w{};
  for (const Command& command : c.sequence) {
    w[0] += 10'000;
    for (const std::uint8_t operand : command.with) w[0] += operand;
  }
  const std::vector<int> inputs = input_side(c.call.op);
  for (int slot = 0; slot < static_cast<int>(c.call.tensors.size()); ++slot) {
    const bool input = std::find(inputs.begin(), inputs.end(), slot) != inputs.end();
    const ref::Tensor& t = c.call.tensors[slot];
    w[input ? 2 : 4] += t.shape.size();
    for (std::int64_t extent : t.shape) {
      w[input ? 1 : 4] += extent != 1;
      w[input ? 2 : 4] += distance(extent, 1);
    }
    // Samples count more than the channels that they could be.
    w[3] += first_spatial(c.call) > 1 && !t.shape.empty() && t.shape.front() != 1;
    w[5] += layout_weight(c, slot);
    const Fill& fill = c.fills[slot];
    w[6] += fill.kind == default_fill(c.call.op, slot).kind
                ? 0
                : 1 + static_cast<std::uint64_t>(fill.kind);
    w[6] += fill.kind == Fill::Kind::integers && fill.a != 1 ? 1 : 0;
    w[7] += distance(t.dtype, 0) + (t.format != ref::kNd);
  }
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind != ref::Kind::int_array) continue;
    const ref::IntArray& array = c.call.arrays[p.slot];
    w[3] += array.values.size();
    for (std::int64_t v : array.values) w[3] += distance(v, p.name == "padding" ? 0 : 1);
  }
  for (std::uint8_t flag : c.call.flags) w[3] += flag;
  for (double real : c.call.reals) w[3] += real != 0;
  w[7] += c.call.product != ref::Product::Ascend910B;
  w[7] += c.misuse != Misuse::none;
  w[8] = c.seed;
  return w;
}

Shrinker::Shrinker(const Case& c)
    : from_(c),
      weight_(weight(c)),
      rule_(ref::expect(c.call).rule),
      asked_(promises_asked(c)),
      laid_out_(std::any_of(c.call.tensors.begin(), c.call.tensors.end(), is_laid_out)) {}

void Shrinker::offer(Case variant) {
  const Weight w = weight(variant);
  if (!(w < weight_) || ref::expect(variant.call).rule != rule_) return;
  if (rule_ == nullptr) {
    refit_scales(variant.call);
    for (const std::string_view promise : promises_asked(variant)) {
      if (std::find(asked_.begin(), asked_.end(), promise) == asked_.end()) return;
    }
  }
  found_.emplace_back(w, std::move(variant));
}

/// Scales that fitted the case's sizes fit the variant's, as far above their ratio.
void Shrinker::refit_scales(ref::Call& call) const {
  for (std::size_t i = 0; i < call.reals.size(); ++i) {
    const std::size_t axis = first_spatial(call) + i;
    const int in = input_side(call.op).front(), out = output_side(call.op);
    const std::int64_t from = from_.call.tensors[in].shape[axis],
                       to = from_.call.tensors[out].shape[axis],
                       now_from = call.tensors[in].shape[axis],
                       now_to = call.tensors[out].shape[axis];
    double& scale = call.reals[i];
    if (scale > 0 && (from != now_from || to != now_to) && ref::scale_fits(from, to, scale))
      scale = fitting_scale(now_from, now_to,
                            static_cast<double>(from) * scale - static_cast<double>(to));
  }
}

bool Shrinker::follows(ref::Call& call) { return has_sound_parameters(call) && conform(call); }

/// Views that have become smaller can stay where they were in storage.
bool Shrinker::keep_layouts(ref::Call& call) const {
  bool kept = false;
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const ref::Tensor& before = from_.call.tensors[i];
    ref::Tensor& now = call.tensors[i];
    const bool fits =
        is_laid_out(before) && before.shape.size() == now.shape.size() &&
        std::equal(now.shape.begin(), now.shape.end(), before.shape.begin(), std::less_equal<>());
    if (!fits) continue;
    now.strides = before.strides;
    now.null_strides = before.null_strides;
    now.offset = before.offset;
    now.storage = before.storage;
    kept = true;
  }
  return kept;
}

std::vector<Case> Shrinker::take() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Case> cases;
  for (auto& [w, c] : found_) {
    if (cases.empty() || !(cases.back() == c)) cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace gradproof::props
