// What calls compute that CANN alone takes: numbers worked out by hand, memory that ends at a page
// which nobody may touch.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/ops/expectations.h"

namespace gradproof::test {
namespace {

constexpr float kOld = -77;

/// Values of which the last ends where a guard page begins, and a guard page before the first page.
template <class T>
class Guarded {
 public:
  explicit Guarded(const std::vector<T>& values) : count_(values.size()) {
    const std::size_t bytes = count_ * sizeof(T);
    inner_ = (bytes / kPage + 1) * kPage;
    base_ = static_cast<std::byte*>(mmap(nullptr, inner_ + 2 * kPage, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_, kPage, PROT_NONE);
    mprotect(base_ + kPage + inner_, kPage, PROT_NONE);
    if (bytes > 0) std::memcpy(data(), values.data(), bytes);
  }
  ~Guarded() { munmap(base_, inner_ + 2 * kPage); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  T* data() const { return reinterpret_cast<T*>(base_ + kPage + inner_ - count_ * sizeof(T)); }
  std::vector<T> values() const { return {data(), data() + count_}; }
  std::int64_t count() const { return static_cast<std::int64_t>(count_); }

 private:
  static constexpr std::size_t kPage = 4096;
  std::size_t count_, inner_;
  std::byte* base_;
};

template <class T>
void give(CallSpec& c, const char* name, const Guarded<T>& memory) {
  TensorSpec& t = c.tensor(name);
  t.data = memory.data();
  t.storage = {memory.count() * (t.dtype == ACL_INT8 ? static_cast<std::int64_t>(sizeof(T)) : 1)};
}

class CannResults : public testing::Test {
  const AsProduct as_{"Ascend910B", "cann"};
};

CallSpec mask_pool(const Guarded<float>& gradient, const Guarded<std::int32_t>& mask,
                   const Guarded<float>& result) {
  CallSpec c = sample_of_mask_pool();
  give(c, "gradOutput", gradient);
  give(c, "indices", mask);
  give(c, "gradInput", result);
  return c;
}

TEST_F(CannResults, MaskHoldsPositions) {
  const Guarded<float> gradient({2, 3}), result(Floats(12, kOld));
  std::vector<std::int32_t> positions(64, -1);
  positions[0] = 4;  // row 1, column 1
  positions[1] = 9;  // row 3, column 0
  expect_done(mask_pool(gradient, Guarded<std::int32_t>(positions), result));
  EXPECT_EQ(result.values(), (Floats{0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0}));
}

TEST_F(CannResults, PositionsOutsideTheirWindowAreDropped) {
  const Guarded<float> gradient({2, 3}), result(Floats(12, kOld));
  for (const std::int32_t outside : {-1, 2, 6, 12, INT32_MAX, INT32_MIN}) {
    std::vector<std::int32_t> positions(64, 0);
    positions[0] = outside;
    positions[1] = 10;
    expect_done(mask_pool(gradient, Guarded<std::int32_t>(positions), result));
    Floats due(12, 0);
    due[10] = 3;
    EXPECT_EQ(result.values(), due) << outside;
  }
}

TEST_F(CannResults, MaskOfOnePositionLeavesTheOthersOut) {
  const Guarded<float> gradient({2, 3}), result(Floats(12, kOld));
  const Guarded<std::int32_t> mask({4});  // 4 bytes: no more than the first position
  CallSpec c = mask_pool(gradient, mask, result);
  c.tensor("indices").shape = {1, 1, 1, 4};
  expect_done(c);
  Floats due(12, 0);
  due[4] = 2;
  EXPECT_EQ(result.values(), due);
}

TEST_F(CannResults, MaskOffsetIsIgnored) {
  const Guarded<float> gradient({2, 3}), result(Floats(12, kOld));
  std::vector<std::int32_t> positions(66, -1);
  positions[0] = 1;
  positions[1] = 6;
  const Guarded<std::int32_t> mask(positions);
  CallSpec c = mask_pool(gradient, mask, result);
  c.tensor("indices").offset = 4;
  expect_done(c);
  EXPECT_EQ(result.values(), (Floats{0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0}));
}

TEST_F(CannResults, MisalignedPositionsAreRefusedInPhase2) {
  const Guarded<float> gradient({2, 3}), result(Floats(12, kOld));
  const Guarded<std::int32_t> mask(std::vector<std::int32_t>(65, 0));
  CallSpec c = mask_pool(gradient, mask, result);
  c.tensor("indices").data = reinterpret_cast<std::byte*>(mask.data()) + 1;
  EXPECT_EQ(perform(c).phase2, ACLNN_ERR_PARAM_INVALID);
}

TEST_F(CannResults, ForwardWritesPositions) {
  const Guarded<float> self({1, 5, 0, 5, 2, 0, 3, 4, 0, 9, 4, 0}), result(Floats(2, kOld));
  const Guarded<std::int32_t> mask(std::vector<std::int32_t>(64, 33));
  CallSpec c = valid(Op::max_pool2d_with_mask);
  c.tensor("self").shape = {1, 1, 4, 3};
  c.tensor("out").shape = {1, 1, 2, 1};
  c.tensor("indices").shape = {1, 1, 4, 64};
  c.array("kernelSize").values = c.array("stride").values = {2, 2};
  c.array("padding").values = {0, 0};
  give(c, "self", self);
  give(c, "out", result);
  give(c, "indices", mask);
  expect_done(c);
  EXPECT_EQ(result.values(), (Floats{5, 9}));
  std::vector<std::int32_t> due(64, 33);
  due[0] = 1;
  due[1] = 9;
  EXPECT_EQ(mask.values(), due);
}

TEST(CannTraining, ASmallMaskOfBitsHasNoMoreBits) {
  const AsProduct as("Ascend910", "cann");
  const Guarded<float> gradient({2, 3}), result(Floats(12, kOld));
  const Guarded<std::int32_t> mask(
      {3});  // kernel position 0 of outputs 0 (3 is channels 0, 1) and 1
  CallSpec c = mask_pool(gradient, mask, result);
  c.tensor("indices").shape = {1, 1, 1, 4};
  expect_done(c);
  Floats due(12, 0);
  due[0] = 2;
  EXPECT_EQ(result.values(), due);
}

/// gradOutput [1,1,1,1,2] of a [1,1,1,1,6] line, windows of 2 in steps of 2, dilation 2.
CallSpec dilated_pool(const Guarded<float>& gradient, const Guarded<std::int32_t>& positions,
                      const Guarded<float>& result) {
  CallSpec c = valid(Op::max_pool3d_with_argmax_backward);
  c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 1, 1, 2};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 1, 1, 6};
  c.array("kernelSize").values = {1, 1, 2};
  c.array("stride").values = {1, 1, 2};
  c.array("padding").values = {0, 0, 0};
  c.array("dilation").values = {2};
  give(c, "gradOutput", gradient);
  give(c, "indices", positions);
  give(c, "gradInput", result);
  return c;
}

TEST_F(CannResults, DilatedWindows) {
  const Guarded<float> gradient({2, 3}), result(Floats(6, kOld));
  expect_done(dilated_pool(gradient, Guarded<std::int32_t>({2, 2}), result));
  EXPECT_EQ(result.values(), (Floats{0, 0, 5, 0, 0, 0}));
  // 1 lies between the two positions of the first window.
  expect_done(dilated_pool(gradient, Guarded<std::int32_t>({1, 4}), result));
  EXPECT_EQ(result.values(), (Floats{0, 0, 0, 0, 3, 0}));
}

TEST_F(CannResults, AWindowWithoutPositionsHasTheLastOne) {
  const Guarded<float> gradient(Floats{2}), result(Floats{kOld});
  const Guarded<std::int32_t> positions(std::vector<std::int32_t>{0});
  CallSpec c = dilated_pool(gradient, positions, result);
  c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 1, 1, 1};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 1, 1, 1};
  c.array("padding").values = {0, 0, 1};  // -1 and 1
  expect_done(c);
  EXPECT_EQ(result.values(), Floats{2});
}

TEST_F(CannResults, IndicesOutsideThePlaneAreDropped) {
  const Guarded<float> gradient({1, 2, 4, 8}), result(Floats(6, kOld));
  CallSpec c = valid(Op::adaptive_max_pool3d_backward);
  c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 1, 2, 2};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 1, 2, 3};
  const Guarded<std::int32_t> positions({0, 6, -1, 5});
  give(c, "gradOutput", gradient);
  give(c, "indices", positions);
  give(c, "gradInput", result);
  expect_done(c);
  EXPECT_EQ(result.values(), (Floats{1, 0, 0, 0, 0, 8}));
}

TEST_F(CannResults, EmptyTensorsLeaveTheOutputAlone) {
  const Guarded<float> result(Floats(6, kOld));
  CallSpec c = valid(Op::adaptive_max_pool3d_backward);
  c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 0, 2, 2};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 1, 2, 3};
  give(c, "gradInput", result);
  EXPECT_EQ(probe(c).workspace, 0u);
  expect_done(c);
  EXPECT_EQ(result.values(), Floats(6, kOld));
}

// Their other extents have no product of 64 bits: UndefinedBehaviorSanitizer sees who multiplies.
TEST_F(CannResults, EmptyTensorsMayBeLongInOtherAxes) {
  constexpr std::int64_t kLong = std::int64_t{1} << 40;
  CallSpec c = valid(Op::max_pool3d_with_argmax_backward);
  c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 1, 1, 1};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, kLong, kLong, 0};
  for (const char* name : {"kernelSize", "stride", "dilation"}) c.array(name).values = {1};
  c.array("padding").values = {0};
  const Phase1 planned = probe(c);
  EXPECT_EQ(planned.status, ACLNN_SUCCESS) << planned.message;
  EXPECT_EQ(planned.workspace, 0u);
}

TEST_F(CannResults, ScalesCountOnlyWhereBothFit) {
  const Guarded<float> gradient({1, 2, 3, 4}), small(Floats(2, kOld));
  CallSpec c = valid(Op::upsample_bilinear2d_backward);
  c.tensor("gradOut").shape = {1, 1, 1, 4};
  c.tensor("out").shape = {1, 1, 1, 2};
  c.array("outputSize").values = {1, 4};
  c.array("inputSize").values = {1, 1, 1, 2};
  give(c, "gradOut", gradient);
  give(c, "out", small);
  struct {
    double h, w;
    Floats due;
  } const rows[] = {
      {0, 0, {3.25f, 6.75f}},    // by the extents: ratio 1/2
      {1, 1, {3.25f, 6.75f}},    // ⌊2·1⌋ is not 4
      {1, 2, {3.25f, 6.75f}},    // fits, and says the same
      {0, 2.4, {3.25f, 6.75f}},  // one that fits is not enough
      {std::nan(""), HUGE_VAL, {3.25f, 6.75f}},
  };
  for (const auto& row : rows) {
    c.scale_h = row.h;
    c.scale_w = row.w;
    expect_done(c);
    EXPECT_EQ(small.values(), row.due) << row.h << " " << row.w;
  }
  // ⌊2·2.4⌋ is 4 and ⌊1·1.5⌋ is 1: r = 1/2.4, x = 0, 1/8, 13/24, 23/24.
  c.scale_h = 1.5;
  c.scale_w = 2.4;
  expect_done(c);
  const double x[] = {0, 1 / 2.4 * 1.5 - 0.5, 1 / 2.4 * 2.5 - 0.5, 1 / 2.4 * 3.5 - 0.5};
  double right = 0;
  for (int i = 0; i < 4; ++i) right += x[i] * (i + 1);
  EXPECT_NEAR(small.values()[0], 10 - right, 1e-6);
  EXPECT_NEAR(small.values()[1], right, 1e-6);
}

TEST(CannInference, EqualExtentsComputeNothing) {
  const AsProduct as("Ascend310P", "cann");
  const Guarded<float> gradient({1, 2, 3, 4}), out(Floats(4, kOld));
  CallSpec c = valid(Op::upsample_bilinear2d_backward);
  c.tensor("gradOut").shape = c.tensor("out").shape = {1, 1, 1, 4};
  c.array("outputSize").values = {1, 4};
  c.array("inputSize").values = {1, 1, 1, 4};
  give(c, "gradOut", gradient);
  give(c, "out", out);
  expect_done(c);
  EXPECT_EQ(out.values(), Floats(4, kOld));
}

/// gradOutput [1,1,5] of a [1,1,2] line, padding 2 and 1.
CallSpec padded_line(const Guarded<float>& gradient, const Guarded<float>& result) {
  CallSpec c = valid(Op::replication_pad2d_backward);
  c.tensor("gradOutput").shape = {1, 1, 5};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 2};
  c.array("padding").values = {2, 1, 0, 0};
  give(c, "gradOutput", gradient);
  give(c, "gradInput", result);
  return c;
}

TEST_F(CannResults, PaddingOfTheExtentAndMore) {
  const Guarded<float> gradient({1, 2, 4, 8, 16}), result(Floats(2, kOld));
  expect_done(padded_line(gradient, result));
  EXPECT_EQ(result.values(), (Floats{7, 24}));

  CallSpec c = padded_line(gradient, result);  // all columns repeat the last
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  c.array("padding").values = {-kFar, kFar, 0, 0};
  c.tensor("gradOutput").shape = {1, 1, 2};
  expect_done(c);
  EXPECT_EQ(result.values(), (Floats{0, 3}));
}

TEST_F(CannResults, PaddingOfBf16) {
  const auto bits = [](float x) {
    std::uint32_t word;
    std::memcpy(&word, &x, 4);
    return static_cast<std::uint16_t>(word >> 16);
  };
  const Guarded<std::uint16_t> gradient({bits(1), bits(2), bits(4), bits(8), bits(16)});
  const Guarded<std::uint16_t> result(std::vector<std::uint16_t>(2, 0x1234));
  CallSpec c = valid(Op::replication_pad2d_backward).of_type(ACL_BF16);
  c.tensor("gradOutput").shape = {1, 1, 5};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 2};
  c.array("padding").values = {2, 1, 0, 0};
  give(c, "gradOutput", gradient);
  give(c, "gradInput", result);
  expect_done(c);
  EXPECT_EQ(result.values(), (std::vector<std::uint16_t>{bits(7), bits(24)}));
}

TEST_F(CannResults, NegativeStridesAreFollowed) {
  const Guarded<float> gradient({1, 2, 4, 8, 16}), result(Floats(2, kOld));
  CallSpec c = padded_line(gradient, result);
  c.tensor("gradOutput").strides = {5, 5, -1};
  c.tensor("gradOutput").offset = 4;
  expect_done(c);
  EXPECT_EQ(result.values(), (Floats{28, 3}));
  c.tensor("gradInput").strides = {2, 2, -1};
  c.tensor("gradInput").offset = 1;
  expect_done(c);
  EXPECT_EQ(result.values(), (Floats{3, 28}));
}

TEST_F(CannResults, AnOutputThatOverlapsItselfKeepsItsLastValues) {
  const Guarded<float> gradient({1, 2, 4, 8, 16}), result(Floats(1, kOld));
  CallSpec c = padded_line(gradient, result);
  c.tensor("gradInput").strides = {1, 1, 0};
  expect_done(c);
  EXPECT_EQ(result.values(), (Floats{24}));
}

TEST_F(CannResults, AnOutputInItsInputIsWrittenAtTheEnd) {
  const Guarded<float> memory({1, 2, 4, 8, 16});
  CallSpec c = padded_line(memory, memory);
  expect_done(c);
  EXPECT_EQ(memory.values(), (Floats{7, 24, 4, 8, 16}));
}

TEST_F(CannResults, AViewBeyondItsStorageRunsInDeviceMemoryAlone) {
  const Guarded<float> gradient({1, 2, 4, 8, 16}), result(Floats(2, kOld));
  CallSpec c = padded_line(gradient, result);
  c.tensor("gradInput").storage = {1};
  EXPECT_EQ(perform(c).phase2, ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(result.values(), Floats(2, kOld));

  void* device = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  c.tensor("gradInput").data = device;
  expect_done(c);
  Floats got(2);
  std::memcpy(got.data(), device, 8);
  EXPECT_EQ(got, (Floats{7, 24}));
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::test
