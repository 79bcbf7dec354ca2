// Device memory from pools, streams with a workspace each, and tensors as PyTorch has them.
// In the manner of Ascend/pytorch, torch_npu/csrc/core/npu/NPUCachingAllocator.cpp and
// torch_npu/csrc/framework/utils/OpPreparation.cpp (unsafe_empty_workspace).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "acl/acl.h"

namespace client {

/// Device memory, cut from large blocks that live to the end.
void* allocate(std::size_t bytes);

/// The workspace of a stream: one block for all its calls, which run in order. One that became too
/// small lives on, since earlier calls may still use it.
void* workspace_of(aclrtStream stream, std::uint64_t bytes);

/// A view: sizes and strides in elements, the offset of the first, and the storage behind it.
struct Tensor {
  aclDataType type = ACL_FLOAT;
  std::vector<std::int64_t> sizes, strides;
  std::int64_t offset = 0;
  std::int64_t storage = 0;  ///< elements
  void* data = nullptr;      ///< of the storage

  std::int64_t count() const;
};

enum class Layout { contiguous, transposed, gaps };

/// A tensor with memory of its own, which holds rubbish.
Tensor empty(aclDataType type, std::vector<std::int64_t> sizes, Layout layout = Layout::contiguous);

/// Copies values to the device on a stream, and waits.
void write(const Tensor& tensor, const std::vector<double>& values, aclrtStream stream);
/// Copies them back; what is on the stream before is done then.
std::vector<double> read(const Tensor& tensor, aclrtStream stream);
/// Overwrites the storage in the order of the stream, as a tensor does that gets the same memory
/// next.
void overwrite(const Tensor& tensor, aclrtStream stream);

}  // namespace client
