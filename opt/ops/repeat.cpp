// A call equal to an earlier one uses that call's plan: no validation, no planning.
#include "opt/ops/repeat.h"

#include <array>
#include <bit>
#include <iterator>
#include <utility>
#include <variant>

#include "opt/kernels/machine.h"
#include "opt/ops/check.h"
#include "opt/runtime/plan_cache.h"

namespace gradproof::ops {
namespace {

constexpr std::size_t kMostValues = 3;

/// Calls that are logged, traced or made in strict mode have plans of their own.
bool shares(const Call& call) {
  // uncovered: no operator has more values; tests/ops/test_repeat.cpp
  return !call.config.observes() && !call.config.strict && call.values.size() <= kMostValues;
}

/// What a plan depends on besides descriptors. The longest list of values has three.
KeyPart own_part(const Call& call) {
  const Config& c = call.config;
  const kernels::Machine machine = kernels::machine_here(c.instruction_set, c.threads);
  std::array<std::int64_t, kMostValues> values{};
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

/// Completes the key and reads the addresses, without pinning any descriptor. False if one is not
/// live, or plans for it are not shared.
bool peek(const Call& call, PlanKey& key) {
  Sight sight;
  for (TensorArgument& a : call.tensors) {
    const auto* const beside = tensors.peek(a.handle, sight);
    if (beside == nullptr || !key.add(beside->key, sight)) return false;
    a.data = beside->data;
  }
  for (const ArrayArgument& a : call.arrays) {
    const auto* const beside = int_arrays.peek(a.handle, sight);
    if (beside == nullptr || !key.add(beside->key, sight)) return false;
  }
  return true;
}

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
  if (!shares(call) || call.workspace_size == nullptr || call.executor == nullptr) return false;
  PlanKey key;
  if (!peek(call, key)) return false;
  const KeyPart own = own_part(call);
  if (!key.add(own)) return false;  // uncovered: no operator has so many descriptors
  std::shared_ptr<const PlannedCall> plan = kept_plan(key);
  // perhaps uncovered: race
  if (plan == nullptr || !key.lasts() || may_alias(call, *plan)) return false;
  OperandData data{};
  for (std::size_t i = 0; i < call.tensors.size(); ++i) data[i] = call.tensors[i].data;
  status = hand_out(std::move(plan), data, call.workspace_size, call.executor);
  return true;
}

void remember(const Call& call, const std::shared_ptr<const PlannedCall>& plan) noexcept {
  // This leaves out plans with staged tensors: a tensor is staged only where a rule was broken. A
  // mask with too few bytes for positions has a wrong shape.
  if (!shares(call) || call.course.judged) return;
  PlanKey key;
  for (const TensorArgument& a : call.tensors) {
    if (!key.add(a.tensor.beside().key)) return;
  }
  for (const ArrayArgument& a : call.arrays) {
    if (!key.add(a.array.beside().key)) return;  // uncovered: longer arrays were refused
  }
  const KeyPart own = own_part(call);
  if (key.add(own)) keep_plan(key, plan);  // uncovered: as above
}

}  // namespace gradproof::ops
