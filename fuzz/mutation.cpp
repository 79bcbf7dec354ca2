// Which change of mutation.h it is, and those of numbers: extents, strides, parameters.
#include "fuzz/mutation.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "props/cases/mutate/mutations.h"
#include "props/cases/shapes.h"
#include "props/cases/text/bytes.h"
#include "ref/rules.h"

namespace gradproof::fuzz {
namespace {

using ref::Tensor;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
/// Where arithmetic on extents, strides and parameters goes wrong, if it does.
constexpr std::int64_t kBoundaries[] = {0,
                                        1,
                                        2,
                                        3,
                                        -1,
                                        -2,
                                        127,
                                        255,
                                        32767,
                                        65535,
                                        65536,
                                        46341,
                                        std::int64_t{1} << 30,
                                        (std::int64_t{1} << 31) - 1,
                                        std::int64_t{1} << 31,
                                        -(std::int64_t{1} << 31),
                                        (std::int64_t{1} << 32) - 1,
                                        std::int64_t{1} << 32,
                                        (std::int64_t{1} << 32) + 1,
                                        3037000500,
                                        std::int64_t{1} << 53,
                                        std::int64_t{1} << 61,
                                        std::int64_t{1} << 62,
                                        kMost / 2,
                                        kMost - 1,
                                        kMost,
                                        -kMost,
                                        -kMost - 1};

bool is_plain(const Tensor& t) {
  return t.strides == ref::contiguous_strides(t.shape) && t.storage == props::default_storage(t);
}

}  // namespace

void Mutation::one() {
  switch (draw_.below(16)) {
    case 0:
    case 1:
    case 2: return set_number();
    case 3:
    case 4: return set_extent_everywhere();
    case 5: return swap_axes();
    case 6: return edit_array();
    case 7:
    case 8: return edit_layout();
    case 9: return edit_type();
    case 10: return edit_rank();
    case 11: return edit_null();
    case 12: return share_memory();
    case 13: return edit_scalars();
    case 14: return edit_data();
    default: return renew();
  }
}

std::int64_t Mutation::other(std::int64_t value) {
  const auto wrapped = static_cast<std::uint64_t>(value);
  switch (draw_.below(8)) {
    case 0: return static_cast<std::int64_t>(wrapped + 1);
    case 1: return static_cast<std::int64_t>(wrapped - 1);
    case 2: return static_cast<std::int64_t>(wrapped * 2);
    case 3: return static_cast<std::int64_t>(0 - wrapped);
    case 4: return static_cast<std::int64_t>(wrapped + (std::uint64_t{1} << 32));
    case 5: {
      const Numbers& shape = any_tensor().shape;
      return shape.empty() ? 1 : shape[any(shape.size())];
    }
    default: return pick(kBoundaries);
  }
}

void Mutation::set_number() {
  std::vector<std::int64_t*> numbers;
  Tensor& t = any_tensor();
  const bool plain = is_plain(t);
  for (std::int64_t& v : t.shape) numbers.push_back(&v);
  for (std::int64_t& v : t.strides) numbers.push_back(&v);
  for (std::int64_t& v : t.storage) numbers.push_back(&v);
  numbers.push_back(&t.offset);
  // As many again, so that parameters are as likely as descriptors.
  std::vector<std::int64_t*> parameters;
  for (ref::IntArray& array : call_.arrays) {
    for (std::int64_t& v : array.values) parameters.push_back(&v);
  }
  const bool parameter = !parameters.empty() && draw_.chance(1, 2);
  std::vector<std::int64_t*>& from = parameter ? parameters : numbers;
  const Numbers shape = t.shape;
  std::int64_t& chosen = *from[any(from.size())];
  chosen = other(chosen);
  if (plain && t.shape != shape) props::reshape(t, t.shape);
  if (draw_.chance(1, 3)) fit();
}

void Mutation::fit() {
  const ref::Rule* rule = ref::expect(call_).rule;
  if (rule == nullptr || rule->id == "shape" || rule->id == "view") props::conform(call_);
}

void Mutation::set_extent_everywhere() {
  const std::size_t axis = any(props::kBytesDimensions / 2);
  const Tensor& first = call_.tensors[any(call_.tensors.size())];
  if (axis >= first.shape.size()) return;
  const std::int64_t old = first.shape[axis];
  const std::int64_t extent = draw_.chance(1, 2) ? draw_.between(0, 9) : other(old);
  for (Tensor& t : call_.tensors) {
    if (axis >= t.shape.size() || t.shape[axis] != old) continue;
    Numbers shape = t.shape;
    shape[axis] = extent;
    props::reshape(t, shape);
  }
  fit();
}

void Mutation::swap_axes() {
  const std::size_t a = any(5), b = any(5);
  for (Tensor& t : call_.tensors) {
    if (std::max(a, b) >= t.shape.size()) continue;
    std::swap(t.shape[a], t.shape[b]);
    if (t.strides.size() == t.shape.size() && draw_.chance(1, 2))
      std::swap(t.strides[a], t.strides[b]);
    else
      props::reshape(t, t.shape);
    if (draw_.chance(1, 8)) return;  // in the first tensor alone
  }
  for (ref::IntArray& array : call_.arrays) {
    if (array.values.size() > 1 && draw_.chance(1, 2))
      std::swap(array.values.front(), array.values.back());
  }
}

void Mutation::edit_array() {
  if (call_.arrays.empty()) return set_number();
  Numbers& values = call_.arrays[any(call_.arrays.size())].values;
  switch (draw_.below(4)) {
    case 0:
      values.resize(draw_.below(props::kBytesArray + 1), values.empty() ? 1 : values.back());
      break;
    case 1:
      if (!values.empty()) values.pop_back();
      break;
    case 2:
      if (values.size() < props::kBytesArray) values.push_back(values.empty() ? 1 : values.back());
      break;
    default:
      if (!values.empty()) std::fill(values.begin(), values.end(), draw_.between(0, 4));
      fit();
  }
}

void Mutation::edit_rank() {
  const bool all = draw_.chance(1, 2), more = draw_.chance(1, 2);
  const std::size_t chosen = any(call_.tensors.size());
  for (std::size_t slot = 0; slot < call_.tensors.size(); ++slot) {
    if (!all && slot != chosen) continue;
    Numbers shape = call_.tensors[slot].shape;
    if (more && shape.size() < props::kBytesDimensions)
      shape.insert(shape.begin(), 1);
    else if (!more && !shape.empty())
      shape.erase(shape.begin());
    props::reshape(call_.tensors[slot], shape);
  }
}

}  // namespace gradproof::fuzz
