// The protocol of kernels: the entries of an operator's table, the plan that a kernel makes of a
// geometry, and how a call runs.
//
//   geometry ──> choose ──> plan ──> run ──> done
//                   ^                 │
//                Machine           declined ──> the next kernel's plan, made with it
//
// Phase 1 chooses and plans; phase 2 runs, allocates nothing and decides nothing but this: a kernel
// that follows caller data (`indices`) may find data that it does not serve, and declines. The
// kernel that then runs overwrites everything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "opt/base/declined_runs.h"
#include "opt/kernels/machine.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels {

/// How a run ended. Only kernels that follow caller data (`indices`) can end other than `done`; a
/// defect of a kernel, which tests look for, is `overrun`.
struct Outcome {
  enum class End : std::uint8_t { done, declined, bad_index, overrun };
  End end = End::done;
  std::int64_t position = 0;  ///< row-major position of the first bad index in `indices`
  std::int64_t value = 0;     ///< and its value

  bool done() const { return end == End::done; }
  bool declined() const { return end == End::declined; }

  static Outcome done_if(bool served) { return {served ? End::done : End::declined, 0, 0}; }
};

/// What a kernel makes of a geometry once: its tiles, and the layout of its workspace. It does not
/// change afterwards, and may run many times, also at the same time in different workspaces.
template <class GeometryType, class BuffersType>
class Plan {
 public:
  using Geometry = GeometryType;
  using Buffers = BuffersType;
  using Base = Plan;

  Plan(const Geometry& geometry, const Machine& on) : g(geometry), machine(on), layout(on.gaps) {}
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  virtual ~Plan() = default;

  /// @param workspace layout.bytes() of them, aligned to cache lines, of any content
  virtual Outcome run(const Buffers& buffers, std::byte* workspace) const = 0;

  const Geometry g;
  const Machine machine;
  WorkspaceLayout layout;
};

/// Holds a plan: within itself where it fits, so that a small call allocates nothing besides its
/// executor.
template <class Base>
class PlanBox {
 public:
  PlanBox() = default;
  PlanBox(const PlanBox&) = delete;
  PlanBox& operator=(const PlanBox&) = delete;
  ~PlanBox() {
    if (plan_ == nullptr) return;
    if (fits_) {
      plan_->~Base();
    } else {
      delete plan_;
    }
  }

  /// Once.
  template <class P, class... Arguments>
  void make(const Arguments&... arguments) {
    static_assert(alignof(P) <= alignof(std::max_align_t));
    fits_ = sizeof(P) <= kRoom;
    if constexpr (sizeof(P) <= kRoom) {
      plan_ = new (room_) P(arguments...);
    } else {
      plan_ = new P(arguments...);
    }
  }

  const Base* operator->() const { return plan_; }

 private:
  static constexpr std::size_t kRoom = 576;
  const Base* plan_ = nullptr;
  bool fits_ = false;
  alignas(std::max_align_t) std::byte room_[kRoom];
};

/// An entry of an operator's table of kernels.
template <class Geometry, class Buffers>
struct Kernel {
  const char* name;
  /// Whether it is right for a geometry, on every machine.
  bool (*supports)(const Geometry&);
  /// Whether it is the one to take for a geometry that it supports.
  bool (*preferred)(const Geometry&, const Machine&);
  void (*plan)(PlanBox<Plan<Geometry, Buffers>>&, const Geometry&, const Machine&);
  bool may_decline = false;
};

/// In order of preference. The last entry supports every geometry and never declines.
template <class Geometry, class Buffers>
using Table = std::span<const Kernel<Geometry, Buffers>>;

// For entries without exceptions.
template <class Geometry>
constexpr bool all_geometries(const Geometry&) {
  return true;
}
template <class Geometry>
constexpr bool where_supported(const Geometry&, const Machine&) {
  return true;
}
template <class P>
void make_plan(PlanBox<typename P::Base>& box, const typename P::Geometry& g,
               const Machine& machine) {
  box.template make<P>(g, machine);
}

template <class Geometry, class Buffers>
bool takes(const Kernel<Geometry, Buffers>& kernel, const Geometry& g, const Machine& machine) {
  return kernel.supports(g) && kernel.preferred(g, machine) &&
         (machine.left_out == nullptr || std::strcmp(machine.left_out, kernel.name) != 0);
}

/// The wanted kernel, if it supports the geometry; the first one that supports and prefers it; else
/// the last one.
template <class Geometry, class Buffers>
const Kernel<Geometry, Buffers>& choose(Table<Geometry, Buffers> table, const Geometry& g,
                                        const Machine& machine) {
  if (machine.wanted != nullptr) {
    for (const auto& kernel : table) {
      if (std::strcmp(machine.wanted, kernel.name) == 0 && kernel.supports(g)) return kernel;
    }
  }
  for (const auto& kernel : table) {  // perhaps uncovered: the last one is left out
    if (takes(kernel, g, machine)) return kernel;
  }
  return table.back();
}

/// What a call runs: the plan of one kernel and, if that may decline, the plan of the next one in
/// the table that takes the geometry and never declines. They share a workspace.
template <class Geometry, class Buffers>
class CallPlan {
 public:
  CallPlan(Table<Geometry, Buffers> table, const Geometry& g, const Machine& machine)
      : CallPlan(table, choose(table, g, machine), g, machine) {}

  /// Beginning with a kernel of the table that supports the geometry, whichever is preferred.
  CallPlan(Table<Geometry, Buffers> table, const Kernel<Geometry, Buffers>& first,
           const Geometry& g, const Machine& machine)
      : name_(first.name) {
    first.plan(first_, g, machine);
    if (!first.may_decline) return;
    const auto* next = &first + 1;
    while (next != &table.back() && (next->may_decline || !takes(*next, g, machine))) ++next;
    next_ = std::make_unique<Box>();
    next->plan(*next_, g, machine);
  }

  Outcome run(const Buffers& buffers, std::byte* workspace) const {
    const Outcome outcome = run(first_, buffers, workspace);
    if (!outcome.declined()) return outcome;
    declined_runs.fetch_add(1, std::memory_order_relaxed);
    return run(*next_, buffers, workspace);
  }

  const char* name() const { return name_; }
  std::uint64_t workspace_bytes() const {
    return std::max(first_->layout.bytes(), next_ ? (*next_)->layout.bytes() : 0);
  }

 private:
  using Box = PlanBox<Plan<Geometry, Buffers>>;

  static Outcome run(const Box& plan, const Buffers& buffers, std::byte* workspace) {
    plan->layout.fill_gaps(workspace);
    const Outcome outcome = plan->run(buffers, workspace);
    return plan->layout.gaps_are_whole(workspace) ? outcome : Outcome{Outcome::End::overrun};
  }

  const char* name_;
  Box first_;
  std::unique_ptr<Box> next_;
};

}  // namespace gradproof::kernels
