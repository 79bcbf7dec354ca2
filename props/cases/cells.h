// What the contract lists for each operator: the axes of its cells.
#pragma once

#include "props/cases/generator.h"

namespace gradproof::props {

/// Empty if the operator does not exist on that product.
std::vector<std::int32_t> accepted_dtypes(ref::Operator op, ref::Product product);
std::vector<int> accepted_ranks(ref::Operator op);
std::vector<std::int32_t> accepted_formats(ref::Operator op, int rank);
/// What an accepted format becomes where the same call is given another rank.
std::int32_t format_at_rank(ref::Operator op, std::int32_t format, int from, int to);
/// Whether the accepted formats depend on the rank.
bool format_follows_rank(ref::Operator op);

}  // namespace gradproof::props
