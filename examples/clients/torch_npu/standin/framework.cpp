// Launches of calls, types, outputs and workspaces, and operators outside aclnn, which end the
// program.
#include <mutex>

#include "op_plugin/AclOpsInterface.h"
#include "standin.h"

namespace at_npu::native {

void OpCommand::RunOpApiV2(const std::string& name, const PROC_FUNC& call, bool sync) {
  const auto checked = [name, call] {
    const int status = call();
    TORCH_CHECK(status == 0, "call ", name, " failed, error code is ", status, "\n",
                c10_npu::c10_npu_get_error_message());
  };
  if (c10_npu::option::OptionsManager::GetTaskQueueEnable() != 0)
    c10_npu::push(checked);
  else
    checked();
  if (sync) c10_npu::getCurrentNPUStream().synchronize();
}

aclDataType OpPreparation::convert_to_acl_data_type(const at::ScalarType& type) {
  switch (type) {
    case at::kByte: return ACL_UINT8;
    case at::kChar: return ACL_INT8;
    case at::kShort: return ACL_INT16;
    case at::kInt: return ACL_INT32;
    case at::kLong: return ACL_INT64;
    case at::kHalf: return ACL_FLOAT16;
    case at::kFloat: return ACL_FLOAT;
    case at::kDouble: return ACL_DOUBLE;
    case at::kComplexHalf: return ACL_COMPLEX32;
    case at::kComplexFloat: return ACL_COMPLEX64;
    case at::kComplexDouble: return ACL_COMPLEX128;
    case at::kBool: return ACL_BOOL;
    case at::kBFloat16: return ACL_BF16;
    default: TORCH_CHECK(false, type, " has not been supported");
  }
}

void OpPreparation::check_tensor(const std::initializer_list<at::Tensor>& inputs,
                                 at::Tensor& output, at::ScalarType type, c10::IntArrayRef size) {
  at::assert_no_internal_overlap(output);
  bool in_place = false;
  for (const at::Tensor& input : inputs) {
    at::assert_no_partial_overlap(output, input);
    in_place = in_place || output.is_same(input);
  }
  TORCH_CHECK(output.scalar_type() == type, "expected dtype ", type, " but got dtype ",
              output.scalar_type());
  if (output.sizes().equals(size)) return;
  TORCH_CHECK(!in_place, "output with shape ", output.sizes(),
              " doesn't match the broadcast shape ", size);
  if (at::native::resize_output_check(output, size)) output.resize_(size);
}

at::Tensor OpPreparation::apply_tensor_without_format(c10::IntArrayRef size,
                                                      const c10::TensorOptions& options) {
  at::Tensor tensor = at::empty(size, options.memory_format(at::MemoryFormat::Contiguous));
  if (tensor.nbytes() != 0) std::memset(tensor.data_ptr(), 0x7b, tensor.nbytes());
  return tensor;
}

// As in torch_npu, workspaces come from a caching allocator with one block for each stream, whose
// work runs in order. Blocks that became too small are kept.
at::Tensor OpPreparation::unsafe_empty_workspace(uint64_t size, aclrtStream stream) {
  static std::mutex mutex;
  static std::unordered_map<aclrtStream, std::vector<at::Tensor>> blocks;
  const std::lock_guard lock(mutex);
  std::vector<at::Tensor>& own = blocks[stream];
  if (own.empty() || static_cast<uint64_t>(own.back().numel()) < size)
    own.push_back(at::empty({static_cast<int64_t>(size)}, at::kByte));
  return own.back();
}

at::Tensor OpPreparation::unsafe_empty_workspace(uint64_t size) {
  return unsafe_empty_workspace(size, c10_npu::getCurrentNPUStream().handle);
}

}  // namespace at_npu::native

namespace acl_op {
#define FALLBACK(result, name, parameters) \
  result name parameters { TORCH_CHECK(false, "another path: acl_op::" #name); }
STANDIN_OPERATORS(FALLBACK)
#undef FALLBACK
}  // namespace acl_op
