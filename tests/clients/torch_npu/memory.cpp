// Pools and tensors.
#include "tests/clients/torch_npu/memory.h"

#include <cstring>
#include <map>
#include <mutex>
#include <numeric>

#include "tests/clients/torch_npu/functions.h"

namespace client {
namespace {

constexpr std::size_t kBlock = std::size_t{16} << 20, kAlignment = 512;

std::int64_t product(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

void store(aclDataType type, std::byte* to, double value) {
  if (type == ACL_FLOAT) {
    const float number = static_cast<float>(value);
    std::memcpy(to, &number, sizeof number);
  } else {
    const aclFloat16 number = ACL(aclFloatToFloat16)(static_cast<float>(value));
    std::memcpy(to, &number, sizeof number);
  }
}

double load(aclDataType type, const std::byte* from) {
  if (type == ACL_FLOAT) {
    float number = 0;
    std::memcpy(&number, from, sizeof number);
    return number;
  }
  aclFloat16 number = 0;
  std::memcpy(&number, from, sizeof number);
  return ACL(aclFloat16ToFloat)(number);
}

/// Calls visit(place) with the place in the storage of each element, in row-major order.
template <class Visit>
void for_each_place(const Tensor& tensor, const Visit& visit) {
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    std::int64_t rest = i, place = tensor.offset;
    for (std::size_t axis = tensor.sizes.size(); axis-- > 0;) {
      place += rest % tensor.sizes[axis] * tensor.strides[axis];
      rest /= tensor.sizes[axis];
    }
    visit(static_cast<std::size_t>(place));
  }
}

std::size_t bytes_of(const Tensor& tensor) {
  return static_cast<std::size_t>(tensor.storage) * ACL(aclDataTypeSize)(tensor.type);
}

}  // namespace

void* allocate(std::size_t bytes) {
  static std::mutex mutex;
  static std::byte* block = nullptr;
  static std::size_t used = kBlock;
  const std::lock_guard lock(mutex);
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (used + bytes > kBlock) {
    void* fresh = nullptr;
    MUST(ACL(aclrtMalloc)(&fresh, kBlock, ACL_MEM_MALLOC_HUGE_FIRST));
    block = static_cast<std::byte*>(fresh);
    used = 0;
  }
  used += bytes;
  return block + (used - bytes);
}

void* workspace_of(aclrtStream stream, std::uint64_t bytes) {
  struct Block {
    void* data = nullptr;
    std::uint64_t size = 0;
  };
  static std::mutex mutex;
  static std::map<aclrtStream, Block> blocks;
  const std::lock_guard lock(mutex);
  Block& block = blocks[stream];
  if (block.size < bytes) block = {allocate(bytes), bytes};
  return block.data;
}

std::int64_t Tensor::count() const { return product(sizes); }

Tensor empty(aclDataType type, std::vector<std::int64_t> sizes, Layout layout) {
  Tensor tensor;
  tensor.type = type;
  tensor.sizes = std::move(sizes);
  const std::size_t rank = tensor.sizes.size();
  std::vector<std::int64_t> stored = tensor.sizes;  // extents of the storage, in its own order
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (layout == Layout::transposed) std::swap(order[rank - 1], order[rank - 2]);
  if (layout == Layout::gaps) stored[rank - 1] += 3;
  tensor.strides.resize(rank);
  tensor.storage = 1;
  for (std::size_t i = rank; i-- > 0;) {
    tensor.strides[order[i]] = tensor.storage;
    tensor.storage *= stored[order[i]];
  }
  if (layout == Layout::gaps) tensor.offset = 2;
  tensor.data = allocate(bytes_of(tensor));
  MUST(ACL(aclrtMemset)(tensor.data, bytes_of(tensor), 0x7b, bytes_of(tensor)));
  return tensor;
}

void write(const Tensor& tensor, const std::vector<double>& values, aclrtStream stream) {
  const std::size_t bytes = bytes_of(tensor), width = ACL(aclDataTypeSize)(tensor.type);
  std::vector<std::byte> host(bytes, std::byte{0x7b});
  auto value = values.begin();
  for_each_place(tensor,
                 [&](std::size_t place) { store(tensor.type, &host[place * width], *value++); });
  MUST(ACL(aclrtMemcpyAsync)(tensor.data, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE,
                             stream));
  MUST(ACL(aclrtSynchronizeStream)(stream));
}

std::vector<double> read(const Tensor& tensor, aclrtStream stream) {
  const std::size_t bytes = bytes_of(tensor), width = ACL(aclDataTypeSize)(tensor.type);
  std::vector<std::byte> host(bytes);
  MUST(ACL(aclrtMemcpyAsync)(host.data(), bytes, tensor.data, bytes, ACL_MEMCPY_DEVICE_TO_HOST,
                             stream));
  MUST(ACL(aclrtSynchronizeStream)(stream));
  std::vector<double> values;
  for_each_place(tensor, [&](std::size_t place) {
    values.push_back(load(tensor.type, &host[place * width]));
  });
  return values;
}

void overwrite(const Tensor& tensor, aclrtStream stream) {
  MUST(ACL(aclrtMemsetAsync)(tensor.data, bytes_of(tensor), 0x5a, bytes_of(tensor), stream));
}

}  // namespace client
