// Life-cycle: what executors, streams, events and messages do over a sequence of calls.
#include "props/properties/property.h"
#include "props/sequences/sequence.h"

namespace gradproof::props {
bool life_cycle_applies(const Case& c) {
  if (c.sequence.empty()) return false;
  Case call = c;
  call.sequence.clear();
  return can_act(call);
}

Verdict check_life_cycle(const Case& c, Bench& bench) {
  return run_sequence(c, c.sequence, bench.session, bench.use);
}

}  // namespace gradproof::props
