// A result that is moved into an input after phase 1, which could not see it: phase 2 refuses.
#include <functional>
#include <numeric>

#include "props/services/answers.h"
#include "props/services/fitting_case.h"
#include "props/services/made_call.h"
#include "props/services/services.h"

namespace gradproof::props {

std::string ask_moved_result(const Library& library, const Case& drawn) {
  const Case c = fitting_case(library, drawn);
  if (!MadeCall::possible(c)) return "";
  GRADPROOF_FIND(set_repeatable, aclSetAclOpExecutorRepeatable);
  GRADPROOF_FIND(destroy_executor, aclDestroyAclOpExecutor);
  GRADPROOF_FIND(set_address, aclSetTensorAddr);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  Answers is;
  MadeCall call(c, library);
  const auto slot_of = [&](ref::Access access) {
    int slot = 0;
    while (access_of(c.call.op, slot) != access) ++slot;
    return slot;
  };
  const int read = slot_of(ref::Access::read), written = slot_of(ref::Access::written);
  const ref::Tensor &from = c.call.tensors[read], &to = c.call.tensors[written];
  // Views that begin at their addresses meet; an address may be no multiple of what another type
  // needs; and a library that does not refuse writes no more than the input's memory.
  const auto room = [](const ref::Tensor& t) {
    return std::accumulate(t.storage.begin(), t.storage.end(), std::int64_t{1},
                           std::multiplies<>());
  };
  if (room(to) > room(from) || element_count(from) == 0 || element_count(to) == 0 ||
      from.offset != 0 || to.offset != 0 ||
      ref::dtype_size(from.dtype) != ref::dtype_size(to.dtype))
    return "";
  is.status("phase 1", call.plan(), ACLNN_SUCCESS);
  aclOpExecutor* const executor = call.executor();
  is.status("aclSetAclOpExecutorRepeatable", set_repeatable(executor), ACLNN_SUCCESS);
  const auto move_to = [&](int slot) {
    is.status("aclSetTensorAddr",
              set_address(executor, static_cast<std::size_t>(written), call.descriptor(written),
                          call.address(slot)),
              ACLNN_SUCCESS);
  };
  move_to(read);
  is.status("phase 2 with a result that was moved into an input", call.run(nullptr),
            ACLNN_ERR_PARAM_INVALID);
  move_to(written);
  is.status("phase 2 with the result in its place again", call.run(nullptr), ACLNN_SUCCESS);
  is.status("aclrtSynchronizeStream", synchronize(nullptr), ACL_SUCCESS);
  (void)destroy_executor(executor);
  return is.first();
}

}  // namespace gradproof::props
