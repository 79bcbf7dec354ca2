// A property: something that must hold for every case it applies to, with a name to select it by.
#pragma once

#include <span>
#include <string_view>

#include "props/judge/verdict.h"

namespace gradproof::props {

/// Everything a property may use.
struct Bench {
  Session& session;
  ref::Accuracy accuracy = ref::Accuracy::contract;
};

struct Property {
  std::string_view name;  ///< "equivalence", "gradient-sum", "error-codes", …
  std::string_view says;  ///< one sentence for people
  bool (*applies)(const Case& c);
  Verdict (*check)(const Case& c, Bench& bench);
};

/// All properties, in the order in which they are run.
std::span<const Property> properties();
/// Null if there is none of that name.
const Property* find_property(std::string_view name);

}  // namespace gradproof::props
