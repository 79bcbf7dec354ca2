// Workspace is a few tiles for each thread, however large contiguous tensors are.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/ops/call_spec.h"

namespace gradproof::test {
namespace {

constexpr Op kGradients[] = {
    Op::max_pool3d_with_argmax_backward, Op::max_pool2d_with_mask_backward,
    Op::upsample_bilinear2d_backward,    Op::upsample_bilinear2d_backward_first,
    Op::replication_pad2d_backward,      Op::adaptive_max_pool3d_backward};

/// Extents of the innermost dimensions of the gradient that goes in and of the one that comes out.
struct Planes {
  Shape from, to;
};

Planes planes(Op op, std::int64_t extent) {
  const std::int64_t half = extent / 2;
  switch (op) {
    case Op::max_pool3d_with_argmax_backward: return {{half, half, half}, {extent, extent, extent}};
    case Op::adaptive_max_pool3d_backward: return {{7, 7, 7}, {extent, extent, extent}};
    case Op::max_pool2d_with_mask_backward: return {{half, half}, {extent, extent}};
    case Op::replication_pad2d_backward: return {{extent + 2, extent + 2}, {extent, extent}};
    default: return {{2 * extent, 2 * extent}, {extent, extent}};
  }
}

Shape with_batch(std::int64_t n, std::int64_t c, const Shape& plane) {
  Shape shape = {n, c};
  shape.insert(shape.end(), plane.begin(), plane.end());
  return shape;
}

/// A gradient with n · c planes: windows 3, stride 2, padding 1; doubling; a border of 1.
CallSpec gradient(Op op, aclDataType type, std::int64_t n, std::int64_t c, std::int64_t extent) {
  const auto [from, to] = planes(op, extent);
  CallSpec call = valid(op);
  call.of_type(type);
  for (TensorSpec& t : call.tensors) {
    const bool pooled = t.name == "gradOutput" || t.name == "gradOut" || t.name == "indices";
    t.shape = with_batch(n, c, pooled ? from : to);
  }
  for (ArraySpec& a : call.arrays) {
    if (a.name == "kernelSize") a.values = {3};
    if (a.name == "stride") a.values = {2};
    if (a.name == "padding") a.values = {1};
    if (a.name == "outputSize") a.values = from;
    if (a.name == "inputSize") a.values = with_batch(n, c, to);
  }
  if (op == Op::max_pool2d_with_mask_backward) {
    const std::int64_t blocks = (from[0] * from[1] + 15) / 16 + 1;
    call.tensor("indices").shape = {n, c, 9, blocks * 32};
  }
  if (op == Op::replication_pad2d_backward) call.array("padding").values = {1, 1, 1, 1};
  return call;
}

class Workspace : public testing::TestWithParam<Op> {
 protected:
  /// Of tensors that are only described.
  static std::uint64_t bytes(aclDataType type, std::int64_t n, std::int64_t c,
                             std::int64_t extent) {
    const Phase1 answer = probe(gradient(GetParam(), type, n, c, extent));
    EXPECT_EQ(answer.status, 0) << answer.message;
    return answer.workspace;
  }
};

TEST_P(Workspace, DoesNotGrowWithTheNumberOfPlanes) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const std::int64_t extent : {16, 100, 300}) {
      const std::uint64_t few = bytes(type, 64, 32, extent);
      EXPECT_EQ(bytes(type, 6400, 32, extent), few) << extent;
      EXPECT_EQ(bytes(type, 64, 3200, extent), few) << extent;
    }
  }
}

TEST_P(Workspace, IsAtMostAMegabyteAndAQuarterForEachThread) {
  const std::uint64_t most =
      std::max(1u, std::thread::hardware_concurrency()) * (std::uint64_t{5} << 18);
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (std::int64_t extent = 4; extent <= 1024; extent *= 2) {
      for (const std::int64_t n : {1, 2, 64}) EXPECT_LE(bytes(type, n, 32, extent), most) << extent;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gradients, Workspace, testing::ValuesIn(kGradients),
                         [](const auto& about) { return std::string(api_name(about.param)); });

}  // namespace
}  // namespace gradproof::test
