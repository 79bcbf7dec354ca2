// The same problem under other names: samples, channels or axes in another order.
#pragma once

#include "props/properties/problem.h"

namespace gradproof::props {

/// Element y of the result is element x of the source, x[order[a]] = (y[a] + shift[a]) mod extent.
struct Relabel {
  std::vector<std::size_t> order;    ///< of a tensor's dimensions
  std::vector<std::int64_t> shift;   ///< by dimension of the result
  std::vector<std::size_t> spatial;  ///< the order of the axes in parameters; {0, 1, …} keeps them
};

/// The one that changes nothing.
Relabel unchanged(const ref::Call& call);
/// The relabelled problem: shapes, parameters, data, positions and mask bits; layouts are plain.
Problem relabelled(const Problem& problem, const Relabel& relabel);
/// What the output of the relabelled problem must be, if `output` is that of `from`.
ref::Dense relabelled_output(const ref::Call& from, const ref::Call& to, int slot,
                             const ref::Dense& output, const Relabel& relabel);

}  // namespace gradproof::props
