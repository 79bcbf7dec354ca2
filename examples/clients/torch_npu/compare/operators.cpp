// Calls each operator through the plugin in both conventions and through ATen in double, and
// compares the results.
#include "operators.h"

#include <cstdlib>
#include <sstream>
#include <string>

#include "device.h"
#include "op_plugin/OpApiInterface.h"
#include "table.h"

namespace standin {
at::Tensor replication_pad2d_backward_ext(const at::Tensor&, const at::Tensor&, at::IntArrayRef);
}

namespace compare {
namespace {

at::Tensor wide(const at::Tensor& tensor) { return tensor.to(at::kDouble).contiguous(); }

/// Whether a result equals ATen's gradient, for operators whose terms have no weights.
template <class Aten>
bool sums(const at::Tensor& result, const at::Tensor& gradient, const Aten& aten) {
  return close(result, aten(gradient), aten(gradient.abs()), aten(at::ones_like(gradient)) - 1);
}

/// Upsampling: how many output positions of an axis use each input position.
at::Tensor terms(int64_t extent, int64_t out, bool align_corners, c10::optional<double> scale) {
  const at::Tensor position = at::arange(out, at::kDouble);
  const double ratio = scale.has_value() ? 1 / *scale : double(extent) / double(out);
  const at::Tensor source = align_corners
                                ? position * (out > 1 ? double(extent - 1) / double(out - 1) : 0)
                                : ((position + 0.5) * ratio - 0.5).clamp(0, extent - 1);
  const at::Tensor distance = source.unsqueeze(0) - at::arange(extent, at::kDouble).unsqueeze(1);
  return distance.abs().lt(1).sum(1).to(at::kDouble);
}

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  ((out << parts << ' '), ...);
  return out.str();
}

}  // namespace

void Sweep::run() {
  for (const int64_t batch : {3, 1}) {
    for (const bool ceil_mode : {false, true}) {
      for (const int variant : {0, 1, 2}) {
        const int kernel = variant == 0 ? 2 : 3, stride = variant == 2 ? 1 : 2;
        const int padding = variant == 0 ? 0 : 1;
        max_pool(3, {batch, 4, 5, 6, 7}, kernel, stride, padding, ceil_mode);
        max_pool(2, {batch, 5, 8, 9}, kernel, stride, padding, ceil_mode);
        if (batch != 1) continue;
        max_pool(3, {4, 5, 6, 7}, kernel, stride, padding, ceil_mode);
        max_pool(2, {5, 8, 9}, kernel, stride, padding, ceil_mode);
      }
    }
    adaptive_max_pool3d({batch, 4, 5, 7, 6}, {2, 3, 4});
    replication_pad2d({batch, 4, 5, 6}, {2, 1, 3, 2});
    for (const bool align_corners : {false, true}) {
      for (const std::vector<int64_t>& out :
           std::vector<std::vector<int64_t>>{{10, 8}, {7, 9}, {3, 2}, {5, 4}, {1, 1}})
        upsample({batch, 4, 5, 4}, out, align_corners, c10::nullopt);
    }
    upsample({batch, 4, 5, 4}, {10, 8}, false, 2.0);
    upsample({batch, 4, 5, 4}, {8, 6}, false, 1.7);
    upsample({batch, 4, 5, 4}, {3, 2}, false, 0.6);
  }
  adaptive_max_pool3d({4, 5, 7, 6}, {3, 7, 1});
  for (const std::vector<int64_t>& padding :
       std::vector<std::vector<int64_t>>{{2, 1, 3, 2}, {0, 0, 0, 0}, {4, 0, 0, 3}, {-1, 1, 0, -2}})
    replication_pad2d({4, 5, 6}, padding);
  empty_batch();
  finish();
}

at::Tensor Sweep::input(std::vector<int64_t> sizes) {
  const at::Tensor values = at::randint(-50, 51, sizes, at::kDouble).to(type_);
  at::Tensor arranged = output(sizes, type_);
  return arranged.copy_(values);
}

at::Tensor Sweep::output(at::IntArrayRef sizes, at::ScalarType type) {
  const auto rank = static_cast<int64_t>(sizes.size());
  if (layout_ == Layout::gaps) {
    std::vector<int64_t> stored = sizes.vec();
    stored.back() += 3;
    return at::empty(stored, type).narrow(rank - 1, 2, sizes.back());
  }
  std::vector<int64_t> order(rank);  // of the axes in memory
  for (int64_t axis = 0; axis < rank; ++axis) order[axis] = axis;
  if (layout_ == Layout::transposed) std::swap(order[rank - 1], order[rank - 2]);
  if (layout_ == Layout::channels_last) {
    const int64_t channels = rank == 5 ? 1 : rank - 3;
    order.erase(order.begin() + channels);
    order.push_back(channels);
  }
  std::vector<int64_t> stored, back(rank);
  for (int64_t place = 0; place < rank; ++place) {
    stored.push_back(sizes[order[place]]);
    back[order[place]] = place;
  }
  return at::empty(stored, type).permute(back);
}

void Sweep::check(const std::string& op, const std::string& convention, std::function<bool()> holds,
                  const std::string& where) {
  checks_.push_back([=, type = type_, layout = static_cast<int>(layout_)] {
    count(op, convention, type, holds(), text(where, "layout", layout));
  });
}

void Sweep::finish() {
  c10_npu::getCurrentNPUStream().synchronize();
  for (const auto& check : checks_) check();
  checks_.clear();
}

void Sweep::max_pool(int dimensions, std::vector<int64_t> sizes, int kernel, int stride,
                     int padding, bool ceil_mode) {
  const std::vector<int64_t> k(dimensions, kernel), s(dimensions, stride), p(dimensions, padding),
      one(dimensions, 1);
  const bool three = dimensions == 3;
  const std::string where = text(at::IntArrayRef(sizes), kernel, stride, padding, ceil_mode);
  const std::string op = three ? "max_pool3d_with_indices" : "max_pool2d_with_indices";
  const Tensor self = input(sizes), x = wide(self);
  const auto [due, due_indices] = three ? at::max_pool3d_with_indices(x, k, s, p, one, ceil_mode)
                                        : at::max_pool2d_with_indices(x, k, s, p, one, ceil_mode);
  const auto [out, indices] = three
                                  ? op_api::max_pool3d_with_indices(self, k, s, p, one, ceil_mode)
                                  : op_api::max_pool2d_with_indices(self, k, s, p, one, ceil_mode);
  check(
      op, "functional",
      [=, out = out, due = due, got = indices, i = due_indices] {
        return same(out, due) && (!three || same(got, i));
      },
      where);

  Tensor given = output(due.sizes(), type_), given_indices = at::empty_like(indices);
  if (three)
    op_api::max_pool3d_with_indices_out(self, k, s, p, one, ceil_mode, given, given_indices);
  else
    op_api::max_pool2d_with_indices_out(self, k, s, p, one, ceil_mode, given, given_indices);
  check(
      op, "out=", [=, due = due] { return same(given, due); }, where);

  const Tensor gradient = input(due.sizes().vec()), g = wide(gradient);
  const auto aten = [=, i = due_indices](const Tensor& values) {
    return three ? at::max_pool3d_with_indices_backward(values, x, k, s, p, one, ceil_mode, i)
                 : at::max_pool2d_with_indices_backward(values, x, k, s, p, one, ceil_mode, i);
  };
  const Tensor result = three ? op_api::max_pool3d_with_indices_backward(gradient, self, k, s, p,
                                                                         one, ceil_mode, indices)
                              : op_api::max_pool2d_with_indices_backward(gradient, self, k, s, p,
                                                                         one, ceil_mode, indices);
  check(
      op + "_backward", "functional", [=] { return sums(result, g, aten); }, where);
  if (three) return;  // its out= omits the argument `indices`: see differences.cpp
  Tensor filled = output(self.sizes(), type_);
  op_api::max_pool2d_with_indices_backward_out(gradient, self, k, s, p, one, ceil_mode, indices,
                                               filled);
  check(
      op + "_backward", "out=", [=] { return sums(filled, g, aten); }, where);
}

void Sweep::adaptive_max_pool3d(std::vector<int64_t> sizes, std::vector<int64_t> extents) {
  const std::string where = text(at::IntArrayRef(sizes), at::IntArrayRef(extents));
  const Tensor self = input(sizes), x = wide(self);
  const auto [due, due_indices] = at::adaptive_max_pool3d(x, extents);
  const auto [out, indices] = op_api::adaptive_max_pool3d(self, extents);
  check(
      "adaptive_max_pool3d", "functional",
      [=, out = out, due = due, got = indices, i = due_indices] {
        return same(out, due) && same(got, i);
      },
      where);

  const Tensor gradient = input(due.sizes().vec()), g = wide(gradient);
  const auto aten = [=, i = due_indices](const Tensor& values) {
    return at::adaptive_max_pool3d_backward(values, x, i);
  };
  const Tensor result = op_api::adaptive_max_pool3d_backward(gradient, self, indices);
  check(
      "adaptive_max_pool3d_backward", "functional", [=] { return sums(result, g, aten); }, where);
  Tensor filled = output(self.sizes(), type_);
  op_api::adaptive_max_pool3d_backward_out(gradient, self, indices, filled);
  check(
      "adaptive_max_pool3d_backward", "out=", [=] { return sums(filled, g, aten); }, where);
}

void Sweep::upsample(std::vector<int64_t> sizes, std::vector<int64_t> out, bool align_corners,
                     c10::optional<double> scale) {
  const std::string where =
      text(at::IntArrayRef(sizes), at::IntArrayRef(out), align_corners, scale.value_or(0));
  const Tensor self = input(sizes), x = wide(self);
  const auto forward = [=](const Tensor& values) {
    return at::upsample_bilinear2d(values, out, align_corners, scale, scale);
  };
  const Tensor image = op_api::upsample_bilinear2d(self, out, align_corners, scale, scale);
  check(
      "upsample_bilinear2d", "functional",
      [=] { return close(image, forward(x), forward(x.abs()), at::full({}, 4 + 3, at::kDouble)); },
      where);

  const Tensor gradient = input({sizes[0], sizes[1], out[0], out[1]}), g = wide(gradient);
  const auto aten = [=](const Tensor& values) {
    return at::upsample_bilinear2d_backward(values, out, sizes, align_corners, scale, scale);
  };
  const Tensor count = terms(sizes[2], out[0], align_corners, scale)
                           .outer(terms(sizes[3], out[1], align_corners, scale));
  const auto weighted = [=](const Tensor& result) {
    return close(result, aten(g), aten(g.abs()), count + 3);
  };
  const Tensor result =
      op_api::upsample_bilinear2d_backward(gradient, out, sizes, align_corners, scale, scale);
  check(
      "upsample_bilinear2d_backward", "functional", [=] { return weighted(result); }, where);
  Tensor filled = output(self.sizes(), type_);
  op_api::upsample_bilinear2d_backward_out(gradient, out, sizes, align_corners, scale, scale,
                                           filled);
  check(
      "upsample_bilinear2d_backward", "out=", [=] { return weighted(filled); }, where);
}

// Only in the conformance `cann`: see differences.cpp.
void Sweep::empty_batch() {
  const char* const conformance = std::getenv("GRADPROOF_CONFORMANCE");
  if (conformance == nullptr || std::string(conformance) != "cann") return;
  const std::vector<int64_t> three{2, 2, 2}, none{0, 0, 0}, one{1, 1, 1};
  const auto flat = [](const std::vector<int64_t>& sizes) {
    return at::IntArrayRef(sizes).slice(1);
  };
  const Tensor volume = input({0, 4, 4, 6, 8}), small = input({0, 4, 2, 3, 4});
  const Tensor indices = at::empty({0, 4, 2, 3, 4}, at::kInt);
  const Tensor image = input({0, 4, 6, 8}), half = input({0, 4, 3, 4});
  const Tensor mask = at::empty({0, 4, 4, 64}, at::kChar);
  const auto [maxima, places] =
      op_api::max_pool3d_with_indices(volume, three, three, none, one, false);
  check(
      "max_pool3d_with_indices", "functional",
      [=, maxima = maxima, places = places] {
        return same(maxima, small) && same(places, indices);
      },
      "batch 0");
  const auto empty = [&](const std::string& op, const Tensor& result, const Tensor& like) {
    check(
        op, "functional", [=] { return same(result, like); }, "batch 0");
  };
  empty("max_pool3d_with_indices_backward",
        op_api::max_pool3d_with_indices_backward(small, volume, three, three, none, one, false,
                                                 indices),
        volume);
  empty("adaptive_max_pool3d_backward",
        op_api::adaptive_max_pool3d_backward(small, volume, indices), volume);
  empty("max_pool2d_with_indices_backward",
        op_api::max_pool2d_with_indices_backward(half, image, flat(three), flat(three), flat(none),
                                                 flat(one), false, mask),
        image);
  empty("upsample_bilinear2d_backward",
        op_api::upsample_bilinear2d_backward(image, {6, 8}, {0, 4, 3, 4}, false, c10::nullopt,
                                             c10::nullopt),
        half);
  if (type_ == at::kBFloat16) return;
  empty("replication_pad2d_backward", op_api::replication_pad2d_backward(image, half, {2, 2, 1, 2}),
        half);
}

void Sweep::replication_pad2d(std::vector<int64_t> sizes, std::vector<int64_t> padding) {
  if (type_ == at::kBFloat16) return;  // not among the operator's types
  const std::string where = text(at::IntArrayRef(sizes), at::IntArrayRef(padding));
  const Tensor self = input(sizes), x = wide(self), due = at::replication_pad2d(x, padding);
  const Tensor padded = op_api::replication_pad2d(self, padding);
  check(
      "replication_pad2d", "functional", [=] { return same(padded, due); }, where);

  const Tensor gradient = input(due.sizes().vec()), g = wide(gradient);
  const auto aten = [=](const Tensor& values) {
    return at::replication_pad2d_backward(values, x, padding);
  };
  const auto holds = [=](const Tensor& result) { return sums(result, g, aten); };
  const Tensor result = op_api::replication_pad2d_backward(gradient, self, padding);
  check(
      "replication_pad2d_backward", "functional", [=] { return holds(result); }, where);
  const Tensor ext = standin::replication_pad2d_backward_ext(gradient, self, padding);
  check(
      "replication_pad2d_backward", "EXEC_NPU_CMD_EXT", [=] { return holds(ext); }, where);
  Tensor filled = output(self.sizes(), type_);
  op_api::replication_pad2d_backward_out(gradient, self, padding, filled);
  check(
      "replication_pad2d_backward", "out=", [=] { return holds(filled); }, where);
}

}  // namespace compare
