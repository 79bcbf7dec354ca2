// A call equal to an earlier one uses that call's plan: no validation, no planning.
//
// The result of phase 1 depends on the descriptors, the other arguments, the configuration and the
// tensors' addresses. The first three are the plan's key (opt/runtime/plan_cache.h); a descriptor
// never changes. Only one rule reads addresses, **alias**, and it is checked for every call. A plan
// is kept only if the call broke no rule and its tensors fill their storage in row-major order.
#pragma once

#include <memory>

#include "opt/ops/call.h"

namespace gradproof::ops {

/// Returns an executor with the kept plan of an equal call. False if there is none: the call has to
/// be validated. Pins no descriptor.
bool hand_out_again(const Call& call, aclnnStatus& status);

/// Keeps the plan of a valid call for equal calls, if it can be shared.
void remember(const Call& call, const std::shared_ptr<const PlannedCall>& plan) noexcept;

}  // namespace gradproof::ops
