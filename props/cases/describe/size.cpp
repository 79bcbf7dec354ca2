// Counts elements.
#include "props/cases/describe/size.h"

#include <algorithm>
#include <numeric>

#include "props/cases/shapes.h"

namespace gradproof::props {
namespace {

bool is_mask(const ref::Call& call, int slot) {
  return has_mask(call.op) && slot == indices_slot(call.op);
}

std::int64_t claimed(const ref::Call& call, int slot) {
  const ref::Tensor& t = call.tensors[static_cast<std::size_t>(slot)];
  std::vector<std::int64_t> shape = t.shape;
  if (is_mask(call, slot) && shape.size() >= 2) {
    shape = call.tensors[static_cast<std::size_t>(output_side(call.op))].shape;
    shape.push_back(t.shape[t.shape.size() - 2]);
  }
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; }))
    return 0;
  return element_count(shape).value_or(kHuge);
}

std::int64_t largest(const Case& c, bool masks) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // more is never run
  std::int64_t most = 0;
  for (int slot = 0; slot < static_cast<int>(c.call.tensors.size()); ++slot) {
    if (masks || !is_mask(c.call, slot)) most = std::max(most, claimed(c.call, slot));
  }
  return most > kMost ? kHuge : most;
}

/// @param empty  what an extent of 0 counts as
double claimed(const Case& c, std::int64_t empty) {
  double sum = 0;
  for (const ref::Tensor& t : c.call.tensors) {
    for (const std::vector<std::int64_t>* dims : {&t.shape, &t.storage}) {
      sum += std::accumulate(dims->begin(), dims->end(), 8.0, [empty](double a, std::int64_t b) {
        return a * static_cast<double>(b == 0 ? empty : b);
      });
    }
  }
  return sum;
}

}  // namespace

std::int64_t largest_tensor(const Case& c) { return largest(c, true); }

std::int64_t largest_but_masks(const Case& c) { return largest(c, false); }

double claimed_bytes(const Case& c) { return claimed(c, 0); }

bool costs_no_more(const Case& derived, const Case& from) {
  constexpr double kFew = 1 << 20;
  if (claimed_bytes(derived) > std::max(kFew, claimed_bytes(from))) return false;
  // More than there are addresses costs nothing: it cannot be allocated.
  constexpr auto kAddresses = static_cast<double>(std::int64_t{1} << 47);
  return !is_hugely_empty(derived) || claimed(derived, 1) >= kAddresses;
}

bool is_hugely_empty(const Case& c) {
  constexpr double kLittle = 1 << 28;
  return claimed(c, 1) > std::max(kLittle, claimed_bytes(c));
}

}  // namespace gradproof::props
