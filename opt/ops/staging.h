// Contiguous copies of operands that kernels do not support in place: views with negative strides,
// outputs that overlap themselves or an input, masks that are too small.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "opt/ops/call.h"

namespace gradproof::ops {

/// First elements of the operands' views, in parameter order.
using Addresses = std::array<std::byte*, kMaxOperands>;

class Staging {
 public:
  /// One operand's view and its copy.
  struct Copy {
    std::size_t operand;
    bool written;
    std::vector<std::int64_t> shape, strides;  ///< strides in bytes
    std::int64_t element_bytes;
    std::uint64_t offset;  ///< in the workspace
    std::uint64_t room;    ///< bytes; those that the view does not fill are `rest`
    int rest;
  };

  explicit Staging(std::vector<Copy> copies) : copies_(std::move(copies)) {}

  /// Copies the inputs into the workspace, and returns the addresses for the kernel.
  Addresses bring(const Addresses& views, std::byte* workspace) const noexcept;
  /// Copies the outputs back to their views, in row-major order.
  void give_back(const Addresses& views, const Addresses& copies) const noexcept;

 private:
  std::vector<Copy> copies_;
};

/// Plans copies of the call's staged tensors, or returns null if it has none. Adds the bytes that
/// they need to `workspace_bytes`, which saturates.
std::unique_ptr<const Staging> make_staging(const Call& call, std::uint64_t& workspace_bytes);

}  // namespace gradproof::ops
