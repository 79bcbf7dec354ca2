// Pages of `gradproof help TOPIC`.
#pragma once

#include <span>
#include <string_view>

namespace gradproof::cli {

struct Topic {
  std::string_view name, title, page;
};

std::span<const Topic> topics();

}  // namespace gradproof::cli
