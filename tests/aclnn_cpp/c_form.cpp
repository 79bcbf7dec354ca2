// The call on the C API, with every status looked at.
#include "forms.h"

#include "acl/acl.h"
#include "aclnnop/aclnn_pad2d_backward.h"

namespace {
float gradient[4], image[2];
}

bool c_form() {
  const int64_t padded_shape[] = {1, 1, 4}, shape[] = {1, 1, 2}, pads[] = {1, 1, 0, 0};
  const int64_t padded_storage[] = {4}, storage[] = {2};
  bool good = false;
  aclTensor* grad_output = aclCreateTensor(padded_shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
                                           padded_storage, 1, gradient);
  aclTensor* self =
      aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 3, nullptr);
  aclTensor* grad_input =
      aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, storage, 1, image);
  aclIntArray* padding = aclCreateIntArray(pads, 4);
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  if (grad_output && self && grad_input && padding &&
      aclnnReplicationPad2dBackwardGetWorkspaceSize(grad_output, self, padding, grad_input,
                                                    &workspace_size, &executor) == ACLNN_SUCCESS) {
    if (aclnnReplicationPad2dBackward(nullptr, 0, executor, nullptr) == ACLNN_SUCCESS) {
      good = aclrtSynchronizeStream(nullptr) == ACL_SUCCESS;
    } else {
      aclDestroyAclOpExecutor(executor);
    }
  }
  if (padding) aclDestroyIntArray(padding);
  if (grad_input) aclDestroyTensor(grad_input);
  if (self) aclDestroyTensor(self);
  if (grad_output) aclDestroyTensor(grad_output);
  return good;
}
