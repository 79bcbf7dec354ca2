/// Tensors as a kernel meets them: shape, strides and data, with the element type in C++.
///
/// C++17 and later.
#ifndef GRADPROOF_SUBJECT_VIEW_HPP_
#define GRADPROOF_SUBJECT_VIEW_HPP_

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <vector>

#include "acl/acl_base.h"
#include "gradproof/tensor.hpp"

namespace gradproof::subject {

using aclnn::Bfloat16;
using aclnn::Half;

/// Extents, strides or a position: one number for each dimension.
template <int rank>
using Dims = std::array<std::int64_t, static_cast<std::size_t>(rank)>;

/// All positions of a shape in row-major order: `for (auto [n, c, h, w] : Positions<4>{shape})`.
template <int rank>
struct Positions {
  Dims<rank> shape;  ///< one extent for each dimension

  /// Where a walk over the positions is.
  class Iterator {
   public:
    /// `left` positions from here to the end.
    Iterator(const Dims<rank>& shape, std::int64_t left) : shape_(shape), left_(left) {}
    /// The position.
    const Dims<rank>& operator*() const { return at_; }
    /// The next one.
    Iterator& operator++() {
      for (std::size_t d = shape_.size(); d-- > 0;) {
        if (++at_[d] < shape_[d]) break;
        at_[d] = 0;
      }
      --left_;
      return *this;
    }
    /// Whether another end of the walk is elsewhere.
    bool operator!=(const Iterator& other) const { return left_ != other.left_; }

   private:
    Dims<rank> shape_, at_{};
    std::int64_t left_;
  };

  /// How many positions there are.
  std::int64_t size() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return count;
  }
  /// The first position.
  Iterator begin() const { return {shape, size()}; }
  /// Beyond the last one.
  Iterator end() const { return {shape, 0}; }
};

/// The strides of a contiguous tensor, in elements.
template <std::size_t rank>
std::array<std::int64_t, rank> contiguous(const std::array<std::int64_t, rank>& shape) {
  std::array<std::int64_t, rank> strides{};
  std::int64_t step = 1;
  for (std::size_t d = rank; d-- > 0; step *= shape[d]) strides[d] = step;
  return strides;
}

/// A tensor of elements T; of T = void, whose type is known at run time only.
template <class T, int rank>
struct View {
  T* data = nullptr;     ///< the element at position 0, …, 0; of an empty tensor maybe null
  Dims<rank> shape{};    ///< extents
  Dims<rank> strides{};  ///< in elements; 0 where elements are shared
  aclDataType type = ACL_DT_UNDEFINED;  ///< of the elements
  std::int64_t offset = 0;              ///< elements of the storage before `data`
  std::int64_t storage = 0;             ///< elements of the whole storage

  /// The element at a position: `view(n, c, h, w)`.
  template <class... Index>
  std::add_lvalue_reference_t<T> operator()(Index... index) const {
    static_assert(sizeof...(index) == rank);
    return data[distance({static_cast<std::int64_t>(index)...})];
  }
  /// How far a position is from `data`, in elements.
  std::int64_t distance(const Dims<rank>& position) const {
    std::int64_t distance = 0;
    for (std::size_t d = 0; d < position.size(); ++d) distance += position[d] * strides[d];
    return distance;
  }
  /// All positions, for a range-based for.
  Positions<rank> positions() const { return {shape}; }
  /// How many elements there are.
  std::int64_t size() const { return positions().size(); }
};

/// What sums of T are formed in so that they are rounded once: double, or a complex double.
template <class T>
struct WideOf {
  using type = double;  ///< of real numbers
};
/// Of complex numbers.
template <class T>
struct WideOf<std::complex<T>> {
  using type = std::complex<double>;  ///< both parts
};
/// The same in short.
template <class T>
using Wide = typename WideOf<std::remove_const_t<T>>::type;

/// A contiguous tensor with memory of its own, all 0 at first.
template <class T, int rank>
class Array {
 public:
  /// Of that shape.
  explicit Array(const Dims<rank>& shape)
      : elements_(static_cast<std::size_t>(Positions<rank>{shape}.size())) {
    view_.shape = shape;
    view_.strides = contiguous(shape);
    view_.storage = static_cast<std::int64_t>(elements_.size());
    view_.type = aclnn::element_type<T>;
    view_.data = elements_.data();
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  /// The element at a position.
  template <class... Index>
  T& operator()(Index... index) const {
    return view_(index...);
  }
  /// Passed as other tensors are.
  const View<T, rank>& view() const { return view_; }

 private:
  std::vector<T> elements_;
  View<T, rank> view_;
};

/// Sums in a wide type, one for each element of a result, which gets them, rounded once, when the
/// object ends.
template <class T, int rank>
class Sums : public Array<Wide<T>, rank> {
 public:
  /// Zeros for each element of `result`.
  explicit Sums(const View<T, rank>& result)
      : Array<Wide<T>, rank>(result.shape), result_(result) {}
  /// Not where an exception ends it.
  ~Sums() {
    if (std::uncaught_exceptions() > exceptions_) return;
    for (const Dims<rank>& at : result_.positions()) {
      const Wide<T>& sum = this->view().data[this->view().distance(at)];
      result_.data[result_.distance(at)] = static_cast<T>(sum);
    }
  }

 private:
  View<T, rank> result_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace gradproof::subject

#endif
