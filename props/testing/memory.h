// A case's tensors in memory, guards around them. A kernel that ignores strides or offsets meets
// wrong values there, and ends in a finding where it would else crash the test: each tensor would
// fit into the guards as well, and those of indices are valid indices.
#pragma once

#include <string>
#include <vector>

#include "gradproof/testing/case.hpp"
#include "props/cases/memory_layout.h"
#include "props/testing/canonical.h"

namespace gradproof::testing::detail {

class Memory {
 public:
  explicit Memory(const Case& c);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  const Case& of() const { return case_; }
  const Canonical& canonical() const { return canonical_; }
  /// The tensor's data pointer; null of tensors that no kernel is given.
  void* at(int slot);
  /// What the result's elements are now, in the canonical order.
  ref::Dense result() const;
  /// What was changed besides the result; empty if nothing was.
  std::string trespass() const;

 private:
  struct Block {
    std::vector<std::byte> bytes, before;  ///< guards included; empty if no kernel is given it
    std::ptrdiff_t guard = 0;              ///< bytes on each side
  };
  const ref::Call& call() const { return case_.own().call; }
  /// The byte at the data pointer of the tensor.
  std::ptrdiff_t start(int slot) const;

  Case case_;
  std::vector<ref::Dense> data_;
  Canonical canonical_;
  props::Layout layout_;
  std::vector<Block> blocks_;  ///< by allocation
};

}  // namespace gradproof::testing::detail
