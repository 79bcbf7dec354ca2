// gradproof/kernels.h: the operators' tables of kernels, by the operator's name.
#include "gradproof/kernels.h"

#include <cstddef>
#include <string_view>

#include "opt/kernels/forward/forward.h"
#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/machine.h"
#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"
#include "opt/runtime/message.h"

namespace gradproof::ops {
namespace {

template <auto kTable>
const char* name(std::size_t index) {
  const auto table = kTable();
  return index < table.size() ? table[index].name : nullptr;
}

struct Row {
  std::string_view api;
  const char* (*name)(std::size_t index);
};

constexpr Row kRows[] = {
    {"aclnnAdaptiveMaxPool3d", name<kernels::adaptive_max_pool3d>},
    {"aclnnAdaptiveMaxPool3dBackward", name<kernels::adaptive_max_pool3d_backward>},
    {"aclnnMaxPool2dWithMask", name<kernels::max_pool2d_with_mask>},
    {"aclnnMaxPool2dWithMaskBackward", name<kernels::max_pool2d_with_mask_backward>},
    {"aclnnMaxPool3dWithArgmax", name<kernels::max_pool3d_with_argmax>},
    {"aclnnMaxPool3dWithArgmaxBackward", name<kernels::max_pool3d_with_argmax_backward>},
    {"aclnnReplicationPad2d", name<kernels::replication_pad2d>},
    {"aclnnReplicationPad2dBackward", name<kernels::replication_pad2d_backward>},
    {"aclnnUpsampleBilinear2d", name<kernels::upsample_bilinear2d>},
    {"aclnnUpsampleBilinear2dBackward", name<kernels::upsample_bilinear2d_backward>},
    {"aclnnUpsampleBilinear2dBackwardV2", name<kernels::upsample_bilinear2d_backward>},
};

/// The name as a table has it, which lives for ever; null if none does.
const char* in_a_table(std::string_view wanted) {
  for (const Row& row : kRows) {
    for (std::size_t i = 0; const char* name = row.name(i); ++i) {
      if (wanted == name) return name;
    }
  }
  return nullptr;
}

/// Calls `apply` with the kernel's name; null is no kernel.
aclError choose(const char* function, const char* name, void (*apply)(const char* kernel)) {
  const char* const kernel = name != nullptr ? in_a_table(name) : nullptr;
  if (name != nullptr && kernel == nullptr) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: unknown kernel '%s'", function, name);
  }
  apply(kernel);
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace gradproof::ops

const char* gradproof_kernel(const char* api, size_t index) {
  if (api == nullptr) return nullptr;
  for (const gradproof::ops::Row& row : gradproof::ops::kRows) {
    if (row.api == api) return row.name(index);
  }
  return nullptr;
}

aclError gradproof_leave_out_kernel(const char* name) {
  return gradproof::ops::choose(__func__, name, gradproof::kernels::leave_out);
}

aclError gradproof_use_kernel(const char* name) {
  return gradproof::ops::choose(__func__, name, gradproof::kernels::want);
}

void gradproof_plan_as_large(int how) { gradproof::kernels::plan_as_large(how != 0, how >= 2); }
