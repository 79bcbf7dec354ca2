// Arrays, scalars, and lists of tensors and of scalars; with gradproof/descriptors.h, what they
// hold.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "gradproof/descriptors.h"
#include "props/services/answers.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

constexpr int kNull = ACLNN_ERR_PARAM_NULLPTR, kInvalid = ACLNN_ERR_PARAM_INVALID;

/// The functions of one kind of array; `values` is null if the library has no such function.
template <class Array, class T>
struct ArrayFunctions {
  std::string kind;  ///< as in aclCreateIntArray
  Array* (*create)(const T*, std::uint64_t);
  aclnnStatus (*destroy)(const Array*);
  aclnnStatus (*size)(const Array*, std::uint64_t*);
  aclnnStatus (*values)(const Array*, T*, std::uint64_t);
};

template <class Array, class T>
void ask_values(Answers& is, const ArrayFunctions<Array, T>& of, const Array* array,
                const T* wanted, std::uint64_t count) {
  const std::string name = "gradproof's values of an acl" + of.kind + "Array";
  std::array<T, 4> got{};
  const auto begin = got.begin();
  is.status(name, of.values(array, got.data(), got.size()), ACLNN_SUCCESS);
  is.that(name + " are those that it was made with, and no more are written",
          std::equal(begin, begin + static_cast<std::ptrdiff_t>(count), wanted) &&
              std::all_of(begin + static_cast<std::ptrdiff_t>(count), got.end(),
                          [](T value) { return value == T{}; }));
  is.status(name + " that is null", of.values(nullptr, got.data(), got.size()), kNull);
  if (count == 0) {
    is.status(name + " that is empty, without room", of.values(array, nullptr, 0), ACLNN_SUCCESS);
    return;
  }
  is.status(name + " without room", of.values(array, nullptr, count), kNull);
  is.status(name + " with too little room", of.values(array, got.data(), count - 1), kInvalid);
}

template <class Array, class T>
void ask_arrays(Answers& is, const ArrayFunctions<Array, T>& of, const T (&values)[3]) {
  const std::string create = "aclCreate" + of.kind + "Array";
  is.that(create + " of null is null", of.create(nullptr, 1) == nullptr);
  is.that(create + " beyond all memory is null", of.create(values, ~std::uint64_t{0}) == nullptr);
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{3}}) {
    const Array* const array = of.create(count == 0 ? nullptr : values, count);
    is.that(create + " makes an array", array != nullptr);
    std::uint64_t size = 7;
    const std::string get = "aclGet" + of.kind + "ArraySize", destroy = "aclDestroy" + of.kind;
    is.status(get, of.size(array, &size), ACLNN_SUCCESS);
    is.that(get + " gives the size", size == count);
    is.status(get + " without a size", of.size(array, nullptr), kNull);
    is.status(get + " of null", of.size(nullptr, &size), kNull);
    if (of.values != nullptr) ask_values(is, of, array, values, count);
    is.status(destroy + "Array", of.destroy(array), ACLNN_SUCCESS);
    is.status(destroy + "Array twice", of.destroy(array), kInvalid);
    is.status(get + " of a dead array", of.size(array, &size), kInvalid);
    if (of.values != nullptr) {
      T value{};
      is.status("the values of a dead array", of.values(array, &value, 1), kInvalid);
    }
  }
  is.status("aclDestroy" + of.kind + "Array of null", of.destroy(nullptr), kNull);
}

/// The library's function, or null.
template <class F>
F* optional(const Library& library, const char* name) {
  return reinterpret_cast<F*>(library.symbol(name));
}
#define GRADPROOF_OPTIONAL(name) optional<decltype(::name)>(library, #name)

/// A scalar of two numbers of 8 bytes.
constexpr std::complex<double> kNumber(1, 2);

void ask_scalars(Answers& is, const Library& library) {
  GRADPROOF_FIND(create, aclCreateScalar);
  GRADPROOF_FIND(destroy, aclDestroyScalar);
  auto* const value_of = GRADPROOF_OPTIONAL(gradproof_scalar_value);
  std::complex<double> value = kNumber, got;
  is.that("a scalar of null is null", create(nullptr, ACL_FLOAT) == nullptr);
  is.that("a scalar of half a byte is null", create(&value, ACL_INT4) == nullptr);
  aclScalar* const scalar = create(&value, ACL_COMPLEX128);
  is.that("aclCreateScalar makes a scalar", scalar != nullptr);
  if (value_of != nullptr) {
    aclDataType dtype = ACL_FLOAT;
    is.status("gradproof_scalar_value", value_of(scalar, &dtype, &got), ACLNN_SUCCESS);
    is.that("a scalar keeps its number and type", dtype == ACL_COMPLEX128 && got == kNumber);
    is.status("gradproof_scalar_value without a type", value_of(scalar, nullptr, &got), kNull);
    is.status("gradproof_scalar_value without room", value_of(scalar, &dtype, nullptr), kNull);
    is.status("gradproof_scalar_value of null", value_of(nullptr, &dtype, &got), kNull);
  }
  is.status("aclDestroyScalar of null", destroy(nullptr), kNull);
  is.status("aclDestroyScalar", destroy(scalar), ACLNN_SUCCESS);
  is.status("aclDestroyScalar twice", destroy(scalar), kInvalid);
}

/// The functions of one kind of list, and of its elements.
template <class List, class Element>
struct ListFunctions {
  std::string kind;  ///< as in aclCreateTensorList
  List* (*create)(const Element* const*, std::uint64_t);
  aclnnStatus (*destroy)(const List*);
  aclnnStatus (*size)(const List*, std::uint64_t*);
  aclnnStatus (*destroy_element)(const Element*);
  aclnnStatus (*element)(const List*, std::uint64_t, const Element**);
};

/// `one` and `other` are alive, and gone afterwards.
template <class List, class Element>
void ask_lists(Answers& is, const ListFunctions<List, Element>& of, const Element* one,
               const Element* other) {
  const std::string create = "aclCreate" + of.kind + "List", destroy = "aclDestroy" + of.kind,
                    get = "aclGet" + of.kind + "ListSize";
  const Element *const elements[] = {one, nullptr, other}, *got = nullptr;
  is.that(create + " of null is null", of.create(nullptr, 1) == nullptr);
  const List* const list = of.create(elements, 3);
  is.that(create + " makes a list", list != nullptr);
  std::uint64_t size = 7;
  is.status(get, of.size(list, &size), ACLNN_SUCCESS);
  is.that(get + " gives the size", size == 3);
  is.status(get + " without a size", of.size(list, nullptr), kNull);
  is.status(get + " of null", of.size(nullptr, &size), kNull);
  const bool tells = of.element != nullptr;
  for (std::uint64_t i = 0; tells && i < 3; ++i) {
    is.status("an element of a list", of.element(list, i, &got), ACLNN_SUCCESS);
    is.that("a list keeps its elements in order", got == elements[i]);
  }
  if (tells) {
    is.status("an element behind a list's last", of.element(list, 3, &got), kInvalid);
    is.status("an element without an output", of.element(list, 0, nullptr), kNull);
    is.status("an element of no list", of.element(nullptr, 0, &got), kNull);
  }
  is.status(destroy + "List", of.destroy(list), ACLNN_SUCCESS);
  is.status(destroy + "List twice", of.destroy(list), kInvalid);
  is.status(destroy + "List of null", of.destroy(nullptr), kNull);
  is.status(get + " of a dead list", of.size(list, &size), kInvalid);
  is.status(destroy + " of an element whose list was destroyed", of.destroy_element(one), kInvalid);
  is.that(create + " of a dead element is null", of.create(elements, 3) == nullptr);
  const List* const empty = of.create(nullptr, 0);
  is.that(create + " makes an empty list", empty != nullptr);
  is.status(destroy + "List of an empty list", of.destroy(empty), ACLNN_SUCCESS);
}

void ask_ints(Answers& is, const Library& library) {
  GRADPROOF_FIND(create, aclCreateIntArray);
  GRADPROOF_FIND(destroy, aclDestroyIntArray);
  GRADPROOF_FIND(size, aclGetIntArraySize);
  constexpr std::int64_t kInts[] = {3, -1, std::int64_t{1} << 40};
  ask_arrays<aclIntArray, std::int64_t>(
      is, {"Int", create, destroy, size, GRADPROOF_OPTIONAL(gradproof_int_array_values)}, kInts);
}

void ask_float_and_bool(Answers& is, const Library& library) {
  GRADPROOF_FIND(create_float, aclCreateFloatArray);
  GRADPROOF_FIND(destroy_float, aclDestroyFloatArray);
  GRADPROOF_FIND(float_size, aclGetFloatArraySize);
  GRADPROOF_FIND(create_bool, aclCreateBoolArray);
  GRADPROOF_FIND(destroy_bool, aclDestroyBoolArray);
  GRADPROOF_FIND(bool_size, aclGetBoolArraySize);
  constexpr float kFloats[] = {0.5f, -1e30f, 3};
  constexpr bool kBools[] = {true, false, true};
  ask_arrays<aclFloatArray, float>(is,
                                   {"Float", create_float, destroy_float, float_size,
                                    GRADPROOF_OPTIONAL(gradproof_float_array_values)},
                                   kFloats);
  ask_arrays<aclBoolArray, bool>(is,
                                 {"Bool", create_bool, destroy_bool, bool_size,
                                  GRADPROOF_OPTIONAL(gradproof_bool_array_values)},
                                 kBools);
}

void ask_lists_of_both(Answers& is, const Library& library) {
  GRADPROOF_FIND(create_tensor, aclCreateTensor);
  GRADPROOF_FIND(destroy_tensor, aclDestroyTensor);
  GRADPROOF_FIND(create_scalar, aclCreateScalar);
  GRADPROOF_FIND(destroy_scalar, aclDestroyScalar);
  GRADPROOF_FIND(create_tensors, aclCreateTensorList);
  GRADPROOF_FIND(destroy_tensors, aclDestroyTensorList);
  GRADPROOF_FIND(tensors_size, aclGetTensorListSize);
  GRADPROOF_FIND(create_scalars, aclCreateScalarList);
  GRADPROOF_FIND(destroy_scalars, aclDestroyScalarList);
  GRADPROOF_FIND(scalars_size, aclGetScalarListSize);
  constexpr std::int64_t kShape[] = {2};
  float data[2] = {};
  const auto tensor = [&] {
    return create_tensor(kShape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kShape, 1, data);
  };
  const auto scalar = [&] { return create_scalar(data, ACL_FLOAT); };
  ask_lists<aclTensorList, aclTensor>(
      is,
      {"Tensor", create_tensors, destroy_tensors, tensors_size, destroy_tensor,
       GRADPROOF_OPTIONAL(gradproof_tensor_list_element)},
      tensor(), tensor());
  ask_lists<aclScalarList, aclScalar>(
      is,
      {"Scalar", create_scalars, destroy_scalars, scalars_size, destroy_scalar,
       GRADPROOF_OPTIONAL(gradproof_scalar_list_element)},
      scalar(), scalar());
}

}  // namespace

std::string ask_lists(const Library& library) {
  Answers is;
  for (const auto ask : {ask_ints, ask_float_and_bool, ask_scalars, ask_lists_of_both}) {
    try {
      ask(is, library);
    } catch (const Missing&) {  // not asked about these
    }
  }
  return is.first();
}

}  // namespace gradproof::props
