/// What is done to a call's memory before and after its kernel: checks, positions, copies; for the
/// kit's own use.
#ifndef GRADPROOF_SUBJECT_STAGING_HPP_
#define GRADPROOF_SUBJECT_STAGING_HPP_

#include <array>
#include <cstring>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "gradproof/subject/calls.hpp"
#include "gradproof/subject/forbidden.hpp"
#include "gradproof/subject/gradients.hpp"
#include "gradproof/subject/guarded.hpp"
#include "gradproof/subject/options.hpp"

namespace gradproof::subject::detail {

template <class T, int rank>
void set_data(View<T, rank>& view, void* data) {
  view.data = static_cast<T*>(data);
}
template <class T, int rank>
void* data_of(const View<T, rank>& view) {
  return const_cast<void*>(static_cast<const void*>(view.data));
}
template <class T, int rank>
std::int64_t element_size(const View<T, rank>& view) {
  return static_cast<std::int64_t>(aclDataTypeSize(view.type));
}

/// No kernel meets an index outside its plane: the call fails as docs/formulas.md says.
inline Answer check_indices(const View<const std::int32_t, 5>& indices, const Dims<5>& in) {
  const std::int64_t limit = in[2] * in[3] * in[4];
  std::int64_t position = 0;
  for (const Dims<5>& at : indices.positions()) {
    const std::int32_t index = indices.data[indices.distance(at)];
    if (index < 0 || index >= limit) {
      return {ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
              "index-value: indices at row-major position " + std::to_string(position) + " is " +
                  std::to_string(index) + ", must be at least 0 and less than " +
                  std::to_string(limit)};
    }
    ++position;
  }
  return {};
}
inline Answer check_indices(const MaxPool3dWithArgmaxBackward<void>& call) {
  return check_indices(call.indices, call.grad_input.shape);
}
inline Answer check_indices(const AdaptiveMaxPool3dBackward<void>& call) {
  return check_indices(call.indices, call.grad_input.shape);
}
template <class Call>
Answer check_indices(const Call&) {
  return {};
}

/// The maximum of one window as a position in the input plane; -1 where there is none, or several,
/// or one in the padding.
inline std::int32_t position_of(const MaxPool2dWithMaskBackward<void>& call, const Dims<4>& at) {
  const auto& [n, c, oh, ow] = at;
  const Dims<4>& in = call.grad_input.shape;
  std::int32_t found = -1;
  for (const auto& [kh, kw] : Positions<2>{call.kernel_size}) {
    if (!call.is_maximum(n, c, oh, ow, kh, kw)) continue;
    const std::int64_t h = oh * call.stride[0] - call.padding[0] + kh;
    const std::int64_t w = ow * call.stride[1] - call.padding[1] + kw;
    if (found >= 0 || h < 0 || h >= in[2] || w < 0 || w >= in[3]) return -1;
    found = static_cast<std::int32_t>(h * in[3] + w);
  }
  return found;
}

/// One tensor's copies.
class StagedView {
 public:
  StagedView() = default;
  StagedView(const StagedView&) = delete;
  StagedView& operator=(const StagedView&) = delete;
  ~StagedView() {
    if (device_ != nullptr) options.device.release(device_);
  }

  template <class T, int rank>
  void bring(View<T, rank>& view) {
    const std::int64_t size = element_size(view);
    if (view.data == nullptr || view.size() == 0) return;
    if (options.contiguous) {
      copy_.allocate(static_cast<std::size_t>(view.size() * size));
      // Of the result too: an element that the kernel leaves out has to show.
      move(view, [&](char* there, char* here) {
        std::memcpy(here, there, static_cast<std::size_t>(size));
      });
      set_data(view, copy_.data());
      view.strides = contiguous(view.shape);
      view.offset = 0;
      view.storage = view.size();
    }
    if (options.device.allocate == nullptr) return;
    Dims<rank> last = view.shape;
    for (std::int64_t& extent : last) --extent;
    bytes_ = static_cast<std::size_t>((view.distance(last) + 1) * size);
    device_ = options.device.allocate(bytes_);
    if (device_ == nullptr) throw std::bad_alloc();
    host_ = data_of(view);
    options.device.to_device(device_, host_, bytes_);
    set_data(view, device_);
  }

  /// `view` is the tensor as it was before.
  template <class T, int rank>
  void give_back(const View<T, rank>& view) {
    if (device_ != nullptr) options.device.to_host(host_, device_, bytes_);
    if (copy_.data() == nullptr) return;
    const auto size = static_cast<std::size_t>(element_size(view));
    move(view, [&](char* there, char* here) { std::memcpy(there, here, size); });
  }

  /// Whether the copy, if there is one, is other than `view`, the tensor as it was before.
  template <class T, int rank>
  bool was_written(const View<T, rank>& view) {
    if (device_ != nullptr) {
      std::vector<char> now(bytes_);
      options.device.to_host(now.data(), device_, bytes_);
      return std::memcmp(now.data(), host_, bytes_) != 0;
    }
    if (copy_.data() == nullptr) return false;
    const auto size = static_cast<std::size_t>(element_size(view));
    bool other = false;
    move(view, [&](char* there, char* here) { other |= std::memcmp(there, here, size) != 0; });
    return other;
  }

 private:
  /// Calls `step` for each element with its place in the tensor and in the copy.
  template <class T, int rank, class Step>
  void move(const View<T, rank>& view, Step step) {
    const std::int64_t size = element_size(view);
    char* here = copy_.data();
    for (const Dims<rank>& at : view.positions()) {
      step(static_cast<char*>(data_of(view)) + view.distance(at) * size, here);
      here += size;
    }
  }

  GuardedMemory copy_;
  void *device_ = nullptr, *host_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A call's tensors as the options want them.
template <template <class> class Op>
class Staging {
 public:
  explicit Staging(Op<void>& call) : before_(call) {
    find_positions(call);
    if (declined_ || (!options.contiguous && options.device.allocate == nullptr)) return;
    std::size_t i = 0;
    std::apply([&](auto&... view) { (views_[i++].bring(view), ...); }, call.views());
  }
  bool declined() const { return declined_; }
  /// The result goes to where it belongs. An error if the kernel has written into a copy of
  /// another tensor.
  Answer give_back() {
    // Checked before the result is copied back: in memory it may be between elements of an input.
    std::string written;
    std::size_t i = 0;
    const auto look = [&](auto& view) {
      const std::size_t at = i++;
      const bool input = at + 1 < kViews && Gradient<Op>::slots[at] >= 0;
      if (input && views_[at].was_written(view)) written = Gradient<Op>::names[at];
    };
    std::apply([&](auto&... view) { (look(view), ...); }, before_.views());
    views_.back().give_back(std::get<kViews - 1>(before_.views()));
    if (written.empty()) return {};
    return failed("the kernel has written into " + written);
  }

 private:
  static constexpr std::size_t kViews =
      std::tuple_size_v<decltype(std::declval<Op<void>>().views())>;

  void find_positions(Op<void>& call) {
    if constexpr (std::is_same_v<Op<void>, MaxPool2dWithMaskBackward<void>>) {
      if (!options.positions) {
        if (options.device.allocate == nullptr) call.indices.data = ForbiddenPositions::data();
        return;
      }
      const Dims<4>& shape = call.grad_output.shape;
      positions_.reserve(static_cast<std::size_t>(Positions<4>{shape}.size()));
      for (const Dims<4>& at : Positions<4>{shape}) {
        positions_.push_back(position_of(call, at));
        declined_ = declined_ || positions_.back() < 0;
      }
      call.indices.data = positions_.data();
      call.indices.shape = shape;
      call.indices.strides = contiguous(shape);
      call.indices.type = ACL_INT32;
      call.indices.storage = call.indices.size();
    }
  }

  Op<void> before_;
  std::array<StagedView, kViews> views_;
  std::vector<std::int32_t> positions_;
  bool declined_ = false;
};

}  // namespace gradproof::subject::detail

#endif
