// libFuzzer's custom mutator for targets on Cases: it changes one thing of the Case in its own
// terms, so that most of what it makes still says something about one rule.
#include <algorithm>
#include <cmath>

#include "fuzz/case_target.h"
#include "props/cases/bytes.h"
#include "props/cases/draw.h"
#include "props/cases/shapes.h"
#include "ref/rules.h"
#include "ref/types.h"

extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                      std::size_t max_size);

namespace gradproof::fuzz {
namespace {

using props::Case, props::Draw;
using ref::Call, ref::Tensor;
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
constexpr std::int32_t kDtypes[] = {ref::kFloat,  ref::kFloat16,   ref::kBf16,
                                    ref::kDouble, ref::kComplex64, ref::kInt8,
                                    ref::kInt32,  ref::kInt64,     ref::kComplex128,
                                    ref::kUint8,  ref::kBool,      ref::kDtypeUndefined};
constexpr std::int32_t kFormats[] = {
    ref::kNd,    ref::kNchw,    ref::kNhwc,           ref::kNcdhw,
    ref::kNcl,   ref::kNc,      ref::kHwcn,           ref::kNdc1hwc0,
    ref::kNdhwc, ref::kNc1hwc0, ref::kFormatUndefined};

class Mutation {
 public:
  Mutation(Case& c, Draw& draw) : c_(c), call_(c.call), draw_(draw) {}

  void one() {
    switch (draw_.below(16)) {
      case 0:
      case 1:
      case 2:
        return set_number();
      case 3:
      case 4:
        return set_extent_everywhere();
      case 5:
        return swap_axes();
      case 6:
        return edit_array();
      case 7:
      case 8:
        return edit_layout();
      case 9:
        return edit_type();
      case 10:
        return edit_rank();
      case 11:
        return edit_null();
      case 12:
        return share_memory();
      case 13:
        return edit_scalars();
      case 14:
        return edit_data();
      default:
        return renew();
    }
  }

 private:
  template <class T, std::size_t n>
  T pick(const T (&values)[n]) {
    return values[draw_.below(n)];
  }
  std::size_t any(std::size_t n) { return draw_.below(n); }
  Tensor& any_tensor() { return call_.tensors[any(call_.tensors.size())]; }

  /// A number near the present one, at a border, or one that stands elsewhere in the call.
  std::int64_t other(std::int64_t value) {
    const auto wrapped = static_cast<std::uint64_t>(value);
    switch (draw_.below(8)) {
      case 0:
        return static_cast<std::int64_t>(wrapped + 1);
      case 1:
        return static_cast<std::int64_t>(wrapped - 1);
      case 2:
        return static_cast<std::int64_t>(wrapped * 2);
      case 3:
        return static_cast<std::int64_t>(0 - wrapped);
      case 4:
        return static_cast<std::int64_t>(wrapped + (std::uint64_t{1} << 32));
      case 5: {
        const Numbers& shape = any_tensor().shape;
        return shape.empty() ? 1 : shape[any(shape.size())];
      }
      default:
        return pick(kBoundaries);
    }
  }

  static bool is_plain(const Tensor& t) {
    return t.strides == ref::contiguous_strides(t.shape) && t.storage == props::default_storage(t);
  }

  void set_number() {
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

  /// Makes shapes follow from the parameters, if nothing before the rule **shape** is wrong.
  void fit() {
    const ref::Rule* rule = ref::expect(call_).rule;
    if (rule == nullptr || rule->id == "shape" || rule->id == "view") props::conform(call_);
  }

  void set_extent_everywhere() {
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

  void swap_axes() {
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

  void edit_array() {
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
        if (values.size() < props::kBytesArray)
          values.push_back(values.empty() ? 1 : values.back());
        break;
      default:
        if (!values.empty()) std::fill(values.begin(), values.end(), draw_.between(0, 4));
        fit();
    }
  }

  /// Dense in another order, with gaps, behind an offset, broadcast, or with a storage that just
  /// fits or just does not.
  void edit_layout() {
    Tensor& t = any_tensor();
    if (t.strides.size() != t.shape.size()) t.strides = ref::contiguous_strides(t.shape);
    const std::size_t rank = t.shape.size();
    switch (draw_.below(7)) {
      case 0:
        props::reshape(t, t.shape);
        break;
      case 1:
        t.null_strides = !t.null_strides;
        break;
      case 2:
        t.offset = draw_.chance(1, 2) ? draw_.between(1, 9) : other(t.offset);
        break;
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
      default:
        break;
    }
    t.storage = props::default_storage(t);
    if (t.storage.empty() || !draw_.chance(1, 4)) return;
    std::int64_t& last = t.storage.back();
    last = draw_.chance(1, 2) ? static_cast<std::int64_t>(static_cast<std::uint64_t>(last) - 1)
                              : other(last);
  }

  void edit_type() {
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

  void edit_rank() {
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

  void edit_null() {
    switch (draw_.below(5)) {
      case 0:
        call_.null_workspace_size = !call_.null_workspace_size;
        break;
      case 1:
        call_.null_executor = !call_.null_executor;
        break;
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

  void share_memory() {
    Tensor& t = any_tensor();
    t.shares = static_cast<std::int32_t>(draw_.below(call_.tensors.size() + 1)) - 1;
    t.shares_at = draw_.chance(1, 2)   ? draw_.between(-64, 256)
                  : draw_.chance(1, 2) ? 0
                                       : other(t.shares_at);
  }

  void edit_scalars() {
    static constexpr double kReals[] = {0,      -0.0,  1,        0.5,      2,         -1,
                                        1e-300, 1e300, 4.9e-324, HUGE_VAL, -HUGE_VAL, NAN};
    switch (draw_.below(3)) {
      case 0:
        call_.product = static_cast<ref::Product>(draw_.below(ref::kProductCount));
        break;
      case 1:
        if (!call_.flags.empty()) call_.flags[any(call_.flags.size())] ^= 1;
        break;
      default:
        if (!call_.reals.empty()) call_.reals[any(call_.reals.size())] = pick(kReals);
    }
  }

  void edit_data() {
    switch (draw_.below(3)) {
      case 0:
        c_.seed = draw_.below(std::uint64_t{1} << 32);
        break;
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

  /// Another valid case, or this one with one rule attacked.
  void renew() {
    props::SeededSource source(draw_.below(kMost));
    const bool valid = ref::expect(call_).rule == nullptr;
    if (valid && draw_.chance(1, 4)) {
      std::vector<props::Attack> attacks = props::attacks(c_);
      c_ = std::move(attacks[any(attacks.size())].attacked);
    } else if (!valid || draw_.chance(1, 4)) {
      const std::vector<props::Cell> cells = props::cells(call_.op);
      c_ = props::generate_valid(source, cells[any(cells.size())], {.max_elements = 128});
    }
  }

  Case& c_;
  Call& call_;
  Draw& draw_;
};

}  // namespace
}  // namespace gradproof::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  using namespace gradproof;
  props::SeededSource source(seed);
  props::Draw draw(source);
  if (draw.chance(1, 10)) return LLVMFuzzerMutate(data, size, max_size);
  props::Case c = props::from_bytes({data, size}, fuzz::only_operator());
  fuzz::Mutation mutation(c, draw);
  do {
    mutation.one();
  } while (draw.chance(1, 3));
  const std::vector<std::uint8_t> bytes = props::to_bytes(std::move(c));
  const std::size_t length = std::min(bytes.size(), max_size);
  std::copy_n(bytes.begin(), length, data);
  return length;
}
