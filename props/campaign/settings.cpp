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
  const std::vector<ref::Operator> named = named_operators(settings);
  for (const ref::Operator op : wanted) {
    if (std::find(there.begin(), there.end(), op) == there.end()) continue;
    if (std::find(named.begin(), named.end(), op) != named.end() ||
        settings.selection.takes_any_of(op))
      chosen.push_back(op);
  }
  return chosen;
}

std::vector<ref::Operator> named_operators(const Settings& settings) {
  std::vector<ref::Operator> named = settings.operators;
  std::erase_if(named, [&](ref::Operator op) {
    const std::vector<ref::Operator>& by_pattern = settings.operators_by_pattern;
    return std::find(by_pattern.begin(), by_pattern.end(), op) != by_pattern.end();
  });
  return named;
}

std::vector<ref::Product> chosen_products(const Settings& settings,
                                          const std::vector<ref::Product>& there) {
  std::vector<ref::Product> chosen;
  for (const ref::Product product : there) {
    if (settings.selection.products.takes(ref::name(product))) chosen.push_back(product);
  }
  return chosen;
}

}  // namespace gradproof::campaign
