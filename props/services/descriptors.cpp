// Tensors, and what phase 1 does with descriptors.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "props/services/answers.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

using Getter = aclnnStatus(const aclTensor*, std::int64_t**, std::uint64_t*);

/// One getter of a list: right, and with each pointer null.
void ask_list(Answers& is, const std::string& name, Getter* get, const aclTensor* tensor,
              std::span<const std::int64_t> wanted) {
  std::int64_t* got = nullptr;
  std::uint64_t count = 0;
  is.status(name + " without a list", get(tensor, nullptr, &count), ACLNN_ERR_PARAM_NULLPTR);
  is.status(name + " without a count", get(tensor, &got, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  is.status(name + " of null", get(nullptr, &got, &count), ACLNN_ERR_PARAM_NULLPTR);
  is.status(name, get(tensor, &got, &count), ACLNN_SUCCESS);
  const std::unique_ptr<std::int64_t[]> owner(got);
  is.that(name + " gives what the tensor was made with",
          got != nullptr && std::equal(wanted.begin(), wanted.end(), got, got + count));
}

/// One getter of a value.
template <class T>
void ask_value(Answers& is, const std::string& name, aclnnStatus (*get)(const aclTensor*, T*),
               const aclTensor* tensor, T wanted) {
  T got{};
  is.status(name + " without an output", get(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  is.status(name + " of null", get(nullptr, &got), ACLNN_ERR_PARAM_NULLPTR);
  is.status(name, get(tensor, &got), ACLNN_SUCCESS);
  is.that(name + " gives what the tensor was made with", got == wanted);
}

/// Phase 1 looks its arguments up, and follows none that is dead.
void ask_phase1(Answers& is, const Library& library) {
  GRADPROOF_FIND(phase1, aclnnReplicationPad2dBackwardGetWorkspaceSize);
  GRADPROOF_FIND(make_tensor, aclCreateTensor);
  GRADPROOF_FIND(destroy_tensor, aclDestroyTensor);
  GRADPROOF_FIND(make_array, aclCreateIntArray);
  GRADPROOF_FIND(destroy_array, aclDestroyIntArray);
  const std::int64_t shape[] = {1, 2, 3}, zeros[4] = {};
  float data[6] = {};
  aclTensor* const tensor =
      make_tensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 3, data);
  aclIntArray* const padding = make_array(zeros, 4);
  is.status("aclDestroyIntArray", destroy_array(padding), ACLNN_SUCCESS);
  std::uint64_t size = 7;
  aclOpExecutor* executor = nullptr;
  is.status("phase 1 with a dead int array",
            phase1(tensor, tensor, padding, tensor, &size, &executor), ACLNN_ERR_PARAM_INVALID);
  is.status("aclDestroyTensor", destroy_tensor(tensor), ACLNN_SUCCESS);
  is.status("phase 1 with a dead tensor", phase1(tensor, tensor, padding, tensor, &size, &executor),
            ACLNN_ERR_PARAM_INVALID);
  is.that("phase 1 leaves its outputs alone when it refuses", size == 7 && executor == nullptr);
}

/// A call may be right and yet too large for any machine: of a row with 2^60 columns, all of which
/// are one element, the weights alone need more than 2^64 bytes.
void ask_immense(Answers& is, const Library& library) {
  GRADPROOF_FIND(phase1, aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize);
  GRADPROOF_FIND(make_tensor, aclCreateTensor);
  GRADPROOF_FIND(destroy_tensor, aclDestroyTensor);
  GRADPROOF_FIND(make_array, aclCreateIntArray);
  GRADPROOF_FIND(destroy_array, aclDestroyIntArray);
  GRADPROOF_FIND(destroy_executor, aclDestroyAclOpExecutor);
  const std::int64_t image[] = {1, 1, 1, 1}, row[] = {1, 1, 1, std::int64_t{1} << 60},
                     same[] = {0, 0, 0, 0};
  float data[2] = {};
  aclTensor* const from =
      make_tensor(row, 4, ACL_FLOAT16, same, 0, ACL_FORMAT_NCHW, image, 4, data);
  aclTensor* const to =
      make_tensor(image, 4, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_NCHW, image, 4, data + 1);
  aclIntArray *const out = make_array(row + 2, 2), *const in = make_array(image, 4);
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  is.status("phase 1 of an immense call", phase1(from, out, in, false, 0, 0, to, &size, &executor),
            ACLNN_SUCCESS);
  is.that("an immense call needs all bytes that there are", size == ~std::uint64_t{0});
  is.status("aclDestroyAclOpExecutor", destroy_executor(executor), ACLNN_SUCCESS);
  for (aclTensor* t : {from, to}) is.status("aclDestroyTensor", destroy_tensor(t), ACLNN_SUCCESS);
  for (aclIntArray* a : {out, in}) is.status("aclDestroyIntArray", destroy_array(a), ACLNN_SUCCESS);
}

}  // namespace

std::string ask_descriptors(const Library& library) {
  GRADPROOF_FIND(create, aclCreateTensor);
  GRADPROOF_FIND(destroy, aclDestroyTensor);
  GRADPROOF_FIND(shape_of, aclGetViewShape);
  GRADPROOF_FIND(storage_of, aclGetStorageShape);
  GRADPROOF_FIND(strides_of, aclGetViewStrides);
  GRADPROOF_FIND(offset_of, aclGetViewOffset);
  GRADPROOF_FIND(format_of, aclGetFormat);
  GRADPROOF_FIND(dtype_of, aclGetDataType);
  GRADPROOF_FIND(address_of, aclGetRawTensorAddr);
  GRADPROOF_FIND(set_address, aclSetRawTensorAddr);
  Answers is;
  std::array<std::int64_t, 65> many;
  many.fill(1);
  const std::int64_t shape[] = {2, 3, 5}, strides[] = {50, 10, 2}, packed[] = {15, 5, 1};
  const std::int64_t storage[] = {120};
  float data[2] = {};
  const auto make = [&](const std::int64_t* dims, std::uint64_t rank, const std::int64_t* steps,
                        const std::int64_t* held, std::uint64_t held_rank) {
    return create(dims, rank, ACL_FLOAT16, steps, 4, ACL_FORMAT_NCL, held, held_rank, data);
  };
  is.that("65 dimensions are too many", make(many.data(), 65, many.data(), storage, 1) == nullptr &&
                                            make(shape, 3, strides, many.data(), 65) == nullptr);
  aclTensor* const most = make(many.data(), 64, many.data(), many.data(), 64);
  is.that("64 dimensions are not too many", most != nullptr);
  is.status("aclDestroyTensor", destroy(most), ACLNN_SUCCESS);
  is.that("null is no list of dimensions", make(nullptr, 3, strides, storage, 1) == nullptr &&
                                               make(shape, 3, strides, nullptr, 1) == nullptr);
  for (const bool contiguous : {false, true}) {
    aclTensor* const tensor = make(shape, 3, contiguous ? nullptr : strides, storage, 1);
    is.that("aclCreateTensor makes a tensor", tensor != nullptr);
    ask_list(is, "aclGetViewShape", shape_of, tensor, shape);
    ask_list(is, "aclGetStorageShape", storage_of, tensor, storage);
    ask_list(is, "aclGetViewStrides", strides_of, tensor, contiguous ? packed : strides);
    ask_value(is, "aclGetViewOffset", offset_of, tensor, std::int64_t{4});
    ask_value(is, "aclGetFormat", format_of, tensor, ACL_FORMAT_NCL);
    ask_value(is, "aclGetDataType", dtype_of, tensor, ACL_FLOAT16);
    ask_value<void*>(is, "aclGetRawTensorAddr", address_of, tensor, data);
    is.status("aclSetRawTensorAddr", set_address(tensor, data + 1), ACLNN_SUCCESS);
    ask_value<void*>(is, "aclGetRawTensorAddr", address_of, tensor, data + 1);
    is.status("aclSetRawTensorAddr of null", set_address(nullptr, data), ACLNN_ERR_PARAM_NULLPTR);
    is.status("aclDestroyTensor", destroy(tensor), ACLNN_SUCCESS);
    is.status("aclDestroyTensor twice", destroy(tensor), ACLNN_ERR_PARAM_INVALID);
    is.status("aclSetRawTensorAddr of a dead tensor", set_address(tensor, data),
              ACLNN_ERR_PARAM_INVALID);
  }
  // Other numbers are no handles, and are not followed: addresses, and numbers like a handle's.
  aclTensor* const alive = make(shape, 3, strides, storage, 1);
  const auto number = reinterpret_cast<std::uintptr_t>(alive);
  for (const std::uintptr_t none : {reinterpret_cast<std::uintptr_t>(data), ~std::uintptr_t{0},
                                    number | 0xFFFFFF, number ^ (std::uintptr_t{1} << 30)})
    is.status("aclDestroyTensor of no tensor", destroy(reinterpret_cast<aclTensor*>(none)),
              ACLNN_ERR_PARAM_INVALID);
  is.status("aclDestroyTensor", destroy(alive), ACLNN_SUCCESS);
  is.status("aclDestroyTensor of null", destroy(nullptr), ACLNN_ERR_PARAM_NULLPTR);
  ask_phase1(is, library);
  ask_immense(is, library);
  return is.first();
}

}  // namespace gradproof::props
