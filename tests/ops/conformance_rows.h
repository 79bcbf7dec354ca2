// Calls that the two conformances judge differently, or alike where a row of the table says so.
#pragma once

#include <functional>
#include <vector>

#include "tests/ops/operator_rules.h"

namespace gradproof::test {

constexpr aclnnStatus kOk = 0, kNull = 161001, kInvalid = 161002, kInner = 561103;
constexpr Op kArgmax = Op::max_pool3d_with_argmax_backward,
             kArgmaxForward = Op::max_pool3d_with_argmax, kMask = Op::max_pool2d_with_mask_backward,
             kUp = Op::upsample_bilinear2d_backward, kPad = Op::replication_pad2d_backward,
             kAdaptive = Op::adaptive_max_pool3d_backward;
constexpr char kA2[] = "Ascend910B", kA1[] = "Ascend910", kInference[] = "Ascend310P";

struct Judged {
  Op op;
  const char* product;
  const char* what;
  std::function<void(CallSpec&)> edit;
  aclnnStatus documented, cann;
  aclnnStatus later = kOk;  ///< CANN's answer in phase 2
  bool nothing = false;     ///< CANN leaves the output alone, which the documents have written
};
const std::vector<Judged>& rows();
/// The valid call with the row's edit.
CallSpec call_of(const Judged& row);

}  // namespace gradproof::test
