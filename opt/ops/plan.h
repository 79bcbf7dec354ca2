// From geometry to an executor: the plan of one kernel, and its hand-over to the runtime.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "opt/kernels/geometry.h"
#include "opt/ops/call.h"
#include "opt/ops/element.h"
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

/// What a run reports that met an index outside [0, limit).
Status bad_index(const char* api, const kernels::Outcome& outcome, std::int64_t limit) noexcept;

/// What is told about `call`; null where nobody wants to be told.
std::unique_ptr<const CallNotes> notes_if_observed(const Call& call, const char* kernel,
                                                   std::uint64_t workspace_bytes);

/// Fills in what the runtime keeps of `call`.
void describe(const Call& call, PlannedCall& planned);

/// One kernel with its geometry. `index_limit` is the number of positions that an index may name.
template <class Geometry, class Buffers>
class KernelPlan final : public PlannedCall {
 public:
  using Bind = Buffers (*)(const Addresses&);

  KernelPlan(const Call& call, const kernels::Kernel<Geometry, Buffers>& kernel,
             const Geometry& geometry, Bind bind, std::int64_t index_limit)
      : kernel_(kernel),
        geometry_(geometry),
        bind_(bind),
        offsets_(view_offsets(call)),
        config_(call.config),
        index_limit_(index_limit) {
    describe(call, *this);
    workspace_bytes = kernel_.workspace(geometry_, config_.threads);
    staging_ = make_staging(call, workspace_bytes);
  }

  Status run(const Binding& binding) const noexcept override {
    Addresses at = addresses(binding, offsets_);
    if (staging_) at = staging_->bring(at, binding.workspace);
    const kernels::Outcome outcome = kernel_.run(
        geometry_, bind_(at), {config_.threads, binding.workspace, config_.instruction_set});
    if (staging_) staging_->give_back(addresses(binding, offsets_), at);
    return outcome.ok ? Status() : bad_index(api, outcome, index_limit_);
  }

 private:
  const kernels::Kernel<Geometry, Buffers>& kernel_;  ///< a row of a static table
  Geometry geometry_;
  Bind bind_;
  std::array<std::int64_t, kMaxOperands> offsets_;
  Config config_;  ///< when the call was planned
  std::int64_t index_limit_;
  std::unique_ptr<const Staging> staging_;  ///< null: kernels meet the views themselves
};

/// Hands out an executor for a call that computes nothing.
aclnnStatus hand_out_idle(const Call& call);

/// Plans a validated call on the first legal kernel of `table` and hands its executor out.
template <class Geometry, class Buffers>
aclnnStatus hand_out_plan(const Call& call,
                          std::span<const kernels::Kernel<Geometry, Buffers>> table,
                          const Geometry& geometry, Buffers (*bind)(const Addresses&),
                          std::int64_t index_limit = 0) {
  if (call.course.nothing || !call.course.later.ok()) return hand_out_idle(call);
  const auto& kernel = kernels::choose(table, geometry);
  auto planned =
      std::make_shared<KernelPlan<Geometry, Buffers>>(call, kernel, geometry, bind, index_limit);
  planned->notes = notes_if_observed(call, kernel.name, planned->workspace_bytes);
  return hand_out(std::move(planned), call.workspace_size, call.executor);
}

}  // namespace gradproof::ops
