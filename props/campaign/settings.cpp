// What of the settings a library can do.
#include "props/campaign/settings.h"

#include <algorithm>

namespace gradproof::campaign {

std::vector<const props::Property*> chosen_properties(const Settings& settings) {
  std::vector<const props::Property*> chosen = settings.properties;
  for (const props::Property& property : props::properties()) {
    if (settings.properties.empty()) chosen.push_back(&property);
  }
  if (settings.phase1_only)
    std::erase_if(chosen, [](const props::Property* property) { return property->runs; });
  return chosen;
}

std::vector<ref::Operator> chosen_operators(const Settings& settings,
                                            const std::vector<ref::Operator>& there) {
  std::vector<ref::Operator> wanted = settings.operators, chosen;
  for (int i = 0; settings.operators.empty() && i < ref::kOperatorCount; ++i)
    wanted.push_back(static_cast<ref::Operator>(i));
  for (const ref::Operator op : wanted) {
    if (std::find(there.begin(), there.end(), op) != there.end()) chosen.push_back(op);
  }
  return chosen;
}

}  // namespace gradproof::campaign
