// One configuration in one type, with its data.
#pragma once

#include <vector>

#include "bench/configuration.h"
#include "props/subject/session.h"
#include "ref/exact.h"

namespace gradproof::bench {

struct Problem {
  Configuration configuration;
  std::int32_t type = 0;
  ref::Call call;
  std::vector<ref::Dense> data;  ///< by tensor slot, dense; what is written is empty
  ref::Dense self;               ///< of pools: the forward's input, for peers that run it first
  double bytes_read = 0;         ///< of gradOutput, and of what the indices mean
  double bytes_written = 0;      ///< of gradInput
  double additions = 0;          ///< and multiplications: what the formula takes at least

  int output_slot() const;
};

/// Fills the tensors. Indices come from the forward of `session`'s library, in which the product
/// Ascend910B must be selected. Throws std::runtime_error if that fails.
Problem make_problem(const Configuration& configuration, std::int32_t type,
                     props::Session& session);

/// Compares a result with the reference in a few planes, both ends among them. Returns a
/// description of what is wrong, empty if nothing is.
std::string check(const Problem& problem, const ref::Dense& result);

/// Flat positions within the input plane of a 2-D pool, from its mask; in row-major order of the
/// pooled tensor.
std::vector<std::int64_t> positions_of_mask(const Problem& problem);

}  // namespace gradproof::bench
