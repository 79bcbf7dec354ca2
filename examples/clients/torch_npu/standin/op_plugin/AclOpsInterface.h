// Graph operators, to which op-plugin falls back where an aclnn function is missing or the chip is
// of another kind. Here each is an error.
#pragma once
#include "op_plugin/OpApiInterface.h"
namespace acl_op {
STANDIN_OPERATORS(STANDIN_DECLARE)
}  // namespace acl_op
