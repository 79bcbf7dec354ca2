// What is particular about each operator, as data: one row an operator. Generic code iterates over
// operators and asks the row; nothing else in props tells them apart.
//
// A row has what is the operator's own (names of its tensors, what it equals) and leads to the row
// of its family, what a gradient and its forward have in common. Each family's row stands beside
// the functions that it points to, in families/, above the folders that those functions use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ref/call.h"

namespace gradproof::props {

class Mutator;
class Draw;
class Shrinker;
enum class CallKind : std::uint8_t;
struct Case;
struct CoveragePoint;
struct Layer;
struct Limits;
struct Resizing;
struct Scope;
struct ScopeAxis;
struct ScopeConfigurations;

/// How a call says which elements were chosen.
enum class Indices : std::uint8_t {
  none,
  positions,  ///< INT32, flat in the plane, which may have no more elements than they can count
  mask,       ///< INT8, packed bits; see ref::MaskLayout
};

/// A parameter that CANN's ATK lists give another name.
struct AtkName {
  std::string_view ours, theirs;
};

struct FamilyTraits {
  int axes = 2;  ///< 3 or 2: the last ones, that windows, scales or padding speak about
  Indices indices = Indices::none;
  bool windows = false;        ///< kernelSize, stride, padding, dilation and ceilMode
  bool pads_each_end = false;  ///< `padding` has two values an axis, the last axis first
  bool weighted = false;       ///< results are sums with fractional weights
  bool empty_output = false;   ///< the output's extents may be 0 where the input's are not
  bool takes_nan = false;      ///< the forward is defined for NaN and −Inf
  /// NHWC means that channels are last; elsewhere a format is a label.
  bool format_places_axes = false;

  // What the contract lists.
  /// None: the operator does not exist on the product.
  std::vector<std::int32_t> (*dtypes)(ref::Product product) = nullptr;
  std::span<const int> ranks = {};
  std::vector<std::int32_t> (*formats)(int rank) = nullptr;
  /// Whether a dimension may be 0 in all tensors that have it.
  bool (*may_be_empty)(int rank, int axis) = nullptr;

  /// Turns the forward input's shape into its output's, by the parameters; sets those that follow
  /// from shapes (inputSize). False if there is no such shape.
  bool (*output_shape)(ref::Call& call, std::vector<std::int64_t>& shape) = nullptr;

  /// Draws shapes and parameters of a call whose tensors have their types and rank.
  CallKind (*draw)(Draw& draw, ref::Call& call, const CoveragePoint& point,
                   const Limits& limits) = nullptr;
  std::span<const Layer> (*layers)() = nullptr;        ///< of networks, for draw_layer; may be null
  std::span<const Resizing> (*resizings)() = nullptr;  ///< likewise for draw_resizing

  /// Boundary cases of the values of the family's parameters.
  void (*mutate_values)(Mutator& a) = nullptr;
  /// Whether a smaller extent of that tensor is refused for a parameter's value, before its shape
  /// is looked at; may be null.
  bool (*extent_bounds_values)(const ref::Call& call, std::string_view tensor, std::size_t axis,
                               std::int64_t extent) = nullptr;
  /// Edits of parameters together with the extents that they go with; may be null.
  void (*simplify)(Shrinker& s, const Case& c) = nullptr;

  // The small scope.
  void (*scope)(const Scope& scope, bool flag, ScopeConfigurations& all) = nullptr;
  /// Writes the parameters of such axes into a call.
  void (*spell)(ref::Call& call, const std::vector<ScopeAxis>& axes) = nullptr;
  bool scope_in_pairs = false;  ///< of two axes, few configurations each: every pair of them

  // CANN's ATK lists.
  std::span<const AtkName> atk_names = {};
  std::int32_t (*atk_format)(int rank) = nullptr;  ///< they do not say it

  bool has_mask() const { return indices == Indices::mask; }
  bool has_positions() const { return indices == Indices::positions; }
};

struct OperatorTraits {
  const FamilyTraits* family = nullptr;
  // Tensors by name. Those that have the forward input's shape, the one that decides it first …
  std::span<const std::string_view> inputs = {};
  std::string_view output = {};   ///< … the one that has the forward output's …
  std::string_view indices = {};  ///< … and the indices or mask; empty if there are none.
  bool linear = false;            ///< in the tensor of values that it reads
  bool free_output = false;       ///< no parameter says the output's extents, its tensor alone does
  /// The product on which FLOAT results are rounded to FLOAT16 on their way.
  std::optional<ref::Product> through_half = {};
  // Operators that coincide with this one.
  std::optional<ref::Operator> of_depth_1 = {};  ///< a 3-D one: with a depth of 1
  std::optional<ref::Operator> of_windows = {};  ///< with windows: where these tile the input
};

const OperatorTraits& traits(ref::Operator op);
inline const FamilyTraits& family(ref::Operator op) { return *traits(op).family; }

/// Whether the operator has a parameter of that name.
bool has_parameter(ref::Operator op, std::string_view name);
/// Whether it chooses elements and writes which: the forward of a pool.
bool selects(ref::Operator op);
/// Whether the output's extents are given instead of computed.
bool resizes(ref::Operator op);
/// Whether some dimension of its tensors may be 0.
bool can_be_empty(ref::Operator op);
/// The type of the indices or the mask.
std::int32_t indices_dtype(ref::Operator op);
/// The legal lengths of an int array.
std::vector<int> accepted_lengths(ref::Operator op, std::string_view array);

/// The operator that a byte stands for: its number. What is beyond all numbers is spread over the
/// first ten operators, so that seeds of fuzzers keep their meaning when one is added.
ref::Operator operator_of_byte(std::uint8_t byte);

}  // namespace gradproof::props
