// Names in a message, sorted: a reader looks for one of them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::props {

inline std::string listed(std::vector<std::string_view> names, std::string_view separator = ", ") {
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += separator;
    text += name;
  }
  return text;
}

}  // namespace gradproof::props
