// Tensors, int arrays and scalars: what is kept, what is refused, what a bad handle gets.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "aclnn/aclnn_base.h"
#include "opt/runtime/message.h"
#include "opt/runtime/tensor.h"
#include "tests/runtime/expect_error.h"

namespace gradproof::test {
namespace {

aclTensor* make_tensor(void* data = nullptr) {
  const std::int64_t shape[] = {2, 3, 5};
  return aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 7, ACL_FORMAT_ND, shape, 3, data);
}

/// What a getter with an array for an answer gives.
std::vector<std::int64_t> values(aclnnStatus (*get)(const aclTensor*, std::int64_t**,
                                                    std::uint64_t*),
                                 const aclTensor* tensor) {
  std::int64_t* numbers = nullptr;
  std::uint64_t count = 0;
  EXPECT_EQ(get(tensor, &numbers, &count), ACLNN_SUCCESS);
  const std::unique_ptr<std::int64_t[]> owner(numbers);
  return {numbers, numbers + count};
}

TEST(Tensor, KeepsWhatItWasGiven) {
  std::vector<std::int64_t> shape = {2, 3};
  std::vector<std::int64_t> strides = {-4, 0};
  std::vector<std::int64_t> storage = {100};
  float data = 0;
  aclTensor* tensor = aclCreateTensor(shape.data(), 2, ACL_BF16, strides.data(), -9,
                                      ACL_FORMAT_NC1HWC0, storage.data(), 1, &data);
  ASSERT_NE(tensor, nullptr);
  shape[0] = strides[0] = storage[0] = 77;  // its own copies

  const Pin<const Tensor> found = find(tensor);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(found->strides, (std::vector<std::int64_t>{-4, 0}));
  EXPECT_EQ(found->storage, (std::vector<std::int64_t>{100}));

  EXPECT_EQ(values(aclGetViewShape, tensor), found->shape);
  EXPECT_EQ(values(aclGetViewStrides, tensor), found->strides);
  EXPECT_EQ(values(aclGetStorageShape, tensor), found->storage);
  std::int64_t offset = 0;
  aclFormat format = ACL_FORMAT_ND;
  aclDataType dtype = ACL_FLOAT;
  void* address = nullptr;
  EXPECT_EQ(aclGetViewOffset(tensor, &offset), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetFormat(tensor, &format), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetDataType(tensor, &dtype), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, &address), ACLNN_SUCCESS);
  EXPECT_EQ(offset, -9);
  EXPECT_EQ(format, ACL_FORMAT_NC1HWC0);
  EXPECT_EQ(dtype, ACL_BF16);
  EXPECT_EQ(address, &data);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST(Tensor, NullStridesAreContiguous) {
  aclTensor* tensor = make_tensor();
  EXPECT_EQ(find(tensor)->strides, (std::vector<std::int64_t>{15, 5, 1}));
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

// Found by fuzzing: they wrapped, and the rule view refused a valid call for its negative stride.
TEST(Tensor, NullStridesOfAnEmptyViewAreNeverNegative) {
  const std::int64_t shape[] = {0, std::int64_t{1} << 56, 128};
  aclTensor* tensor =
      aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 3, nullptr);
  EXPECT_EQ(find(tensor)->strides,
            (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(), 128, 1}));
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST(Tensor, JudgesNothing) {
  const std::int64_t wild[] = {std::numeric_limits<std::int64_t>::min(), -1,
                               std::numeric_limits<std::int64_t>::max()};
  aclTensor* tensor = aclCreateTensor(wild, 3, static_cast<aclDataType>(-12345), nullptr, wild[0],
                                      static_cast<aclFormat>(1 << 30), wild, 3, nullptr);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(static_cast<int>(find(tensor)->dtype), -12345);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST(Tensor, RankZeroNeedsNoArrays) {
  aclTensor* tensor =
      aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
  ASSERT_NE(tensor, nullptr);
  EXPECT_TRUE(values(aclGetViewShape, tensor).empty());
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST(Tensor, RefusesWhatItCannotHold) {
  const std::vector<std::int64_t> dims(65, 1);
  aclTensor* largest = aclCreateTensor(dims.data(), 64, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
                                       dims.data(), 64, nullptr);
  EXPECT_NE(largest, nullptr);
  EXPECT_EQ(aclDestroyTensor(largest), ACLNN_SUCCESS);

  const auto create = [](const std::int64_t* view, std::uint64_t rank, const std::int64_t* storage,
                         std::uint64_t storage_rank) {
    return aclCreateTensor(view, rank, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, storage, storage_rank,
                           nullptr);
  };
  EXPECT_EQ(create(dims.data(), 65, dims.data(), 1), nullptr);
  EXPECT_NE(message().find("viewDimsNum is 65"), std::string::npos);
  EXPECT_EQ(create(dims.data(), 1, dims.data(), ~0ull), nullptr);
  EXPECT_NE(message().find("storageDimsNum"), std::string::npos);
  EXPECT_EQ(create(nullptr, 1, dims.data(), 1), nullptr);
  EXPECT_NE(message().find("viewDims is null"), std::string::npos);
  EXPECT_EQ(create(dims.data(), 1, nullptr, 1), nullptr);
  EXPECT_NE(message().find("storageDims is null"), std::string::npos);
}

TEST(Tensor, NewAddressAndDestructionLeaveReadersTheRest) {
  int before = 0;
  int after = 0;
  aclTensor* tensor = make_tensor(&before);
  const Pin<const Tensor> reader = find(tensor);
  EXPECT_EQ(aclSetRawTensorAddr(tensor, &after), ACLNN_SUCCESS);
  EXPECT_EQ(find(tensor).beside().data, &after);
  EXPECT_EQ(find(tensor)->offset, 7);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  EXPECT_FALSE(find(tensor));
  EXPECT_EQ(reader->shape.size(), 3u);
  EXPECT_EQ(reader->offset, 7);
  EXPECT_ERROR(aclSetRawTensorAddr(tensor, &after), ACLNN_ERR_PARAM_INVALID, "destroyed");
}

TEST(Tensor, GettersRefuseNullOutputs) {
  aclTensor* tensor = make_tensor();
  std::int64_t* dims = nullptr;
  std::uint64_t count = 42;
  EXPECT_ERROR(aclGetViewShape(tensor, nullptr, &count), ACLNN_ERR_PARAM_NULLPTR,
               "aclGetViewShape");
  EXPECT_ERROR(aclGetStorageShape(tensor, &dims, nullptr), ACLNN_ERR_PARAM_NULLPTR, "null");
  EXPECT_ERROR(aclGetViewStrides(tensor, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR, "null");
  EXPECT_ERROR(aclGetViewOffset(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR, "null");
  EXPECT_ERROR(aclGetFormat(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR, "null");
  EXPECT_ERROR(aclGetDataType(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR, "null");
  EXPECT_ERROR(aclGetRawTensorAddr(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR, "null");
  EXPECT_EQ(count, 42u);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST(HandleTable, SaysThatItsLimitIsReached) {
  static HandleTable<int> table(HandleKind::scalar, Listed::no, 2000);
  const auto object = std::make_shared<int>(1);
  void* last = nullptr;
  for (int i = 0; i < 2000; ++i) last = table.insert(object);
  EXPECT_THROW(table.insert(object), HandlesExhausted);
  EXPECT_ERROR(
      without_throwing("aclCreateScalar", 7, [&] { return table.insert(object) == nullptr; }), 7,
      "aclCreateScalar: the limit of 16777216 handles");
  EXPECT_NE(table.remove(last), nullptr);
  EXPECT_NE(table.insert(object), nullptr);
}

TEST(Handles, NullStaleForeignAndInventedAreRefused) {
  const std::int64_t number = 1;
  aclTensor* tensor = make_tensor();
  aclIntArray* array = aclCreateIntArray(&number, 1);

  EXPECT_ERROR(aclDestroyTensor(nullptr), ACLNN_ERR_PARAM_NULLPTR,
               "aclDestroyTensor: tensor is null");
  EXPECT_ERROR(aclDestroyTensor(reinterpret_cast<aclTensor*>(array)), ACLNN_ERR_PARAM_INVALID,
               "is an aclIntArray, not an aclTensor");
  EXPECT_ERROR(aclDestroyTensor(reinterpret_cast<const aclTensor*>(&number)),
               ACLNN_ERR_PARAM_INVALID, "not an aclTensor of this library");
  // Of the right kind, but never given out: slots that do not exist yet, and the last number.
  for (const std::uintptr_t bits : {0xA100000001FFFF00ull, 0xA1FFFFFFFFFFFFFFull}) {
    EXPECT_ERROR(aclDestroyTensor(reinterpret_cast<aclTensor*>(bits)), ACLNN_ERR_PARAM_INVALID,
                 "not alive");
  }

  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  EXPECT_ERROR(aclDestroyTensor(tensor), ACLNN_ERR_PARAM_INVALID, "it was destroyed");
  EXPECT_FALSE(find(tensor));
  std::int64_t offset = 0;
  EXPECT_ERROR(aclGetViewOffset(tensor, &offset), ACLNN_ERR_PARAM_INVALID, "aclGetViewOffset");
  EXPECT_EQ(aclDestroyIntArray(array), ACLNN_SUCCESS);
  EXPECT_ERROR(aclDestroyIntArray(array), ACLNN_ERR_PARAM_INVALID, "array");
}

TEST(Handles, StaleOnesStayStaleWhenTheirSlotIsUsedAgain) {
  aclTensor* first = make_tensor();
  ASSERT_EQ(aclDestroyTensor(first), ACLNN_SUCCESS);
  std::vector<aclTensor*> others;
  for (int i = 0; i < 600; ++i) others.push_back(make_tensor());  // more than a chunk of slots
  EXPECT_FALSE(find(first));
  EXPECT_ERROR(aclDestroyTensor(first), ACLNN_ERR_PARAM_INVALID, "not alive");
  for (aclTensor* tensor : others) EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST(IntArray, KeepsACopy) {
  std::vector<std::int64_t> numbers = {3, -1, 4};
  aclIntArray* array = aclCreateIntArray(numbers.data(), 3);
  numbers[0] = 0;
  EXPECT_EQ(find(array)->values, (std::vector<std::int64_t>{3, -1, 4}));
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetIntArraySize(array, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 3u);
  EXPECT_ERROR(aclGetIntArraySize(array, nullptr), ACLNN_ERR_PARAM_NULLPTR, "size");
  EXPECT_EQ(aclDestroyIntArray(array), ACLNN_SUCCESS);
  EXPECT_ERROR(aclGetIntArraySize(array, &size), ACLNN_ERR_PARAM_INVALID, "array");
  EXPECT_ERROR(aclDestroyIntArray(nullptr), ACLNN_ERR_PARAM_NULLPTR, "array is null");
}

TEST(IntArray, MayBeEmptyButNotNullOrEndless) {
  aclIntArray* empty = aclCreateIntArray(nullptr, 0);
  ASSERT_NE(empty, nullptr);
  EXPECT_TRUE(find(empty)->values.empty());
  EXPECT_EQ(aclDestroyIntArray(empty), ACLNN_SUCCESS);
  EXPECT_EQ(aclCreateIntArray(nullptr, 2), nullptr);
  EXPECT_NE(message().find("value is null"), std::string::npos);
  const std::int64_t number = 1;
  EXPECT_EQ(aclCreateIntArray(&number, ~0ull), nullptr);
  EXPECT_NE(message().find("out of memory"), std::string::npos);
}

TEST(Scalar, LivesAndDies) {
  double value = 2.5;
  aclScalar* scalar = aclCreateScalar(&value, ACL_DOUBLE);
  ASSERT_NE(scalar, nullptr);
  EXPECT_EQ(aclDestroyScalar(scalar), ACLNN_SUCCESS);
  EXPECT_ERROR(aclDestroyScalar(scalar), ACLNN_ERR_PARAM_INVALID, "scalar");
  EXPECT_ERROR(aclDestroyScalar(nullptr), ACLNN_ERR_PARAM_NULLPTR, "scalar is null");
  EXPECT_EQ(aclCreateScalar(nullptr, ACL_DOUBLE), nullptr);
  EXPECT_NE(message().find("value is null"), std::string::npos);
  EXPECT_EQ(aclCreateScalar(&value, ACL_STRING), nullptr);
  EXPECT_NE(message().find("dataType 13"), std::string::npos);
}

}  // namespace
}  // namespace gradproof::test
