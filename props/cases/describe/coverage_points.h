// Coverage points: the combinations of product, type, rank and format that the contract allows of
// an operator; and what each of these may be.
#pragma once

#include <cstdint>
#include <vector>

#include "ref/call.h"

namespace gradproof::props {

struct CoveragePoint {
  ref::Operator op;
  ref::Product product;
  std::int32_t dtype;
  int rank;
  std::int32_t format;

  friend bool operator==(const CoveragePoint&, const CoveragePoint&) = default;
};
/// Every allowed point of an operator, in a fixed order.
std::vector<CoveragePoint> coverage_points(ref::Operator op);

/// Empty if the operator does not exist on that product.
std::vector<std::int32_t> accepted_dtypes(ref::Operator op, ref::Product product);
std::vector<int> accepted_ranks(ref::Operator op);
std::vector<std::int32_t> accepted_formats(ref::Operator op, int rank);
/// What an accepted format becomes where the same call is given another rank.
std::int32_t format_at_rank(ref::Operator op, std::int32_t format, int from, int to);
/// Whether the accepted formats depend on the rank.
bool format_follows_rank(ref::Operator op);

}  // namespace gradproof::props
