// The protocol of kernels: what an operator's table says of each, the plan that a kernel makes of a
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
#include <memory>
#include <span>

#include "opt/kernels/machine.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels {

/// How a run ended. Only kernels that follow caller data end otherwise than `done`.
struct Outcome {
  enum class End : std::uint8_t { done, declined, bad_index };
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

  Plan(const Geometry& geometry, const Machine& on) : g(geometry), machine(on) {}
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  virtual ~Plan() = default;

  /// @param workspace layout.bytes() of them, aligned to cache lines, of any content
  virtual Outcome run(const Buffers& buffers, std::byte* workspace) const = 0;

  const Geometry g;
  const Machine machine;
  WorkspaceLayout layout;
};

/// An entry of an operator's table of kernels.
template <class Geometry, class Buffers>
struct Kernel {
  const char* name;
  /// Whether it is right for a geometry, on every machine.
  bool (*supports)(const Geometry&);
  /// Whether it is the one to take for a geometry that it supports.
  bool (*preferred)(const Geometry&, const Machine&);
  std::unique_ptr<const Plan<Geometry, Buffers>> (*plan)(const Geometry&, const Machine&);
  bool may_decline = false;
};

/// In order of preference. The last entry supports every geometry and never declines.
template <class Geometry, class Buffers>
using Table = std::span<const Kernel<Geometry, Buffers>>;

// What an entry says that has nothing to except.
template <class Geometry>
constexpr bool all_geometries(const Geometry&) {
  return true;
}
template <class Geometry>
constexpr bool where_supported(const Geometry&, const Machine&) {
  return true;
}
template <class P>
std::unique_ptr<const typename P::Base> make_plan(const typename P::Geometry& g,
                                                  const Machine& machine) {
  return std::make_unique<const P>(g, machine);
}

template <class Geometry, class Buffers>
bool takes(const Kernel<Geometry, Buffers>& kernel, const Geometry& g, const Machine& machine) {
  return kernel.supports(g) && kernel.preferred(g, machine);
}

/// The first kernel that supports and prefers the geometry, else the last one.
template <class Geometry, class Buffers>
const Kernel<Geometry, Buffers>& choose(Table<Geometry, Buffers> table, const Geometry& g,
                                        const Machine& machine) {
  for (const auto& kernel : table) {
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
      : name_(first.name), first_(first.plan(g, machine)) {
    if (!first.may_decline) return;
    const auto* next = &first + 1;
    while (next != &table.back() && (next->may_decline || !takes(*next, g, machine))) ++next;
    next_ = next->plan(g, machine);
  }

  Outcome run(const Buffers& buffers, std::byte* workspace) const {
    const Outcome outcome = first_->run(buffers, workspace);
    return outcome.declined() ? next_->run(buffers, workspace) : outcome;
  }

  const char* name() const { return name_; }
  std::uint64_t workspace_bytes() const {
    return std::max(first_->layout.bytes(), next_ ? next_->layout.bytes() : 0);
  }

 private:
  const char* name_;
  std::unique_ptr<const Plan<Geometry, Buffers>> first_, next_;
};

}  // namespace gradproof::kernels
