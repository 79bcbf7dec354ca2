// Error codes and messages: what phase 1 answers, to valid calls and to calls that break a rule.
#include "props/properties/property.h"

namespace gradproof::props {

bool error_codes_apply(const Case& c) { return c.misuse == Misuse::none; }

Verdict check_error_codes(const Case& c, Bench& bench) {
  return judge_phase1(c.call, bench.session.get_workspace_size(c.call), bench.use);
}

bool messages_apply(const Case& c) {
  return c.misuse == Misuse::none && ref::expect(c.call).rule != nullptr;
}

Verdict check_messages(const Case& c, Bench& bench) {
  if (bench.session.library().api().recent_error == nullptr)
    return Verdict::not_checked("the library has no aclGetRecentErrMsg");
  return judge_message(c.call, bench.session.get_workspace_size(c.call), Naming::the_argument,
                       bench.use);
}

}  // namespace gradproof::props
