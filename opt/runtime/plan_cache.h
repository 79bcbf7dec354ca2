// The plans of the latest small calls, by everything that they depend on.
//
// Bounded: a plan replaces the one in its entry. No thread waits for another: an entry that another
// thread holds counts as empty.
#pragma once

#include <memory>

#include "opt/runtime/executor.h"
#include "opt/runtime/plan_key.h"

namespace gradproof {

/// The plan that was kept for an equal key, or null.
std::shared_ptr<const PlannedCall> kept_plan(const PlanKey& key) noexcept;
/// Keeps a plan, unless running it takes much longer than making it.
void keep_plan(const PlanKey& key, std::shared_ptr<const PlannedCall> plan) noexcept;
/// Gives the memory of all plans back.
void forget_plans() noexcept;

}  // namespace gradproof
