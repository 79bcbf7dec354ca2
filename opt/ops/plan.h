// From geometry to an executor: the plan of the kernels, and its hand-over to the runtime.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "opt/kernels/kernel.h"
#include "opt/ops/call.h"
#include "opt/ops/element.h"
#include "opt/ops/repeat.h"
#include "opt/ops/staging.h"
#include "opt/runtime/config.h"
#include "opt/runtime/executor.h"
#include "opt/runtime/message.h"

namespace gradproof::ops {

/// How far each view begins after its data pointer, in bytes.
std::array<std::int64_t, kMaxOperands> view_offsets(const Call& call);

/// The views' first elements in one run. A null pointer (of an operand without elements, or of one
/// that is only described) stays null.
Addresses addresses(const Binding& binding, const std::array<std::int64_t, kMaxOperands>& offsets);

/// What a run reports that met an index outside [0, limit), or whose kernel has a defect.
Status failure(const PlannedCall& call, const kernels::Outcome& outcome,
               std::int64_t limit) noexcept;

/// What is told about `call`; null where nobody wants to be told.
std::unique_ptr<const CallNotes> notes_if_observed(const Call& call, std::uint64_t workspace_bytes);

/// Fills in what the runtime keeps of `call`; `passes` is how often a kernel goes through the
/// tensors at most.
void describe(const Call& call, std::uint64_t passes, PlannedCall& planned);

template <class Geometry>
std::uint64_t passes(const Geometry& geometry) {
  if constexpr (requires { window_volume(geometry); }) {
    return window_volume(geometry);
  } else {
    return 1;
  }
}

/// A call's kernels, planned. `index_limit` is the number of positions that an index may name.
template <class Geometry, class Buffers>
class KernelPlan final : public PlannedCall {
 public:
  using Bind = Buffers (*)(const Addresses&);

  KernelPlan(const Call& call, kernels::Table<Geometry, Buffers> table, const Geometry& geometry,
             Bind bind, std::int64_t index_limit)
      : plan_(table, geometry,
              kernels::machine_here(call.config.instruction_set, call.config.threads)),
        bind_(bind),
        offsets_(view_offsets(call)),
        index_limit_(index_limit) {
    describe(call, passes(geometry), *this);
    workspace_bytes = plan_.workspace_bytes();
    staging_ = make_staging(call, workspace_bytes);
    kernel = plan_.name();
    notes = notes_if_observed(call, workspace_bytes);
  }

  Status run(const Binding& binding) const noexcept override {
    Addresses at = addresses(binding, offsets_);
    if (staging_) at = staging_->bring(at, binding.workspace);
    const kernels::Outcome outcome = plan_.run(bind_(at), binding.workspace);
    if (staging_) staging_->give_back(addresses(binding, offsets_), at);
    return outcome.done() ? Status() : failure(*this, outcome, index_limit_);
  }

 private:
  kernels::CallPlan<Geometry, Buffers> plan_;
  Bind bind_;
  std::array<std::int64_t, kMaxOperands> offsets_;
  std::int64_t index_limit_;
  std::unique_ptr<const Staging> staging_;  ///< null: kernels meet the views themselves
};

/// Hands out an executor for a call that computes nothing.
aclnnStatus hand_out_idle(const Call& call);

/// Plans a validated call on the kernels of `table` and hands its executor out.
template <class Geometry, class Buffers>
aclnnStatus hand_out_plan(const Call& call,
                          std::span<const kernels::Kernel<Geometry, Buffers>> table,
                          const Geometry& geometry, Buffers (*bind)(const Addresses&),
                          std::int64_t index_limit = 0) {
  if (call.course.nothing || !call.course.later.ok()) return hand_out_idle(call);
  auto planned =
      std::make_shared<KernelPlan<Geometry, Buffers>>(call, table, geometry, bind, index_limit);
  remember(call, planned);
  return hand_out(std::move(planned), call.workspace_size, call.executor);
}

}  // namespace gradproof::ops
