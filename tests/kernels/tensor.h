// Tensors of any layout for the kernels' tests: addressed by row-major position whatever the
// strides.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/kernels/numbers.h"

namespace gradproof::test {

using Rng = std::mt19937;
inline std::int64_t pick(Rng& rng, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(rng);
}

enum class Layout { contiguous, permuted_with_gaps, row_gaps, channel_last, broadcast };

class Tensor {
 public:
  /// Filled with bytes that are NaN in every type.
  Tensor(Element element, std::vector<std::int64_t> shape, Layout layout, Rng& rng)
      : element_(element), shape_(std::move(shape)), strides_(shape_.size()) {
    std::vector<std::size_t> order(shape_.size());  // innermost axis first
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
    if (layout == Layout::permuted_with_gaps) std::shuffle(order.begin(), order.end(), rng);
    if (layout == Layout::channel_last)
      std::rotate(order.begin(), order.end() - 2, order.end() - 1);
    std::int64_t next = 1;
    for (const std::size_t axis : order) {
      if (layout == Layout::permuted_with_gaps) next *= pick(rng, 1, 2);
      strides_[axis] = layout == Layout::broadcast && pick(rng, 0, 1) == 1 ? 0 : next;
      next *= shape_[axis];
      if (layout == Layout::row_gaps && axis == order.front()) next += 8;
    }
    offset_ = layout == Layout::contiguous ? 0 : pick(rng, 0, 5);
    bytes_.assign(static_cast<std::size_t>(offset_ + next + 7) * element_bytes(), std::byte{0xff});
  }

  /// Its bytes are those of the constructor again.
  void forget() { std::ranges::fill(bytes_, std::byte{0xff}); }
  /// Moves the tensor to where a cache line begins; its bytes are those of the constructor.
  void begin_line() {
    bytes_.assign(bytes_.size() + kernels::kLine, std::byte{0xff});
    const std::size_t misfit = reinterpret_cast<std::uintptr_t>(bytes_.data()) % kernels::kLine;
    offset_ =
        static_cast<std::int64_t>((kernels::kLine - misfit) % kernels::kLine / element_bytes());
  }

  std::int64_t count() const {
    std::int64_t n = 1;
    for (const std::int64_t e : shape_) n *= e;
    return n;
  }
  double get(std::int64_t position, int component = 0) const {
    return read_scalar(bytes_.data() + byte_of(position, component), element_);
  }
  void set(std::int64_t position, double x, int component = 0) {
    write_scalar(bytes_.data() + byte_of(position, component), element_, x);
  }
  /// Whether an element has the bits of x, of NaN those of the one NaN.
  bool is(std::int64_t position, double x) const {
    std::byte bits[sizeof(double)];
    write_scalar(bits, element_, std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);
    return std::equal(bits, bits + scalar_bytes(element_), place(position));
  }
  /// Whole numbers of [-limit, limit].
  void fill_whole(Rng& rng, int limit) {
    for (std::int64_t i = 0; i < count(); ++i) {
      for (int k = 0; k < scalars_of(element_); ++k)
        set(i, static_cast<double>(pick(rng, -limit, limit)), k);
    }
  }
  /// Whether each byte outside the view's elements still is what the constructor made it.
  bool gaps_untouched() const {
    std::vector<bool> inside(bytes_.size());
    for (std::int64_t i = 0; i < count(); ++i) {
      const std::size_t first = byte_of(i, 0);
      std::fill_n(inside.begin() + static_cast<std::ptrdiff_t>(first), element_bytes(), true);
    }
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      if (!inside[i] && bytes_[i] != std::byte{0xff}) return false;
    }
    return true;
  }

  Element element() const { return element_; }
  std::size_t element_bytes() const {
    return static_cast<std::size_t>(scalar_bytes(element_) * scalars_of(element_));
  }
  std::byte* place(std::int64_t position) { return bytes_.data() + byte_of(position, 0); }
  const std::byte* place(std::int64_t position) const {
    return bytes_.data() + byte_of(position, 0);
  }
  std::byte* data() { return bytes_.data() + first_byte(); }
  const std::byte* data() const { return bytes_.data() + first_byte(); }
  std::vector<std::byte>& bytes() { return bytes_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  kernels::Strides4 strides4() const {
    return {strides_[0], strides_[1], strides_[2], strides_[3]};
  }
  kernels::Strides5 strides5() const {
    return {strides_[0], strides_[1], strides_[2], strides_[3], strides_[4]};
  }
  /// In elements from data().
  std::int64_t at(std::int64_t position) const {
    std::int64_t place = 0;
    for (std::size_t axis = shape_.size(); axis-- > 0; position /= shape_[axis]) {
      place += position % shape_[axis] * strides_[axis];
    }
    return place;
  }

 private:
  std::size_t first_byte() const { return static_cast<std::size_t>(offset_) * element_bytes(); }
  std::size_t byte_of(std::int64_t position, int component) const {
    return static_cast<std::size_t>(offset_ + at(position)) * element_bytes() +
           static_cast<std::size_t>(component * scalar_bytes(element_));
  }

  Element element_;
  std::vector<std::int64_t> shape_, strides_;
  std::int64_t offset_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace gradproof::test
