// Calls the C functions of the operators as the public headers declare them.
#include "props/subject/invoke.h"

#include <tuple>
#include <type_traits>

#include "aclnnop/aclnn_adaptive_max_pool3d.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "props/subject/memory.h"
#include "props/subject/step.h"

namespace gradproof::props {
namespace {

/// What phase 1 is called with; each argument is the next one of its type.
struct Arguments {
  std::span<aclTensor* const> tensors;
  std::span<aclIntArray* const> arrays;
  std::span<const std::uint8_t> flags;
  std::span<const double> reals;
  std::uint64_t* workspace_size;
  aclOpExecutor** executor;

  template <class T>
  T next() {
    const auto take = [](auto& of) {
      const auto first = of.front();
      of = of.subspan(1);
      return first;
    };
    // A pointer converts to bool, so flags come first.
    if constexpr (std::is_same_v<T, bool>) {
      return take(flags) != 0;
    } else if constexpr (std::is_convertible_v<aclTensor*, T>) {
      return take(tensors);
    } else if constexpr (std::is_convertible_v<aclIntArray*, T>) {
      return take(arrays);
    } else if constexpr (std::is_same_v<T, double>) {
      return take(reals);
    } else if constexpr (std::is_same_v<T, std::uint64_t*>) {
      return workspace_size;
    } else {
      static_assert(std::is_same_v<T, aclOpExecutor**>);
      return executor;
    }
  }
};

template <class Function>
struct Phase1;
template <class... P>
struct Phase1<aclnnStatus (*)(P...)> {
  static aclnnStatus call(void* function, Arguments arguments) {
    const std::tuple<P...> in_order{arguments.next<P>()...};
    return std::apply(reinterpret_cast<aclnnStatus (*)(P...)>(function), in_order);
  }
};

// The public headers say what each operator's function takes. A row stands at its number.
constexpr aclnnStatus (*kPhase1[])(void* function, Arguments arguments) = {
#define GRADPROOF_CALL(stem, api) Phase1<decltype(&aclnn##api##GetWorkspaceSize)>::call,
    GRADPROOF_OPERATORS(GRADPROOF_CALL)
#undef GRADPROOF_CALL
};

}  // namespace

Descriptors::Descriptors(const Api& api, const ref::Call& call, std::span<void* const> data)
    : api_(api) {
  tensors_.reserve(call.tensors.size());
  arrays_.reserve(call.arrays.size());
  const Within step(Step::descriptors);
  bool made = true;
  for (std::size_t slot = 0; slot < call.tensors.size(); ++slot) {
    const ref::Tensor& t = call.tensors[slot];
    tensors_.push_back(t.null ? nullptr : create_tensor(api_, t, data[slot]));
    made = made && (t.null || tensors_.back() != nullptr);
  }
  for (const ref::IntArray& a : call.arrays) {
    arrays_.push_back(a.null ? nullptr : api_.create_int_array(a.values.data(), a.values.size()));
    made = made && (a.null || arrays_.back() != nullptr);
  }
  if (!made) {
    destroy();
    throw SubjectFailure(
        "aclCreateTensor or aclCreateIntArray returned a null pointer for a valid descriptor");
  }
}

Descriptors::~Descriptors() { destroy(); }

void Descriptors::destroy() {
  const Within step(Step::descriptors);
  for (aclTensor* t : tensors_) {
    if (t != nullptr) api_.destroy_tensor(t);
  }
  for (aclIntArray* a : arrays_) {
    if (a != nullptr) api_.destroy_int_array(a);
  }
}

aclTensor* create_tensor(const Api& api, const ref::Tensor& t, void* data) {
  return api.create_tensor(t.shape.data(), t.shape.size(), static_cast<aclDataType>(t.dtype),
                           t.null_strides ? nullptr : t.strides.data(), t.offset,
                           static_cast<aclFormat>(t.format), t.storage.data(), t.storage.size(),
                           data);
}

aclnnStatus invoke_phase1(void* function, const ref::Call& call, std::span<aclTensor* const> t,
                          std::span<aclIntArray* const> a, std::uint64_t* workspace_size,
                          aclOpExecutor** executor) {
  return kPhase1[static_cast<std::size_t>(call.op)](
      function, {t, a, call.flags, call.reals, call.null_workspace_size ? nullptr : workspace_size,
                 call.null_executor ? nullptr : executor});
}

aclnnStatus invoke_phase2(void* function, void* workspace, std::uint64_t workspace_size,
                          aclOpExecutor* executor, aclrtStream stream) {
  using Run = decltype(&aclnnMaxPool3dWithArgmaxBackward);  // all are alike
  return reinterpret_cast<Run>(function)(workspace, workspace_size, executor, stream);
}

}  // namespace gradproof::props
