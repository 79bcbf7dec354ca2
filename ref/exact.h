// What a valid call must write: per output element the exact value, the sum of the absolute values
// of its terms, and their number; plane by plane, so that memory stays bounded by one plane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ref/call.h"
#include "ref/numerics.h"

namespace gradproof::ref {

/// A tensor's values in logical row-major order, whatever the view's strides are.
struct Dense {
  std::int32_t dtype = 0;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;  ///< product(shape) elements, packed
};

/// One real number of the output (a complex element is two). Sums are formed in long double.
struct Exact {
  long double value = 0;      ///< the exact sum; NaN and ±Inf by IEEE arithmetic on the terms
  long double magnitude = 0;  ///< Σ|term| over the finite terms
  /// Weighted sums only: Σ|factor| over the finite terms and near factors (see below) before they
  /// are weighted. No intermediate sum of any implementation is larger.
  long double unweighted = 0;
  std::int64_t terms = 0;  ///< how many terms were added; 0 means exactly 0 is due
  /// Weighted sums only, for Numerics::coordinates: factors whose weight is exactly 0, but
  /// need not be if coordinates are computed otherwise.
  std::int32_t near = 0;
  bool near_non_finite =
      false;  ///< a NaN or Inf has a weight that is 0 in one way and not in the other
  /// Weighted sums only, for Numerics::zero_times_infinity: a NaN or Inf whose weight is exactly 0.
  bool zero_non_finite = false;
};

/// One plane of one output. Value `i` belongs to component i % components of the element whose
/// row-major position in the output tensor is first + (i / components) · step.
struct Plane {
  std::vector<Exact> values;
  std::int64_t first = 0;
  std::int64_t step = 1;
};

/// How the values of an output are to be judged (see bound.h).
enum class Arithmetic : std::uint8_t {
  exact,     ///< selected, copied or integer: must be equal (any NaN for NaN; −0 equals +0)
  sum,       ///< plain sum of terms
  weighted,  ///< sum of products of two weights and a term
};

/// An index the kernel must refuse at synchronisation (docs/formulas.md, "Bad indices").
struct BadIndex {
  std::int64_t position;  ///< row-major position in the indices tensor, the smallest such
  std::int64_t value;
};

/// The evaluation of one valid call. `inputs` are the call's tensors by slot; written and described
/// ones may be left empty. Holds references: call and inputs must outlive it.
class Evaluation {
 public:
  Evaluation(const Call& call, std::span<const Dense> inputs, const Numerics& numerics = {});

  /// Slots (in Call::tensors) of the outputs.
  std::span<const int> outputs() const { return outputs_; }
  Arithmetic arithmetic(int output_slot) const;
  /// The type each sum is rounded to at the end: the output's component type, but FLOAT16 for
  /// FLOAT tensors of max_pool2d_with_mask_backward on Ascend910.
  std::int32_t result_type(int output_slot) const;
  /// The type terms are added in: FLOAT or DOUBLE, unless the numerics say otherwise.
  std::int32_t sum_type(int output_slot) const;
  /// The type of the terms before they are added or weighted.
  std::int32_t term_type(int output_slot) const;
  /// Weighted sums: how far a product of two weights may be off if coordinates and weights are
  /// computed as the numerics say (for BoundSpec); 0 for the others.
  double weight_error(int output_slot) const;
  /// Planes are (n, c) pairs in row-major order, of the mask output of a pool too: its last two
  /// axes.
  std::int64_t plane_count(int output_slot) const;
  /// May be called from several threads at once.
  Plane plane(int output_slot, std::int64_t index) const;
  /// Whether `indices` holds a value outside its range, and the first one if so.
  bool has_bad_index(BadIndex* first) const;

 private:
  const Call& call_;
  std::span<const Dense> inputs_;
  Numerics numerics_;
  std::vector<int> outputs_;
};

/// Positions chosen by the forward of a pooling gradient, as its `indices` argument: the forward is
/// run on `self`, whose shape and type are those of the call's `self`. The call must be valid.
Dense forward_indices(const Call& backward_call, const Dense& self);

}  // namespace gradproof::ref
