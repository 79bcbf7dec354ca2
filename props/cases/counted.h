// A number and what it counts, in words: "1 case", "0 cases", "2 cases".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gradproof::props {

/// @param noun  in the singular; its plural ends in -s
inline std::string counted(std::uint64_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace gradproof::props
