// Where the tensors of a call lie relative to each other: which share an allocation, and its
// extent.
#pragma once

#include <cstdint>
#include <vector>

#include "ref/call.h"

namespace gradproof::props {

/// What the operator does with the tensor in a slot.
ref::Access access_of(ref::Operator op, int slot);
/// The parameter name of the tensor in a slot.
std::string_view tensor_name(ref::Operator op, int slot);

/// One allocation. Bytes are counted from the data pointer of `root`; tensors that share it may
/// begin before that.
struct Allocation {
  int root = 0;
  std::int64_t low = 0, high = 0;
  std::vector<int> members;  ///< slots, in order
};

struct Layout {
  std::vector<Allocation> allocations;
  std::vector<int> allocation;   ///< by slot: index into `allocations`
  std::vector<std::int64_t> at;  ///< by slot: its data pointer, in bytes from the root's
};

/// Total: nonsense in the call gives some layout, with extents saturated far below overflow.
Layout layout_of(const ref::Call& call);
/// Whether nothing had to be saturated. Memory that is claimed beyond that cannot be laid out as
/// the call says, so what the rule **alias** says of the layout means nothing.
bool fits_address_space(const Layout& layout);

/// Whether the view lies in its storage as a dense row-major array (extents of 1 aside).
bool is_dense(const ref::Tensor& tensor);
/// Product of the extents; for shapes of valid calls.
std::int64_t element_count(const ref::Tensor& tensor);

}  // namespace gradproof::props
