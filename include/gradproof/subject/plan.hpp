/// From the C ABI to a kernel and back; for the kit's own use.
#ifndef GRADPROOF_SUBJECT_PLAN_HPP_
#define GRADPROOF_SUBJECT_PLAN_HPP_

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>

#include "gradproof/subject/describe.hpp"
#include "gradproof/subject/dispatch.hpp"
#include "gradproof/subject/staging.hpp"

namespace gradproof::subject::detail {

/// libgradproof's function of a name that the library of kernels defines too.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// One planned call: what phase 1 read, and the kernel.
template <template <class> class Op, class Kernel>
struct Plan {
  Kernel kernel;
  Op<void> call;

  Answer answer(void* const* data) const {
    Op<void> bound = call;
    std::size_t i = 0;
    const auto bind = [&](auto& view) {
      const int slot = Gradient<Op>::slots[i++];
      if (slot < 0 || data[slot] == nullptr) return;
      char* const start = static_cast<char*>(data[slot]);
      set_data(view, start + view.offset * element_size(view));
    };
    std::apply([&](auto&... view) { (bind(view), ...); }, bound.views());
    if (Answer wrong = check_indices(bound); wrong.status != ACL_SUCCESS) return wrong;
    Staging<Op> staging(bound);
    if (staging.declined()) return not_supported("positions cannot represent this mask");
    const Answer given = dispatch<Op>(kernel, bound);
    return given.status == ACL_SUCCESS ? staging.give_back() : given;
  }

  static aclError run(void* context, void* const* data, char* message, size_t room) {
    const Answer given = caught([&] { return static_cast<const Plan*>(context)->answer(data); });
    std::snprintf(message, room, "%s", given.message.c_str());
    return given.status;
  }
  static void release(void* context) { delete static_cast<Plan*>(context); }
};

/// Phase 1: libgradproof's own validates; the executor then runs the kernel.
template <template <class> class Op, class Kernel, class... Arguments>
aclnnStatus prepare(Kernel kernel, const char* name, uint64_t* workspace_size,
                    aclOpExecutor** executor, Arguments... arguments) {
  using Phase1 = aclnnStatus(Arguments..., uint64_t*, aclOpExecutor**);
  static Phase1* const next = real<Phase1>(name);
  if (next == nullptr) return ACLNN_ERR_INNER_FIND_KERNEL_ERROR;  // libgradproof was not linked
  uint64_t bytes = 0;
  aclOpExecutor* planned = nullptr;
  const aclnnStatus status = next(arguments..., workspace_size != nullptr ? &bytes : nullptr,
                                  executor != nullptr ? &planned : nullptr);
  if (status != ACLNN_SUCCESS) return status;
  using Planned = Plan<Op, Kernel>;
  try {
    auto plan = std::make_unique<Planned>(Planned{kernel, describe(Op<void>{}, arguments...)});
    const aclnnStatus set =
        gradproof_set_kernel(&planned, &Planned::run, &Planned::release, plan.get());
    if (set != ACLNN_SUCCESS) return set;
    plan.release();
  } catch (const std::exception&) {
    aclDestroyAclOpExecutor(planned);
    return ACLNN_ERR_INNER_CREATE_EXECUTOR;
  }
  *workspace_size = 0;
  *executor = planned;
  return ACLNN_SUCCESS;
}

/// Phase 2 is libgradproof's.
using Phase2 = aclnnStatus(void*, uint64_t, aclOpExecutor*, aclrtStream);
inline aclnnStatus launch(Phase2* next, void* workspace, uint64_t workspace_size,
                          aclOpExecutor* executor, aclrtStream stream) {
  if (next == nullptr) return ACLNN_ERR_INNER_FIND_KERNEL_ERROR;
  return next(workspace, workspace_size, executor, stream);
}

}  // namespace gradproof::subject::detail

#endif
