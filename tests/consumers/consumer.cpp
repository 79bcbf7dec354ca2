// Uses the library through its CMake package: a good call is planned, a bad one explained.
#include <cstdio>
#include <cstring>

#include "acl/acl.h"
#include "aclnnop/aclnn_pad2d_backward.h"

int main() {
  float data[4] = {};
  const int64_t shape[] = {1, 2, 2}, strides[] = {4, 2, 1}, pads[] = {0, 0, 0, 0};
  auto tensor = [&](void* at) {
    return aclCreateTensor(shape, 3, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 3, at);
  };
  float gradient[4] = {1, 2, 3, 4};
  aclTensor* grad_output = tensor(gradient);
  aclTensor* grad_input = tensor(data);
  aclIntArray* padding = aclCreateIntArray(pads, 4);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;

  int status = aclnnReplicationPad2dBackwardGetWorkspaceSize(grad_output, grad_input, nullptr,
                                                             grad_input, &size, &executor);
  const char* message = aclGetRecentErrMsg();
  if (status != 161001 || !message || !std::strstr(message, "padding")) {
    std::printf("null padding: %d, %s\n", status, message ? message : "no message");
    return 1;
  }
  status = aclnnReplicationPad2dBackwardGetWorkspaceSize(grad_output, grad_input, padding,
                                                         grad_input, &size, &executor);
  if (status != 0 || !executor) {
    std::printf("valid call: %d\n", status);
    return 1;
  }
  aclDestroyAclOpExecutor(executor);
  aclDestroyIntArray(padding);
  aclDestroyTensor(grad_output);
  aclDestroyTensor(grad_input);
}
