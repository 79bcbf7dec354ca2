// A property: something that must hold for every case it applies to, with a name to select it by.
#pragma once

#include <span>
#include <string_view>

#include "props/judge/verdict.h"

namespace gradproof::props {

/// Everything a property may use. The session stands for the case's product when a check begins,
/// and must do so again, with the same number of threads, when it ends.
struct Bench {
  Session& session;
  ref::Accuracy accuracy = ref::Accuracy::contract;
};

struct Property {
  std::string_view name;  ///< "equivalence", "gradient-sum", "error-codes", …
  std::string_view says;  ///< one sentence for people
  /// Whether the property says anything about the case; it may ask for the rule table's opinion.
  bool (*applies)(const Case& c);
  Verdict (*check)(const Case& c, Bench& bench);
  bool runs = true;  ///< phase 2 too, so that the case's data has to fit into memory
  /// A campaign checks it on every n-th case and every n-th attack only, because it costs several runs.
  int every = 1;
};

/// All properties, in the order in which they are run.
std::span<const Property> properties();
/// Null if there is none of that name.
const Property* find_property(std::string_view name);

/// A case whose call keeps every rule and that misuses nothing: one that has a result.
bool is_plain(const Case& c);
/// Whether a run of the case must succeed with defined outputs: no bad index, no missing data.
bool has_result(const Case& c);

// One property a file; the table in registry.cpp names them.
bool equivalence_applies(const Case& c);
Verdict check_equivalence(const Case& c, Bench& bench);
bool gradient_sum_applies(const Case& c);
Verdict check_gradient_sum(const Case& c, Bench& bench);
bool error_codes_apply(const Case& c);
Verdict check_error_codes(const Case& c, Bench& bench);
bool messages_apply(const Case& c);
Verdict check_messages(const Case& c, Bench& bench);
bool misuse_applies(const Case& c);
Verdict check_misuse(const Case& c, Bench& bench);
bool poison_applies(const Case& c);
Verdict check_poison(const Case& c, Bench& bench);
bool quiet_applies(const Case& c);
Verdict check_quiet(const Case& c, Bench& bench);
bool no_leak_applies(const Case& c);
Verdict check_no_leak(const Case& c, Bench& bench);
bool threads_apply(const Case& c);
Verdict check_threads(const Case& c, Bench& bench);

}  // namespace gradproof::props
