// Life-cycle: what executors, streams, events and messages do over a sequence of calls.
#include <algorithm>

#include "props/cases/data.h"
#include "props/properties/property.h"
#include "props/sequences/sequence.h"

namespace gradproof::props {
namespace {

/// Sequences are about handles; large tensors would only make them slow.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;

}  // namespace

bool life_cycle_applies(const Case& c) {
  if (c.sequence.empty()) return false;
  Case call = c;
  call.sequence.clear();
  const auto shares = [](const ref::Tensor& t) { return t.shares >= 0; };
  return has_result(call) && runnable(call, kMostBytes) &&
         std::none_of(call.call.tensors.begin(), call.call.tensors.end(), shares);
}

Verdict check_life_cycle(const Case& c, Bench& bench) {
  return run_sequence(c, c.sequence, bench.session, bench.use);
}

}  // namespace gradproof::props
