// Arrays, scalars and lists: what is kept and can be read, who owns a list's elements, bad handles.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "gradproof/config.h"
#include "gradproof/descriptors.h"
#include "opt/runtime/tensor.h"
#include "tests/runtime/expect_error.h"

namespace gradproof::test {
namespace {

aclTensor* make_tensor() {
  const std::int64_t shape[] = {2};
  return aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, nullptr);
}

TEST(FloatArray, KeepsACopyThatCanBeRead) {
  std::array<float, 3> numbers{1.5f, -0.0f, 3};
  aclFloatArray* array = aclCreateFloatArray(numbers.data(), numbers.size());
  numbers[0] = 0;
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetFloatArraySize(array, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 3u);
  std::array<float, 3> read{};
  EXPECT_EQ(gradproof_float_array_values(array, read.data(), 3), ACLNN_SUCCESS);
  EXPECT_EQ(read, (std::array<float, 3>{1.5f, -0.0f, 3}));
  EXPECT_ERROR(gradproof_float_array_values(array, read.data(), 2), ACLNN_ERR_PARAM_INVALID,
               "count is 2, but the array has 3 values");
  EXPECT_ERROR(gradproof_float_array_values(array, nullptr, 3), ACLNN_ERR_PARAM_NULLPTR, "values");
  EXPECT_EQ(aclDestroyFloatArray(array), ACLNN_SUCCESS);
  EXPECT_ERROR(aclDestroyFloatArray(array), ACLNN_ERR_PARAM_INVALID,
               "is an aclFloatArray that is not alive");
  EXPECT_EQ(aclCreateFloatArray(nullptr, 1), nullptr);
  EXPECT_EQ(message(), "aclCreateFloatArray: value is null and size is 1");
}

TEST(BoolArray, EveryByteButZeroIsTrue) {
  const std::array<std::uint8_t, 3> bytes{0, 1, 2};
  aclBoolArray* array = aclCreateBoolArray(reinterpret_cast<const bool*>(bytes.data()), 3);
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetBoolArraySize(array, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 3u);
  std::array<bool, 3> read{true, false, false};
  EXPECT_EQ(gradproof_bool_array_values(array, read.data(), 3), ACLNN_SUCCESS);
  EXPECT_EQ(read, (std::array<bool, 3>{false, true, true}));
  EXPECT_ERROR(aclDestroyIntArray(reinterpret_cast<const aclIntArray*>(array)),
               ACLNN_ERR_PARAM_INVALID, "is an aclBoolArray, not an aclIntArray");
  EXPECT_EQ(aclDestroyBoolArray(array), ACLNN_SUCCESS);
  EXPECT_ERROR(aclGetBoolArraySize(array, &size), ACLNN_ERR_PARAM_INVALID, "not alive");
  aclBoolArray* empty = aclCreateBoolArray(nullptr, 0);
  ASSERT_NE(empty, nullptr);
  EXPECT_EQ(gradproof_bool_array_values(empty, nullptr, 0), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyBoolArray(empty), ACLNN_SUCCESS);
  EXPECT_EQ(aclCreateBoolArray(reinterpret_cast<const bool*>(bytes.data()), ~0ull), nullptr);
  EXPECT_NE(message().find("out of memory"), std::string::npos);
}

TEST(Scalar, CanBeRead) {
  std::complex<double> number(1.5, -2), read;
  aclScalar* scalar = aclCreateScalar(&number, ACL_COMPLEX128);
  aclDataType dtype = ACL_DT_UNDEFINED;
  EXPECT_EQ(gradproof_scalar_value(scalar, &dtype, &read), ACLNN_SUCCESS);
  EXPECT_EQ(dtype, ACL_COMPLEX128);
  EXPECT_EQ(read, number);
  EXPECT_ERROR(gradproof_scalar_value(scalar, &dtype, nullptr), ACLNN_ERR_PARAM_NULLPTR, "value");
  EXPECT_EQ(aclDestroyScalar(scalar), ACLNN_SUCCESS);
  EXPECT_ERROR(gradproof_scalar_value(scalar, &dtype, &read), ACLNN_ERR_PARAM_INVALID, "not alive");
}

TEST(TensorList, OwnsItsTensors) {
  const aclTensor* const elements[] = {make_tensor(), nullptr, make_tensor()};
  aclTensorList* list = aclCreateTensorList(elements, 3);
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetTensorListSize(list, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 3u);
  const aclTensor* element = nullptr;
  EXPECT_EQ(gradproof_tensor_list_element(list, 2, &element), ACLNN_SUCCESS);
  EXPECT_EQ(element, elements[2]);
  EXPECT_EQ(gradproof_tensor_list_element(list, 1, &element), ACLNN_SUCCESS);
  EXPECT_EQ(element, nullptr);
  EXPECT_ERROR(gradproof_tensor_list_element(list, 3, &element), ACLNN_ERR_PARAM_INVALID,
               "index is 3, but the list has 3 elements");
  EXPECT_EQ(aclDestroyTensor(elements[0]), ACLNN_SUCCESS);  // before the list, which passes it over
  EXPECT_EQ(aclDestroyTensorList(list), ACLNN_SUCCESS);
  EXPECT_FALSE(find(elements[2]));
  EXPECT_ERROR(aclDestroyTensorList(list), ACLNN_ERR_PARAM_INVALID,
               "is an aclTensorList that is not alive");
  EXPECT_EQ(aclCreateTensorList(elements, 3), nullptr);
  EXPECT_NE(message().find("value[0]"), std::string::npos);
}

TEST(ScalarList, OwnsItsScalars) {
  float number = 1;
  const aclScalar* const elements[] = {aclCreateScalar(&number, ACL_FLOAT)};
  aclScalarList* list = aclCreateScalarList(elements, 1);
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetScalarListSize(list, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 1u);
  const aclScalar* element = nullptr;
  EXPECT_EQ(gradproof_scalar_list_element(list, 0, &element), ACLNN_SUCCESS);
  EXPECT_EQ(element, elements[0]);
  EXPECT_EQ(aclDestroyScalarList(list), ACLNN_SUCCESS);
  EXPECT_ERROR(aclDestroyScalar(elements[0]), ACLNN_ERR_PARAM_INVALID, "not alive");
  const aclTensor* tensor = make_tensor();
  EXPECT_EQ(aclCreateScalarList(reinterpret_cast<const aclScalar* const*>(&tensor), 1), nullptr);
  EXPECT_NE(message().find("value[0]"), std::string::npos);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST(Descriptors, NullIsDestroyedAsTheConformanceSays) {
  const auto each = [] {
    return std::array{aclDestroyFloatArray(nullptr), aclDestroyBoolArray(nullptr),
                      aclDestroyTensorList(nullptr), aclDestroyScalarList(nullptr)};
  };
  for (const aclnnStatus status : each()) EXPECT_EQ(status, ACLNN_ERR_PARAM_NULLPTR);
  ASSERT_EQ(gradproof_set_conformance("cann"), ACL_SUCCESS);
  for (const aclnnStatus status : each()) EXPECT_EQ(status, ACLNN_SUCCESS);
  ASSERT_EQ(gradproof_set_option("conformance", nullptr), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::test
