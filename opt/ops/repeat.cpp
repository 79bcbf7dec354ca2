// A call equal to an earlier one uses that call's plan: no validation, no planning.
#include "opt/ops/repeat.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <utility>

#include "opt/kernels/machine.h"
#include "opt/ops/check.h"
#include "opt/runtime/plan_cache.h"

namespace gradproof::ops {
namespace {

/// Calls that are logged, traced or made in strict mode have plans of their own.
bool shares(const Config& config) { return !config.observes() && !config.strict; }

/// What a plan depends on besides descriptors. The longest list of values has three.
KeyPart own_part(const Call& call) {
  const Config& c = call.config;
  const kernels::Machine machine = kernels::machine_here(c.instruction_set, c.threads);
  std::array<std::int64_t, 3> values{};
  for (std::size_t i = 0; i < call.values.size(); ++i) {
    const bool* const flag = std::get_if<bool>(&call.values[i].value);
    values[i] = flag != nullptr
                    ? std::int64_t{*flag}
                    : std::bit_cast<std::int64_t>(std::get<double>(call.values[i].value));
  }
  const std::uint64_t words[] = {
      reinterpret_cast<std::uintptr_t>(call.api),
      reinterpret_cast<std::uintptr_t>(machine.left_out),
      reinterpret_cast<std::uintptr_t>(machine.wanted),
      std::uint64_t{machine.as_large} << 63 | std::uint64_t{machine.small_blocks} << 62 |
          static_cast<std::uint64_t>(c.conformance) << 56 | std::uint64_t{c.chip} << 48 |
          static_cast<std::uint64_t>(c.product) << 40 |
          static_cast<std::uint64_t>(c.instruction_set) << 32 |
          static_cast<std::uint32_t>(c.threads)};
  static_assert(std::size(words) + values.size() <= KeyPart::kWords, "else no plan is kept");
  return key_part(words, values);
}

/// All that a plan depends on. False if the call is one of those whose plans are not shared. The
/// handles have been looked up.
bool make_key(const Call& call, PlanKey& key) {
  if (!shares(call.config) || call.values.size() > 3) return false;
  for (const TensorArgument& a : call.tensors) {
    if (!key.add(a->key)) return false;
  }
  for (const ArrayArgument& a : call.arrays) {
    if (!key.add(a.array->key)) return false;
  }
  return key.add(own_part(call));
}

/// The plan of a call before, with the addresses of this one.
class SharedPlan final : public PlannedCall {
 public:
  SharedPlan(const Call& call, std::shared_ptr<const PlannedCall> plan) : plan_(std::move(plan)) {
    api = plan_->api;
    kernel = plan_->kernel;
    workspace_bytes = plan_->workspace_bytes;
    work = plan_->work;
    operand_count = plan_->operand_count;
    for (std::size_t i = 0; i < call.tensors.size(); ++i) {
      operands[i] = plan_->operands[i];
      operands[i].data = call.tensors[i].data;
    }
  }
  Status run(const Binding& binding) const noexcept override { return plan_->run(binding); }

 private:
  std::shared_ptr<const PlannedCall> plan_;
};

/// Whether the rule **alias** may be broken: an output overlaps a tensor before it, or a tensor has
/// no address.
bool may_alias(const Call& call, const PlannedCall& plan) {
  const auto begin = [&](std::size_t i) {
    return reinterpret_cast<std::uintptr_t>(call.tensors[i].data);
  };
  const auto bytes = [&](std::size_t i) {
    return static_cast<std::uint64_t>(plan.operands[i].end);  // from the data pointer: it is whole
  };
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    if (call.tensors[i].access == Access::described) continue;
    if (call.tensors[i].data == nullptr) return true;
    if (call.tensors[i].access != Access::written) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (call.tensors[j].access == Access::described) continue;
      const std::uint64_t ahead = begin(i) - begin(j);
      if (ahead < bytes(j) || 0 - ahead < bytes(i)) return true;
    }
  }
  return false;
}

}  // namespace

bool hand_out_again(const Call& call, aclnnStatus& status) {
  PlanKey key;
  if (!look_up(call) || !make_key(call, key)) return false;
  std::shared_ptr<const PlannedCall> plan = kept_plan(key);
  if (plan == nullptr || may_alias(call, *plan)) return false;
  status = hand_out(std::make_shared<SharedPlan>(call, std::move(plan)), call.workspace_size,
                    call.executor);
  return true;
}

void remember(const Call& call, const std::shared_ptr<const PlannedCall>& plan) noexcept {
  const auto staged = [](const TensorArgument& a) { return a.staged; };
  if (call.course.judged || std::ranges::any_of(call.tensors, staged)) return;
  if (PlanKey key; make_key(call, key)) keep_plan(key, plan);
}

}  // namespace gradproof::ops
