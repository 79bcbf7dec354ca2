// The files of props/profiles/shipped, compiled in.
#pragma once

#include <string_view>

namespace gradproof::profiles {

/// The text of NAME.json. The name must be one of them.
std::string_view shipped(std::string_view name);

}  // namespace gradproof::profiles
