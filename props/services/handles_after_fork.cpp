// A program that forks while other threads make and destroy arrays, scalars and lists: the
// child, where those threads are not, can make them, too.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gradproof/descriptors.h"
#include "props/services/beside_fork.h"
#include "props/services/questions.h"

namespace gradproof::props {
namespace {

constexpr int kChildren = 24;

template <class Object>
std::function<bool(const void*)> by(aclnnStatus (*destroy)(const Object*)) {
  return
      [=](const void* made) { return destroy(static_cast<const Object*>(made)) == ACLNN_SUCCESS; };
}

std::vector<DoneBesideFork> objects(const Library& library) {
  GRADPROOF_FIND(create_ints, aclCreateIntArray);
  GRADPROOF_FIND(destroy_ints, aclDestroyIntArray);
  GRADPROOF_FIND(create_floats, aclCreateFloatArray);
  GRADPROOF_FIND(destroy_floats, aclDestroyFloatArray);
  GRADPROOF_FIND(create_bools, aclCreateBoolArray);
  GRADPROOF_FIND(destroy_bools, aclDestroyBoolArray);
  GRADPROOF_FIND(create_tensor, aclCreateTensor);
  GRADPROOF_FIND(create_tensors, aclCreateTensorList);
  GRADPROOF_FIND(destroy_tensors, aclDestroyTensorList);
  GRADPROOF_FIND(create_scalar, aclCreateScalar);
  GRADPROOF_FIND(destroy_scalar, aclDestroyScalar);
  GRADPROOF_FIND(create_scalars, aclCreateScalarList);
  GRADPROOF_FIND(destroy_scalars, aclDestroyScalarList);
  const auto scalar = [=] {
    float one = 1;
    return create_scalar(&one, ACL_FLOAT);
  };
  const auto scalars = [=] {  // destroyed with what is in it
    const aclScalar* const made = scalar();
    return create_scalars(&made, 1);
  };
  const auto tensors = [=] {
    const std::int64_t extent = 1, stride = 1;
    float data = 0;
    const aclTensor* const made =
        create_tensor(&extent, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &extent, 1, &data);
    return create_tensors(&made, 1);
  };
  static constexpr std::int64_t kInt = 1;
  static constexpr float kFloat = 1;
  static constexpr bool kBool = true;
  return {makes_and_destroys(
              "aclIntArray", [=] { return create_ints(&kInt, 1); }, by(destroy_ints)),
          makes_and_destroys(
              "aclFloatArray", [=] { return create_floats(&kFloat, 1); }, by(destroy_floats)),
          makes_and_destroys(
              "aclBoolArray", [=] { return create_bools(&kBool, 1); }, by(destroy_bools)),
          makes_and_destroys("aclScalar", scalar, by(destroy_scalar)),
          makes_and_destroys("aclScalarList", scalars, by(destroy_scalars)),
          makes_and_destroys("aclTensorList", tensors, by(destroy_tensors))};
}

}  // namespace

void probe_handles_after_fork(Answers& is, const Library& library) {
  BesideFork(is, kChildren).ask(objects(library));
}

}  // namespace gradproof::props
