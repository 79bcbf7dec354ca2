// Replaces the code that torch_npu's generator generates for replication_pad2d and
// replication_pad2d_backward from op-plugin's op_plugin/config/op_plugin_functions.yaml: outputs by
// its rules, and a call by EXEC_NPU_CMD. The functions in namespace standin call by
// EXEC_NPU_CMD_EXT, as other operators of the plugin do: it looks up every function each time, and
// runs phase 2 whatever phase 1 returned.
#include "op_plugin/AclOpsInterface.h"
#include "op_plugin/OpApiInterface.h"
#include "op_plugin/utils/op_api_common.h"

namespace op_api {
using at_npu::native::OpPreparation;

at::Tensor& replication_pad2d_out(const at::Tensor& self, at::IntArrayRef padding,
                                  at::Tensor& out) {
  DO_COMPATIBILITY(aclnnReplicationPad2d, acl_op::replication_pad2d_out(self, padding, out));
  OpPreparation::check_tensor({self}, out, self.scalar_type(),
                              op_infer::replication_pad2d_npu_out_size(self, padding));
  EXEC_NPU_CMD(aclnnReplicationPad2d, self, padding, out);
  return out;
}

at::Tensor replication_pad2d(const at::Tensor& self, at::IntArrayRef padding) {
  DO_COMPATIBILITY(aclnnReplicationPad2d, acl_op::replication_pad2d(self, padding));
  at::Tensor out = OpPreparation::apply_tensor_without_format(
      self, op_infer::replication_pad2d_npu_out_size(self, padding));
  EXEC_NPU_CMD(aclnnReplicationPad2d, self, padding, out);
  return out;
}

at::Tensor& replication_pad2d_backward_out(const at::Tensor& grad_output, const at::Tensor& self,
                                           at::IntArrayRef padding, at::Tensor& grad_input) {
  DO_COMPATIBILITY(aclnnReplicationPad2dBackward,
                   acl_op::replication_pad2d_backward_out(grad_output, self, padding, grad_input));
  OpPreparation::check_tensor({grad_output, self}, grad_input, self.scalar_type(), self.sizes());
  EXEC_NPU_CMD(aclnnReplicationPad2dBackward, grad_output, self, padding, grad_input);
  return grad_input;
}

at::Tensor replication_pad2d_backward(const at::Tensor& grad_output, const at::Tensor& self,
                                      at::IntArrayRef padding) {
  DO_COMPATIBILITY(aclnnReplicationPad2dBackward,
                   acl_op::replication_pad2d_backward(grad_output, self, padding));
  at::Tensor grad_input = OpPreparation::apply_tensor_without_format(self);
  EXEC_NPU_CMD(aclnnReplicationPad2dBackward, grad_output, self, padding, grad_input);
  return grad_input;
}
}  // namespace op_api

namespace standin {
at::Tensor replication_pad2d_backward_ext(const at::Tensor& grad_output, const at::Tensor& self,
                                          at::IntArrayRef padding) {
  at::Tensor grad_input = at_npu::native::OpPreparation::apply_tensor_without_format(self);
  EXEC_NPU_CMD_EXT(aclnnReplicationPad2dBackward, grad_output, self, padding, grad_input);
  return grad_input;
}
}  // namespace standin
