// A program in the manner of the operator documents' samples: it includes the API's headers and
// what they bring along, nothing of C's; it qualifies enumerators by their type, leaves handles
// uninitialised until a call sets them, and frees tensors before their memory. C++11.
#include <iostream>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"

#define RETURN_IF_FAILED(call)                  \
  do {                                          \
    auto status = (call);                       \
    if (status != ACL_SUCCESS) {                \
      printf("%s failed: %d\n", #call, status); \
      return status;                            \
    }                                           \
  } while (0)

int64_t Count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (auto extent : shape) count *= extent;
  return count;
}

template <typename T>
int MakeTensor(const std::vector<T>& values, const std::vector<int64_t>& shape, aclDataType type,
               void** memory, aclTensor** tensor) {
  auto bytes = Count(shape) * sizeof(T);
  RETURN_IF_FAILED(aclrtMalloc(memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  RETURN_IF_FAILED(aclrtMemcpy(*memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  std::vector<int64_t> strides(shape.size(), 1);
  for (int64_t i = shape.size() - 2; i >= 0; i--) strides[i] = shape[i + 1] * strides[i + 1];
  *tensor = aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0,
                            aclFormat::ACL_FORMAT_NCHW, shape.data(), shape.size(), *memory);
  return *tensor == nullptr ? 1 : 0;
}

int main() {
  const int32_t device = 0;
  aclrtStream stream;
  RETURN_IF_FAILED(aclInit(nullptr));
  RETURN_IF_FAILED(aclrtSetDevice(device));
  RETURN_IF_FAILED(aclrtCreateStream(&stream));

  // Two windows side by side: in the first each channel has its maximum at (0, 1), in the second at
  // (1, 0).
  std::vector<int64_t> pooled = {1, 2, 1, 2}, image = {1, 2, 2, 5}, mask = {1, 2, 4, 64};
  std::vector<float> gradients = {1.5, 2.5, -3.5, 4.5}, images(20, 0), results(20, 7);
  std::vector<int8_t> bits(512, 0);
  // The shape counts every channel; 16 share the bits of a word, so both are in the first channel's
  // bytes.
  bits[64 * 1] = 3;      // position (0, 1), output 0: channels 0 and 1
  bits[64 * 2 + 2] = 3;  // position (1, 0), output 1, whose 16-bit word is the second
  void *gradOutMemory, *selfMemory, *maskMemory, *gradInMemory;
  aclTensor *gradOut, *self, *indices, *gradIn;
  RETURN_IF_FAILED(MakeTensor(gradients, pooled, aclDataType::ACL_FLOAT, &gradOutMemory, &gradOut));
  RETURN_IF_FAILED(MakeTensor(images, image, aclDataType::ACL_FLOAT, &selfMemory, &self));
  RETURN_IF_FAILED(MakeTensor(bits, mask, aclDataType::ACL_INT8, &maskMemory, &indices));
  RETURN_IF_FAILED(MakeTensor(results, image, aclDataType::ACL_FLOAT, &gradInMemory, &gradIn));

  std::vector<int64_t> two = {2, 2}, none = {0, 0}, one = {1, 1};
  aclIntArray* kernelSize = aclCreateIntArray(two.data(), 2);
  aclIntArray* stride = aclCreateIntArray(two.data(), 2);
  aclIntArray* padding = aclCreateIntArray(none.data(), 2);
  aclIntArray* dilation = aclCreateIntArray(one.data(), 2);
  const bool ceilMode = false;
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor;
  void* workspace = nullptr;
  RETURN_IF_FAILED(aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
      gradOut, self, indices, kernelSize, stride, padding, dilation, ceilMode, gradIn,
      &workspaceSize, &executor));
  if (workspaceSize > 0)
    RETURN_IF_FAILED(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));
  RETURN_IF_FAILED(aclnnMaxPool2dWithMaskBackward(workspace, workspaceSize, executor, stream));
  RETURN_IF_FAILED(aclrtSynchronizeStream(stream));

  auto bytes = results.size() * sizeof(results[0]);
  RETURN_IF_FAILED(
      aclrtMemcpy(results.data(), bytes, gradInMemory, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (int64_t i = 0; i < Count(image); i++) printf("result[%ld] is: %f\n", i, results[i]);

  for (aclTensor* tensor : {gradOut, self, indices, gradIn})
    RETURN_IF_FAILED(aclDestroyTensor(tensor));
  for (void* memory : {gradOutMemory, selfMemory, maskMemory, gradInMemory})
    RETURN_IF_FAILED(aclrtFree(memory));
  for (aclIntArray* array : {kernelSize, stride, padding, dilation})
    RETURN_IF_FAILED(aclDestroyIntArray(array));
  if (workspaceSize > 0) RETURN_IF_FAILED(aclrtFree(workspace));
  RETURN_IF_FAILED(aclrtDestroyStream(stream));
  RETURN_IF_FAILED(aclrtResetDevice(device));
  RETURN_IF_FAILED(aclFinalize());
  return 0;
}
