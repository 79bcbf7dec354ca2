// The middle part of the fake library: descriptors. CANN has them in a file of their own as well.
#include "tests/suite/fake.h"

FAKE_API aclTensor* aclCreateTensor(const int64_t* dims, uint64_t rank, aclDataType dtype,
                                    const int64_t* strides, int64_t offset, aclFormat format,
                                    const int64_t* storage, uint64_t storage_rank, void* data) {
  auto* tensor = new aclTensor{{}, static_cast<std::byte*>(data)};
  tensor->view.dtype = dtype;
  tensor->view.format = format;
  tensor->view.shape.assign(dims, dims + rank);
  tensor->view.strides = strides != nullptr
                             ? std::vector<std::int64_t>(strides, strides + rank)
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
