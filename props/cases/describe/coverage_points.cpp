// The points of operator × product × dtype × rank × format that the contract allows.
#include "props/cases/describe/coverage_points.h"

#include <algorithm>

#include "props/cases/traits.h"

namespace gradproof::props {

using ref::Product;

std::vector<std::int32_t> accepted_dtypes(ref::Operator op, Product product) {
  return family(op).dtypes(product);
}

std::vector<int> accepted_ranks(ref::Operator op) {
  return {family(op).ranks.begin(), family(op).ranks.end()};
}

std::vector<std::int32_t> accepted_formats(ref::Operator op, int rank) {
  return family(op).formats(rank);
}

std::int32_t format_at_rank(ref::Operator op, std::int32_t format, int from, int to) {
  const std::vector<std::int32_t> before = accepted_formats(op, from);
  const auto place = std::find(before.begin(), before.end(), format) - before.begin();
  return accepted_formats(op, to)[static_cast<std::size_t>(place)];
}

bool format_follows_rank(ref::Operator op) {
  const std::span<const int> ranks = family(op).ranks;
  return accepted_formats(op, ranks.front()) != accepted_formats(op, ranks.back());
}

std::vector<CoveragePoint> coverage_points(ref::Operator op) {
  std::vector<CoveragePoint> all;
  for (int product = 0; product < ref::kProductCount; ++product) {
    for (std::int32_t dtype : accepted_dtypes(op, static_cast<Product>(product))) {
      for (int rank : accepted_ranks(op)) {
        for (std::int32_t format : accepted_formats(op, rank)) {
          all.push_back({op, static_cast<Product>(product), dtype, rank, format});
        }
      }
    }
  }
  return all;
}

}  // namespace gradproof::props
