// What the figures were measured on, without names that belong to somebody.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gradproof::bench {

/// Pairs such as ("processor", "…"), ("cores", "2"), ("L2 cache", "2048 KiB").
std::vector<std::pair<std::string, std::string>> machine();

}  // namespace gradproof::bench
