// The runtime half of the fake library: device memory is malloc, streams do their work at once.
#include <cstring>

#include "tests/suite/fake.h"

FAKE_API aclError aclInit(const char*) { return fault("init") ? 500000 : 0; }
FAKE_API aclError aclFinalize() { return 0; }
FAKE_API aclError aclrtSetDevice(int32_t) { return 0; }
FAKE_API aclError aclrtCreateStream(aclrtStream* stream) {
  *stream = std::malloc(1);
  return 0;
}
FAKE_API aclError aclrtDestroyStream(aclrtStream stream) {
  std::free(stream);
  return 0;
}
FAKE_API aclError aclrtSynchronizeStream(aclrtStream) { return fault("synchronise") ? 507035 : 0; }
#ifndef FAKE_WITHOUT_MALLOC
FAKE_API aclError aclrtMalloc(void** data, size_t size, aclrtMemMallocPolicy) {
  if (fault("malloc")) return 200000;
  *data = std::malloc(size);
  return 0;
}
#endif
FAKE_API aclError aclrtFree(void* data) {
  std::free(data);
  return 0;
}
FAKE_API aclError aclrtMemcpy(void* to, size_t, const void* from, size_t count, aclrtMemcpyKind) {
  std::memcpy(to, from, count);
  return 0;
}

FAKE_API aclTensor* aclCreateTensor(const int64_t* dims, uint64_t rank, aclDataType dtype, const int64_t* strides,
                                    int64_t offset, aclFormat format, const int64_t* storage, uint64_t storage_rank,
                                    void* data) {
  auto* tensor = new aclTensor{{}, static_cast<std::byte*>(data)};
  tensor->view.dtype = dtype;
  tensor->view.format = format;
  tensor->view.shape.assign(dims, dims + rank);
  tensor->view.strides = strides != nullptr ? std::vector<std::int64_t>(strides, strides + rank)
                                            : gradproof::ref::contiguous_strides(tensor->view.shape);
  tensor->view.offset = offset;
  tensor->view.storage.assign(storage, storage + storage_rank);
  return tensor;
}
FAKE_API aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  delete tensor;
  return 0;
}
FAKE_API aclIntArray* aclCreateIntArray(const int64_t* values, uint64_t count) {
  return new aclIntArray{std::vector<std::int64_t>(values, values + count)};
}
FAKE_API aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  delete array;
  return 0;
}
