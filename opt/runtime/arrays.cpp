// Arrays, scalars, and lists of tensors and of scalars: the other descriptors of acl_meta.h.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "aclnn/aclnn_base.h"
#include "gradproof/descriptors.h"
#include "opt/runtime/conformance.h"
#include "opt/runtime/handles.h"
#include "opt/runtime/message.h"
#include "opt/runtime/tensor.h"

namespace gradproof {

constinit HandleTable<const IntArray> int_arrays(HandleKind::int_array);

namespace {

using FloatArray = Array<float>;
using BoolArray = Array<std::uint8_t>;  // 0 and 1
using List = Array<const void*>;        // handles, or null

struct Scalar {
  aclDataType dtype;
  std::array<std::byte, 16> bytes;
};

constinit HandleTable<const Scalar> scalars(HandleKind::scalar);
constinit HandleTable<const FloatArray> float_arrays(HandleKind::float_array);
constinit HandleTable<const BoolArray> bool_arrays(HandleKind::bool_array);
constinit HandleTable<const List> tensor_lists(HandleKind::tensor_list);
constinit HandleTable<const List> scalar_lists(HandleKind::scalar_list);

/// A handle of a copy of `size` values. Null, with a message, for what cannot be copied or where
/// `judge` finds a value wrong.
template <class T, class Value, class Judge>
void* create(const char* function, HandleTable<const Array<T>>& table, const Value* value,
             std::uint64_t size, Judge&& judge) {
  void* handle = nullptr;
  without_throwing(function, ACLNN_ERR_INNER_NULLPTR, [&]() -> aclnnStatus {
    if (size > 0 && value == nullptr) {
      return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: value is null and size is %llu", function,
                  static_cast<unsigned long long>(size));
    }
    auto array = std::make_shared<Array<T>>();
    if (size > array->values.max_size()) throw std::bad_alloc();
    array->values.assign(value, value + size);
    const aclnnStatus status = judge(array->values);
    if (status != ACLNN_SUCCESS) return status;
    const std::vector<T>& values = array->values;
    handle = table.insert(std::move(array), [&](Beside<const Array<T>>& beside) {
      if constexpr (std::is_same_v<T, std::int64_t>) beside.key = key_part({size}, values);
    });
    return status;
  });
  return handle;
}

template <class T>
aclnnStatus accept(std::vector<T>&) {
  return ACLNN_SUCCESS;
}

/// Every element of a list is null or a live handle.
template <class T>
auto all_alive(const char* function, const HandleTable<T>& table, HandleKind kind) {
  return [function, &table, kind](const std::vector<const void*>& elements) -> aclnnStatus {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (elements[i] == nullptr || table.find(elements[i])) continue;
      const std::string element = "value[" + std::to_string(i) + "]";
      return refuse(function, element.c_str(), elements[i], kind, kMetaCodes);
    }
    return ACLNN_SUCCESS;
  };
}

template <class T>
aclnnStatus destroyed(const char* function, const std::shared_ptr<T>& removed, const char* argument,
                      const void* handle, HandleKind kind) {
  if (removed != nullptr) return ACLNN_SUCCESS;
  if (handle == nullptr && goes(RuntimeWay::null_destroyed)) return ACLNN_SUCCESS;
  return refuse(function, argument, handle, kind, kMetaCodes);
}

template <class T>
aclnnStatus give_size(const char* function, const HandleTable<const Array<T>>& table,
                      HandleKind kind, const char* argument, const void* handle,
                      std::uint64_t* size) {
  const Pin<const Array<T>> found = table.find(handle);
  if (found == nullptr) return refuse(function, argument, handle, kind, kMetaCodes);
  if (size == nullptr) return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: size is null", function);
  *size = found->values.size();
  return ACLNN_SUCCESS;
}

template <class T, class Value>
aclnnStatus give_values(const char* function, const HandleTable<const Array<T>>& table,
                        HandleKind kind, const void* handle, Value* values, std::uint64_t count) {
  const Pin<const Array<T>> found = table.find(handle);
  if (found == nullptr) return refuse(function, "array", handle, kind, kMetaCodes);
  const std::vector<T>& all = found->values;
  if (all.size() > count) {
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: count is %llu, but the array has %zu values",
                function, static_cast<unsigned long long>(count), all.size());
  }
  if (values == nullptr && !all.empty()) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: values is null", function);
  }
  std::copy(all.begin(), all.end(), values);
  return ACLNN_SUCCESS;
}

template <class Handle>
aclnnStatus give_element(const char* function, const HandleTable<const List>& table,
                         HandleKind kind, const void* list, std::uint64_t index,
                         const Handle** element) {
  const Pin<const List> found = table.find(list);
  if (found == nullptr) return refuse(function, "list", list, kind, kMetaCodes);
  if (element == nullptr) return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: element is null", function);
  if (index >= found->values.size()) {
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: index is %llu, but the list has %zu elements",
                function, static_cast<unsigned long long>(index), found->values.size());
  }
  *element = static_cast<const Handle*>(found->values[index]);
  return ACLNN_SUCCESS;
}

/// Ends a list and its elements, as far as they are alive.
template <class T>
aclnnStatus destroy_list(const char* function, HandleTable<const List>& lists, HandleKind kind,
                         const void* list, HandleTable<T>& elements) {
  const std::shared_ptr<const List> removed = lists.remove(list);
  if (removed != nullptr) {
    for (const void* element : removed->values) (void)elements.remove(element);
  }
  return destroyed(function, removed, "list", list, kind);
}

}  // namespace

void arrays_at_fork(Fork phase) noexcept {
  int_arrays.at_fork(phase, Inherited::kept);
  float_arrays.at_fork(phase, Inherited::kept);
  bool_arrays.at_fork(phase, Inherited::kept);
  tensor_lists.at_fork(phase, Inherited::kept);
  scalar_lists.at_fork(phase, Inherited::kept);
  scalars.at_fork(phase, Inherited::kept);
}

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return static_cast<aclIntArray*>(create(__func__, int_arrays, value, size, accept<std::int64_t>));
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return destroyed(__func__, int_arrays.remove(array), "array", array, HandleKind::int_array);
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return give_size(__func__, int_arrays, HandleKind::int_array, "array", array, size);
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return static_cast<aclFloatArray*>(create(__func__, float_arrays, value, size, accept<float>));
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return destroyed(__func__, float_arrays.remove(array), "array", array, HandleKind::float_array);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return give_size(__func__, float_arrays, HandleKind::float_array, "array", array, size);
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  // As bytes: what a caller in another language passes need not be 0 or 1.
  const auto one_or_zero = [](std::vector<std::uint8_t>& values) -> aclnnStatus {
    for (std::uint8_t& byte : values) byte = byte != 0;
    return ACLNN_SUCCESS;
  };
  return static_cast<aclBoolArray*>(create(
      __func__, bool_arrays, reinterpret_cast<const std::uint8_t*>(value), size, one_or_zero));
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return destroyed(__func__, bool_arrays.remove(array), "array", array, HandleKind::bool_array);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return give_size(__func__, bool_arrays, HandleKind::bool_array, "array", array, size);
}

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  void* handle = nullptr;
  without_throwing(__func__, ACLNN_ERR_INNER_NULLPTR, [&]() -> aclnnStatus {
    if (value == nullptr) return fail(ACLNN_ERR_PARAM_NULLPTR, "aclCreateScalar: value is null");
    const std::size_t size = aclDataTypeSize(dataType);
    if (size == 0) {
      return fail(ACLNN_ERR_PARAM_INVALID, "aclCreateScalar: dataType %d has no size in bytes",
                  static_cast<int>(dataType));
    }
    auto scalar = std::make_shared<Scalar>();
    scalar->dtype = dataType;
    std::memcpy(scalar->bytes.data(), value, size);
    handle = scalars.insert(std::move(scalar));
    return ACLNN_SUCCESS;
  });
  return static_cast<aclScalar*>(handle);
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  if (scalars.remove(scalar) != nullptr) return ACLNN_SUCCESS;
  return refuse(__func__, "scalar", scalar, HandleKind::scalar, kMetaCodes);
}

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return static_cast<aclTensorList*>(create(__func__, tensor_lists, value, size,
                                            all_alive(__func__, tensors, HandleKind::tensor)));
}

aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  return destroy_list(__func__, tensor_lists, HandleKind::tensor_list, array, tensors);
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return give_size(__func__, tensor_lists, HandleKind::tensor_list, "list", tensorList, size);
}

aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return static_cast<aclScalarList*>(create(__func__, scalar_lists, value, size,
                                            all_alive(__func__, scalars, HandleKind::scalar)));
}

aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
  return destroy_list(__func__, scalar_lists, HandleKind::scalar_list, array, scalars);
}

aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
  return give_size(__func__, scalar_lists, HandleKind::scalar_list, "list", scalarList, size);
}

aclnnStatus gradproof_int_array_values(const aclIntArray* array, int64_t* values, uint64_t count) {
  return give_values(__func__, int_arrays, HandleKind::int_array, array, values, count);
}

aclnnStatus gradproof_float_array_values(const aclFloatArray* array, float* values,
                                         uint64_t count) {
  return give_values(__func__, float_arrays, HandleKind::float_array, array, values, count);
}

aclnnStatus gradproof_bool_array_values(const aclBoolArray* array, bool* values, uint64_t count) {
  return give_values(__func__, bool_arrays, HandleKind::bool_array, array, values, count);
}

aclnnStatus gradproof_scalar_value(const aclScalar* scalar, aclDataType* dataType, void* value) {
  const Pin<const Scalar> found = scalars.find(scalar);
  if (found == nullptr) return refuse(__func__, "scalar", scalar, HandleKind::scalar, kMetaCodes);
  if (dataType == nullptr || value == nullptr) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is null", __func__,
                dataType == nullptr ? "dataType" : "value");
  }
  *dataType = found->dtype;
  std::memcpy(value, found->bytes.data(), aclDataTypeSize(found->dtype));
  return ACLNN_SUCCESS;
}

aclnnStatus gradproof_tensor_list_element(const aclTensorList* list, uint64_t index,
                                          const aclTensor** element) {
  return give_element(__func__, tensor_lists, HandleKind::tensor_list, list, index, element);
}

aclnnStatus gradproof_scalar_list_element(const aclScalarList* list, uint64_t index,
                                          const aclScalar** element) {
  return give_element(__func__, scalar_lists, HandleKind::scalar_list, list, index, element);
}

}  // extern "C"
