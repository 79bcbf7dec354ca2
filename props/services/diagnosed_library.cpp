// The small program that diagnosed_library.h runs.
#include "props/services/diagnosed_library.h"

namespace gradproof::props {

void* DiagnosedLibrary::device_memory(std::size_t columns) {
  void* memory = nullptr;
  is_.status("aclrtMalloc", allocate_(&memory, columns * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST),
             ACL_SUCCESS);
  return memory;
}

int DiagnosedLibrary::pad(void* grad_output, void* grad_input, std::int64_t samples,
                          std::int64_t offset) {
  const std::int64_t padded[] = {samples, 1, 1, kPadded}, image[] = {samples, 1, 1, kImage},
                     by[] = {1, 1, 0, 0};
  const auto tensor = [&](const std::int64_t* shape, void* data, std::int64_t first = 0) {
    const std::int64_t strides[] = {shape[3], shape[3], shape[3], 1},
                       all = first + shape[0] * shape[3];
    return create_tensor_(shape, 4, ACL_FLOAT, strides, first, ACL_FORMAT_ND, &all, 1, data);
  };
  aclTensor *from = tensor(padded, grad_output), *self = tensor(image, nullptr),
            *to = tensor(image, grad_input, offset);
  aclIntArray* const padding = create_array_(by, 4);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  is_.status("phase 1", plan_(from, self, padding, to, &bytes, &executor), ACLNN_SUCCESS);
  void* workspace = bytes > 0 ? device_memory(bytes) : nullptr;
  const int status = run_(workspace, bytes, executor, nullptr);
  if (status == ACLNN_SUCCESS)
    is_.status("aclrtSynchronizeStream", synchronize_(nullptr), ACL_SUCCESS);
  if (workspace != nullptr) is_.status("aclrtFree", release_(workspace), ACL_SUCCESS);
  for (aclTensor* t : {from, self, to})
    is_.status("aclDestroyTensor", destroy_tensor_(t), ACLNN_SUCCESS);
  is_.status("aclDestroyIntArray", destroy_array_(padding), ACLNN_SUCCESS);
  return status;
}

void DiagnosedLibrary::pad_rightly() {
  const float gradient[kPadded] = {1, 2, 4, 8};
  float result[kImage] = {};
  void *from = device_memory(kPadded), *to = device_memory(kImage);
  is_.status("aclrtMemcpy",
             copy_(from, sizeof gradient, gradient, sizeof gradient, ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_SUCCESS);
  is_.status("phase 2", pad(from, to), ACLNN_SUCCESS);
  is_.status("aclrtMemcpy",
             copy_(result, sizeof result, to, sizeof result, ACL_MEMCPY_DEVICE_TO_HOST),
             ACL_SUCCESS);
  is_.that("the gradient of (1, 2, 4, 8) is (3, 12)", result[0] == 3 && result[1] == 12);
  is_.status("aclrtFree", release_(from), ACL_SUCCESS);
  is_.status("aclrtFree", release_(to), ACL_SUCCESS);
}

}  // namespace gradproof::props
