// Tensors: the functions of acl_meta.h that describe them.
#include "opt/runtime/tensor.h"

#include <algorithm>
#include <new>
#include <utility>

#include "aclnn/aclnn_base.h"
#include "opt/base/checked.h"
#include "opt/runtime/conformance.h"
#include "opt/runtime/handles.h"
#include "opt/runtime/message.h"
#include "opt/runtime/tensor_table.h"

namespace gradproof {

constinit HandleTable<const Tensor> tensors(HandleKind::tensor);

namespace {

constexpr std::uint64_t kMaxDims = 64;

/// Row-major strides. They stay strides, not negative, where an extent is nonsense and where the
/// extents beside an empty one are more than fits.
void write_contiguous_strides(Numbers shape, std::int64_t* strides) {
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride = saturating_mul(stride, std::max<std::int64_t>(shape[d], 0));
  }
}

/// The product of extents; 0 if one is below 1 or it does not fit.
std::int64_t count_of(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 1 || __builtin_mul_overflow(count, extent, &count)) return 0;
  }
  return count;
}

/// A new array for the caller to delete[], as the getters promise.
aclnnStatus hand_copy(const char* function, std::span<const std::int64_t> values,
                      std::int64_t** out, std::uint64_t* count) {
  auto* copy = new (std::nothrow) std::int64_t[values.size()];  // uncovered: out of memory
  // uncovered: out of memory
  if (copy == nullptr) return fail(ACLNN_ERR_INNER_NULLPTR, "%s: out of memory", function);
  std::copy(values.begin(), values.end(), copy);
  *out = copy;
  *count = values.size();
  return ACLNN_SUCCESS;
}

using Found = Pin<const Tensor>;

/// The common course of the getters: checks the outputs, finds the tensor, lets `give` fill them.
template <class Give>
aclnnStatus get(const char* function, const aclTensor* tensor, bool outputs_there, Give&& give) {
  const Found found = find(tensor);
  if (found == nullptr) return refuse(function, "tensor", tensor, HandleKind::tensor, kMetaCodes);
  if (!outputs_there)
    return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: an output pointer is null", function);
  return give(found);
}

}  // namespace

void Tensor::take(Numbers view, const std::int64_t* view_strides, Numbers storage_dims) {
  const std::size_t rank = view.size();
  const bool same = storage_dims == view;  // as it is mostly
  numbers =
      std::make_unique_for_overwrite<std::int64_t[]>(2 * rank + (same ? 0 : storage_dims.size()));
  std::int64_t* const at = numbers.get();
  std::copy(view.begin(), view.end(), at);
  shape = {at, rank};
  if (view_strides != nullptr) {
    std::copy_n(view_strides, rank, at + rank);
  } else {
    write_contiguous_strides(shape, at + rank);
  }
  strides = {at + rank, rank};
  storage = shape;
  if (same) return;
  std::copy(storage_dims.begin(), storage_dims.end(), at + 2 * rank);
  storage = {at + 2 * rank, storage_dims.size()};
}

void Tensor::conclude() {
  elements = count_of(shape);
  whole = elements > 0 && offset == 0 && storage == shape;
  std::int64_t expected = 1;
  for (std::size_t d = shape.size(); whole && d-- > 0; expected *= shape[d]) {
    whole = strides[d] == expected;
  }
}

KeyPart Tensor::key() const {
  if (!whole) return {};
  return key_part(
      {static_cast<std::uint64_t>(dtype) << 32 | static_cast<std::uint32_t>(format), shape.size()},
      shape);
}

aclnnStatus set_address(const char* function, const aclTensor* handle, void* address,
                        const HandleCodes& codes) noexcept {
  const Pin<const Tensor> found = find(handle);
  if (found == nullptr) return refuse(function, "tensor", handle, HandleKind::tensor, codes);
  found.beside().data = address;
  return ACLNN_SUCCESS;
}

void tensors_at_fork(Fork phase) noexcept { tensors.at_fork(phase, Inherited::kept); }

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  void* handle = nullptr;
  without_throwing(__func__, ACLNN_ERR_INNER_NULLPTR, [&]() -> aclnnStatus {
    const struct {
      const char* name;
      const int64_t* dims;
      uint64_t count;
    } arrays[] = {{"viewDims", viewDims, viewDimsNum},
                  {"storageDims", storageDims, storageDimsNum}};
    for (const auto& a : arrays) {
      if (a.count > kMaxDims) {
        return fail(ACLNN_ERR_PARAM_INVALID, "aclCreateTensor: %sNum is %llu, above %llu", a.name,
                    static_cast<unsigned long long>(a.count),
                    static_cast<unsigned long long>(kMaxDims));
      }
      if (a.count > 0 && a.dims == nullptr) {
        return fail(ACLNN_ERR_PARAM_NULLPTR, "aclCreateTensor: %s is null and %sNum is %llu",
                    a.name, a.name, static_cast<unsigned long long>(a.count));
      }
    }
    auto tensor = std::make_shared<Tensor>();
    tensor->dtype = dataType;
    tensor->format = format;
    tensor->take({viewDims, viewDimsNum}, stride, {storageDims, storageDimsNum});
    tensor->offset = offset;
    tensor->conclude();
    const Tensor& made = *tensor;
    handle = tensors.insert(std::move(tensor), [&](Beside<const Tensor>& beside) {
      beside.data = tensorData;
      beside.key = made.key();
    });
    return ACLNN_SUCCESS;
  });
  return static_cast<aclTensor*>(handle);
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  if (tensors.remove(tensor) != nullptr) return ACLNN_SUCCESS;
  if (tensor == nullptr && goes(RuntimeWay::null_destroyed)) return ACLNN_SUCCESS;
  return refuse(__func__, "tensor", tensor, HandleKind::tensor, kMetaCodes);
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return get(__func__, tensor, viewDims != nullptr && viewDimsNum != nullptr, [&](const Found& t) {
    return hand_copy("aclGetViewShape", t->shape, viewDims, viewDimsNum);
  });
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                               uint64_t* storageDimsNum) {
  return get(__func__, tensor, storageDims != nullptr && storageDimsNum != nullptr,
             [&](const Found& t) {
               return hand_copy("aclGetStorageShape", t->storage, storageDims, storageDimsNum);
             });
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                              uint64_t* stridesNum) {
  return get(__func__, tensor, stridesValue != nullptr && stridesNum != nullptr,
             [&](const Found& t) {
               return hand_copy("aclGetViewStrides", t->strides, stridesValue, stridesNum);
             });
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return get(__func__, tensor, offset != nullptr, [&](const Found& t) {
    *offset = t->offset;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return get(__func__, tensor, format != nullptr, [&](const Found& t) {
    *format = t->format;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return get(__func__, tensor, dataType != nullptr, [&](const Found& t) {
    *dataType = t->dtype;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return get(__func__, tensor, addr != nullptr, [&](const Found& t) {
    *addr = t.beside().data;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return set_address(__func__, tensor, addr, kMetaCodes);
}

}  // extern "C"
