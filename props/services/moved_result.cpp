// Tensors that are moved after phase 1, which could not see it: phase 2 refuses a result in an
// input, but an empty input overlaps nothing, wherever it is.
#include <algorithm>
#include <functional>
#include <numeric>

#include "props/services/answers.h"
#include "props/services/fitting_case.h"
#include "props/services/made_call.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

int first_slot(ref::Operator op, ref::Access access) {
  int slot = 0;
  while (access_of(op, slot) != access) ++slot;
  return slot;
}

/// An adaptive pool's gradient whose gradOutput is empty, and is moved into the result.
std::string ask_moved_nothing(const Library& library, ref::Product product) {
  Case c = parse_case(
      "adaptive_max_pool3d_backward gradOutput=FLOAT[1,1,0,1,1]:NCDHW self=FLOAT[1,1,1,1,2]:NCDHW "
      "indices=INT32[1,1,0,1,1]:NCDHW gradInput=FLOAT[1,1,1,1,2]:NCDHW");
  if (std::ranges::count(library.operators(), c.call.op) == 0) return "";
  c.call.product = product;
  GRADPROOF_FIND(set_address, aclSetTensorAddr);
  Answers is;
  MadeCall call(c, library);
  const int read = first_slot(c.call.op, ref::Access::read);
  if (call.plan() != ACLNN_SUCCESS) return "";  // the product may lack the operator
  is.status("aclSetTensorAddr",
            set_address(call.executor(), static_cast<std::size_t>(read), call.descriptor(read),
                        call.address(first_slot(c.call.op, ref::Access::written))),
            ACLNN_SUCCESS);
  is.status("phase 2 with an empty input that was moved into the result", call.run(nullptr),
            ACLNN_SUCCESS);
  is.status("aclrtSynchronizeStream", library.api().synchronize_stream(nullptr), ACL_SUCCESS);
  return is.first();
}

}  // namespace

std::string ask_moved_result(const Library& library, const Case& drawn) {
  const Case c = fitting_case(library, drawn);
  if (!MadeCall::possible(c)) return "";
  GRADPROOF_FIND(set_repeatable, aclSetAclOpExecutorRepeatable);
  GRADPROOF_FIND(destroy_executor, aclDestroyAclOpExecutor);
  GRADPROOF_FIND(set_address, aclSetTensorAddr);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  Answers is;
  MadeCall call(c, library);
  const int read = first_slot(c.call.op, ref::Access::read),
            written = first_slot(c.call.op, ref::Access::written);
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
  const std::string first = is.first();
  return first.empty() ? ask_moved_nothing(library, c.call.product) : first;
}

}  // namespace gradproof::props
