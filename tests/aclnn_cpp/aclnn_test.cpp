// The C++ layer on the real library: values, errors with status and message, moves, lifetimes.
// Compiled as C++17 and as C++20.
#include "gradproof/aclnn.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace gradproof::aclnn {
namespace {

template <class T>
constexpr bool only_moves =
    std::is_nothrow_move_constructible_v<T>&& std::is_nothrow_move_assignable_v<T> &&
    !std::is_copy_constructible_v<T>;
static_assert(only_moves<Library> && only_moves<Stream> && only_moves<Buffer<float>>);
static_assert(only_moves<Tensor> && only_moves<IntArray>);
static_assert(only_moves<Call<&aclnnReplicationPad2d>>);
static_assert(sizeof(Tensor) == sizeof(aclTensor*) && sizeof(Stream) == sizeof(aclrtStream));

std::array<float, 2> image{1, 2};
std::array<float, 4> padded{};

Expected<Call<&aclnnReplicationPad2d>> pad(Dims shape = {1, 1, 2}, Dims padded_shape = {1, 1, 4}) {
  const Tensor self = Tensor::over(image, shape).value();
  const Tensor out = Tensor::over(padded, padded_shape).value();
  const IntArray padding = IntArray::of({1, 1, 0, 0}).value();
  return replication_pad2d(self, padding, out);
}

TEST(AclnnCpp, ComputesOnceAndDescriptorsMayGoBefore) {
  auto call = pad();
  ASSERT_TRUE(call) << call.error().message();
  padded = {};
  ASSERT_TRUE(call->run(Stream()));
  EXPECT_EQ(padded, (std::array<float, 4>{1, 1, 2, 2}));
  const Expected<void> again = call->run(Stream());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().status(), ACLNN_ERR_PARAM_NULLPTR);
}

TEST(AclnnCpp, ErrorsCarryStatusAndMessage) {
  auto call = pad({1, 1, 2}, {1, 1, 3});
  ASSERT_FALSE(call);
  EXPECT_EQ(call.error().status(), ACLNN_ERR_PARAM_INVALID);
  EXPECT_NE(call.error().message().find("aclnnReplicationPad2d: "), std::string::npos);
  try {
    (void)call.value();
    FAIL() << "value() of an error came back";
  } catch (const StatusException& failure) {
    EXPECT_EQ(failure.error().status(), ACLNN_ERR_PARAM_INVALID);
    EXPECT_NE(std::string(failure.what()).find("161002: aclnnReplicationPad2d"), std::string::npos);
  }
}

TEST(AclnnCpp, ErrorsOfWorkComeWithTheSynchronisation) {
  std::array<float, 1> gradient{1};
  std::array<float, 8> volume{};
  std::array<std::int32_t, 1> position{8};  // outside
  const Tensor grad_output = Tensor::over(gradient, {1, 1, 1, 1, 1}).value();
  const Tensor self = Tensor::described<float>({1, 1, 2, 2, 2}).value();
  const Tensor indices = Tensor::over(position, {1, 1, 1, 1, 1}).value();
  const Tensor grad_input = Tensor::over(volume, {1, 1, 2, 2, 2}).value();
  Stream stream = Stream::create().value();
  auto call = adaptive_max_pool3d_backward(grad_output, self, indices, grad_input).value();
  const std::size_t bytes = call.workspace_size();  // may be 0, which no buffer has
  const Buffer<std::byte> workspace =
      Buffer<std::byte>::allocate(std::max<std::size_t>(1, bytes)).value();
  ASSERT_TRUE(call.launch(stream, workspace.data(), bytes));
  const Expected<void> done = stream.synchronize();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().status(), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  EXPECT_NE(done.error().message().find("index-value"), std::string::npos);
  EXPECT_TRUE(stream.destroy());
}

TEST(AclnnCpp, RepeatableCallsRunUntilTheyEnd) {
  auto call = pad().value();
  ASSERT_TRUE(call.make_repeatable());
  const Stream stream = Stream::create().value();
  for (const float value : {3.0f, 4.0f}) {
    image[0] = value;
    ASSERT_TRUE(call.run(stream));
    EXPECT_EQ(padded[0], value);
  }
  aclOpExecutor* const handle = call.get();
  { const auto last = std::move(call); }
  EXPECT_EQ(aclDestroyAclOpExecutor(handle), ACLNN_ERR_PARAM_INVALID) << "outlived its owner";
}

TEST(AclnnCpp, UnlaunchedCallsEndWithTheirOwner) {
  aclOpExecutor* handle = nullptr;
  {
    const auto call = pad().value();
    handle = call.get();
  }
  EXPECT_EQ(aclDestroyAclOpExecutor(handle), ACLNN_ERR_PARAM_INVALID);
}

TEST(AclnnCpp, OwnersEndWhatTheyOwnOnce) {
  Tensor first = Tensor::over(image, {2}).value();
  aclTensor* const handle = first.get();
  Tensor second = std::move(first);
  EXPECT_EQ(first.get(), nullptr);
  EXPECT_EQ(second.get(), handle);
  aclTensor* const other = (first = Tensor::over(image, {1}).value()).get();
  second = std::move(first);
  EXPECT_EQ(aclDestroyTensor(handle), ACLNN_ERR_PARAM_INVALID) << "not ended by the assignment";
  EXPECT_EQ(second.get(), other);
}

TEST(AclnnCpp, BuffersCopyAndRefuse) {
  auto buffer = Buffer<std::int32_t>::copy_of(std::vector<std::int32_t>{5, 6}).value();
  std::array<std::int32_t, 2> back{};
  ASSERT_TRUE(buffer.write_to(back));
  EXPECT_EQ(back, (std::array<std::int32_t, 2>{5, 6}));
  EXPECT_FALSE(buffer.read_from(std::array<std::int32_t, 3>{})) << "more than fits";
  std::array<std::int32_t, 1> small{};
  EXPECT_FALSE(buffer.write_to(small));
  EXPECT_TRUE(buffer.free());
  EXPECT_FALSE(buffer.free());
  EXPECT_FALSE(Buffer<double>::allocate(static_cast<std::size_t>(-1) / 4)) << "the bytes wrap";
  EXPECT_FALSE(Buffer<double>::allocate(0));
}

TEST(AclnnCpp, StridesAndOffsetMakeViews) {
  std::vector<float> storage{0, 1, 9, 2};  // elements 1 and 3
  const Tensor self = Tensor::over(storage, {1, 1, 2}, {4, 4, 2}, 1).value();
  const Tensor out = Tensor::over(padded, {1, 1, 4}).value();
  const IntArray padding = IntArray::of({1, 1, 0, 0}).value();
  auto call = replication_pad2d(self, padding, out).value();
  ASSERT_TRUE(call.run(Stream()));
  EXPECT_EQ(padded, (std::array<float, 4>{1, 1, 2, 2}));
  EXPECT_FALSE(Tensor::over(storage, {1, 1, 2}, {2})) << "too few strides";
  const Tensor beyond = Tensor::over(storage, {1, 1, 2}, {4, 4, 3}, 1).value();
  EXPECT_FALSE(replication_pad2d(beyond, padding, out)) << "the view leaves its range";
}

#if __cplusplus >= 202002L
TEST(AclnnCpp, TakesSpans) {
  const std::vector<std::int64_t> shape{1, 1, 2};
  const Tensor self = Tensor::over(std::span<float>(image), std::span(shape)).value();
  std::int64_t* extents = nullptr;
  std::uint64_t rank = 0;
  ASSERT_EQ(aclGetViewShape(self.get(), &extents, &rank), ACLNN_SUCCESS);
  EXPECT_EQ(std::vector<std::int64_t>(extents, extents + rank), shape);
  delete[] extents;
}
#endif

TEST(AclnnCpp, TheLibraryStartsOnce) {
  {
    Library library = Library::start().value();
    const Expected<Library> second = Library::start();
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().status(), ACL_ERROR_REPEAT_INITIALIZE);
    const Library moved = std::move(library);
  }
  Library again = Library::start().value();
  EXPECT_TRUE(again.finish());
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

}  // namespace
}  // namespace gradproof::aclnn
