// Changes of a Case in its own terms, one thing at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "props/cases/case.h"
#include "props/cases/generate/draw.h"
#include "props/cases/mutate/mutations.h"

namespace gradproof::fuzz {

class Mutation {
 public:
  Mutation(props::Case& c, props::Draw& draw) : c_(c), call_(c.call), draw_(draw) {}

  void one();

 private:
  template <class T, std::size_t n>
  T pick(const T (&values)[n]) {
    return values[draw_.below(n)];
  }
  std::size_t any(std::size_t n) { return draw_.below(n); }
  ref::Tensor& any_tensor() { return call_.tensors[any(call_.tensors.size())]; }

  /// A number near the present one, at a border, or one that stands elsewhere in the call.
  std::int64_t other(std::int64_t value);
  /// Makes shapes follow from the parameters, if nothing before the rule **shape** is wrong.
  void fit();

  void set_number();
  void set_extent_everywhere();
  void swap_axes();
  void edit_array();
  void edit_rank();
  /// Dense in another order, with gaps, behind an offset, broadcast, or with a storage that just
  /// fits or just does not.
  void edit_layout();
  void edit_type();
  void edit_null();
  void share_memory();
  void edit_scalars();
  void edit_data();
  /// Another valid case, or this one with one rule mutated.
  void renew();

  props::Case& c_;
  ref::Call& call_;
  props::Draw& draw_;
};

}  // namespace gradproof::fuzz
