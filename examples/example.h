// Helpers of the sample programs: checked calls, a device with one stream, tensors in device
// memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "print.h"

/// Ends the program with the status and the library's own message if a call does not succeed.
#define CHECK(call) check((call), #call)
inline void check(int status, const char* call) {
  if (status == ACL_SUCCESS) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s returned %d\n%s\n", call, status, message ? message : "");
  std::exit(EXIT_FAILURE);
}
inline void check(const void* handle, const char* call) {
  if (!handle) check(ACL_ERROR_BAD_ALLOC, call);
}

/// The library from aclInit to aclFinalize, with device 0 and a stream on it.
class Device {
 public:
  Device() {
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream_));
  }
  ~Device() {
    CHECK(aclrtDestroyStream(stream_));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  aclrtStream stream() const { return stream_; }

  /// Runs phase 2 of an operator with a workspace of the size that phase 1 returned, and waits for
  /// the result.
  template <class Phase2>
  void run(Phase2 phase2, std::uint64_t workspace_size, aclOpExecutor* executor) {
    void* workspace = nullptr;
    if (workspace_size > 0)
      CHECK(aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(phase2(workspace, workspace_size, executor, stream_));
    CHECK(aclrtSynchronizeStream(stream_));
    if (workspace) CHECK(aclrtFree(workspace));
  }

 private:
  aclrtStream stream_ = nullptr;
};

/// A contiguous tensor of T that owns its device memory.
template <class T>
class Tensor {
 public:
  Tensor(aclDataType dtype, aclFormat format, std::vector<std::int64_t> shape,
         std::vector<T> values)
      : count_(values.size()) {
    const std::size_t bytes = count_ * sizeof(T);
    CHECK(aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpy(memory_, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t axis = shape.size() - 1; axis > 0; --axis)
      strides[axis - 1] = strides[axis] * shape[axis];
    handle_ = aclCreateTensor(shape.data(), shape.size(), dtype, strides.data(), 0, format,
                              shape.data(), shape.size(), memory_);
    CHECK(handle_);
  }
  ~Tensor() {
    CHECK(aclDestroyTensor(handle_));
    CHECK(aclrtFree(memory_));
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  aclTensor* get() const { return handle_; }

  std::vector<T> values() const {
    std::vector<T> host(count_);
    const std::size_t bytes = count_ * sizeof(T);
    CHECK(aclrtMemcpy(host.data(), bytes, memory_, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    return host;
  }

 private:
  std::size_t count_;
  void* memory_ = nullptr;
  aclTensor* handle_ = nullptr;
};

class IntArray {
 public:
  IntArray(std::vector<std::int64_t> values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {
    CHECK(handle_);
  }
  ~IntArray() { CHECK(aclDestroyIntArray(handle_)); }
  IntArray(const IntArray&) = delete;
  IntArray& operator=(const IntArray&) = delete;

  const aclIntArray* get() const { return handle_; }

 private:
  aclIntArray* handle_;
};
