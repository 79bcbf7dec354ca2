// Random indices and masks: legal input of a pooling gradient that no forward need have made.
#include "props/cases/data/indices.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "props/cases/data/chunks.h"
#include "props/cases/hash.h"
#include "props/cases/shapes.h"
#include "props/cases/wide.h"
#include "ref/operators.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

/// One spatial axis of a 3-D pool: where the window of output position o begins and ends, cut to
/// the input.
struct IndexAxis {
  std::int64_t in, out;
  Window window;  ///< kernel 0 for adaptive pooling
  std::int64_t begin(std::int64_t o) const {
    if (window.kernel == 0) return o * in / out;
    return static_cast<std::int64_t>(std::clamp<Wide>(start(o), 0, in - 1));
  }
  /// Always greater than begin: some libraries accept windows without any position.
  std::int64_t end(std::int64_t o) const {
    if (window.kernel == 0) return ((o + 1) * in + out - 1) / out;
    return static_cast<std::int64_t>(std::clamp<Wide>(start(o) + window.kernel, begin(o) + 1, in));
  }
  /// Wide: where the output has one position, kernel and stride may be any numbers.
  Wide start(std::int64_t o) const { return Wide{o} * window.stride - window.pad; }
};

ref::Dense positions(const Case& c, int slot) {
  const ref::Tensor& t = c.call.tensors[slot];
  const std::int64_t count = *element_count(t.shape);
  ref::Dense dense{t.dtype, t.shape, std::vector<std::byte>(static_cast<std::size_t>(count) * 4)};
  if (count == 0) return dense;
  const auto& in = c.call.tensors[input_side(c.call.op).front()].shape;
  const std::size_t rank = t.shape.size();
  const std::vector<Window> pool =
      has_windows(c.call.op) ? windows(c.call) : std::vector<Window>(3, {0, 0, 0, 0});
  IndexAxis axes[3];
  for (std::size_t a = 0; a < 3; ++a) axes[a] = {in[rank - 3 + a], t.shape[rank - 3 + a], pool[a]};
  const std::int64_t plane = axes[0].in * axes[1].in * axes[2].in;

  const Stream random(c.seed, slot);
  auto* const data = reinterpret_cast<std::int32_t*>(dense.bytes.data());
  in_chunks(count, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      std::uint64_t bits = random.at(i);
      std::int64_t index =
          static_cast<std::int64_t>(below(bits, static_cast<std::uint64_t>(plane)));
      if ((bits & 1) != 0) {  // in the window, argmax or not
        std::int64_t rest = i;
        std::int64_t o[3];
        for (int a = 2; a >= 0; --a) o[a] = rest % axes[a].out, rest /= axes[a].out;
        index = 0;
        for (int a = 0; a < 3; ++a) {
          bits = mix(bits);
          const std::int64_t begin = axes[a].begin(o[a]);
          const auto width = static_cast<std::uint64_t>(axes[a].end(o[a]) - begin);
          index = index * axes[a].in + begin + static_cast<std::int64_t>(below(bits, width));
        }
      }
      data[i] = static_cast<std::int32_t>(index);
    }
  });

  if (c.fills[slot].kind == Fill::Kind::one_bad) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const std::uint64_t bits = random.at(count);
    // A plane has at most 2^31-1 elements (index-range), so its size is itself an int32.
    const std::int64_t bad[] = {-1, plane, kLeast, kMost, -plane, std::min(plane + 7, kMost)};
    const auto value = static_cast<std::int32_t>(bad[bits % std::size(bad)]);
    data[below(mix(bits), static_cast<std::uint64_t>(count))] = value;
  }
  return dense;
}

/// One bit for each output, as a forward has them. Kernels read outputs in groups; one that decides
/// for a whole group by some of its outputs must fail. So one output in 64 has a second bit in a
/// quarter of the masks, and in another its bit is that of any position of the window, in the plane
/// or not. In a third quarter, that holds for all outputs.
void choose_single_bits(const Case& c, const Stream& random, ref::Dense& dense) {
  enum : std::uint64_t { kAnywhere, kSecond, kOutside, kPlain };
  const std::uint64_t way = c.seed / 4 % 4;
  const std::vector<std::int64_t>& pooled = c.call.tensors[output_side(c.call.op)].shape;
  const ref::MaskLayout mask(c.call, pooled);
  const std::vector<Window> pool = windows(c.call);
  const std::int64_t out_w = pooled.back();
  const IndexAxis h{pool[0].in, pooled[pooled.size() - 2], pool[0]}, w{pool[1].in, out_w, pool[1]};
  const auto place_on = [](const IndexAxis& axis, std::int64_t o, std::uint64_t bits) {
    const std::int64_t begin = axis.begin(o), count = axis.end(o) - begin;
    const Wide at =
        begin + static_cast<std::int64_t>(below(bits, static_cast<std::uint64_t>(count)));
    return static_cast<std::int64_t>(
        std::clamp<Wide>(at - axis.start(o), 0, axis.window.kernel - 1));
  };
  const std::int64_t places = mask.kernel_h * mask.kernel_w,
                     planes = *element_count(pooled) / std::max<std::int64_t>(1, mask.outputs);
  for (std::int64_t i = 0; i < planes * mask.outputs; ++i) {
    const std::int64_t plane = i / mask.outputs, output = i % mask.outputs;
    const auto byte = [&](std::int64_t place) -> std::byte& {
      return dense.bytes[static_cast<std::size_t>(mask.byte(plane, place, output))];
    };
    const std::byte bit{static_cast<unsigned char>(1 << mask.bit(plane))};
    for (std::int64_t place = 0; place < places; ++place) byte(place) &= ~bit;
    const auto any = [&](std::int64_t draw) {
      return static_cast<std::int64_t>(below(random.at(draw), static_cast<std::uint64_t>(places)));
    };
    const bool unusual = random.at(~i) % 64 == 0;
    const std::uint64_t bits = random.at(2 * i);
    byte(way == kAnywhere || (way == kOutside && unusual)
             ? any(2 * i)
             : place_on(h, output / out_w, bits) * mask.kernel_w +
                   place_on(w, output % out_w, mix(bits))) |= bit;
    if (unusual && way == kSecond) byte(any(2 * i + 1)) |= bit;
  }
}

/// All bits random, at one of three densities per 16 bytes: bits of channels and positions that do
/// not exist and the tail beyond the packed array are junk too, since readers must ignore them.
/// Three quarters of the small masks have single bits.
ref::Dense mask(const Case& c, int slot) {
  const ref::Tensor& t = c.call.tensors[slot];
  const std::int64_t count = *element_count(t.shape);
  ref::Dense dense{t.dtype, t.shape, std::vector<std::byte>(static_cast<std::size_t>(count))};
  const Stream random(c.seed, slot);
  in_chunks(count / 8,
            [&](std::int64_t first, std::int64_t last) {  // its last dimension is a multiple of 32
              for (std::int64_t word = first; word < last; ++word) {
                const std::uint64_t bits = random.at(word);
                const std::uint64_t density = random.at(~(word / 2)) >> 62;
                const std::uint64_t value = density == 0   ? 0
                                            : density == 1 ? bits & mix(bits) & mix(~bits)
                                                           : bits;
                std::memcpy(dense.bytes.data() + word * 8, &value, 8);
              }
            });
  constexpr std::int64_t kSmall = 1 << 16;  // bytes
  if (count > 0 && count <= kSmall && c.seed % 4 != 0) choose_single_bits(c, random, dense);
  return dense;
}

}  // namespace

ref::Dense random_indices(const Case& c) {
  const int slot = indices_slot(c.call.op);
  return has_mask(c.call.op) ? mask(c, slot) : positions(c, slot);
}

}  // namespace gradproof::props
