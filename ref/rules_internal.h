// What the rule table knows about each operator, and helpers for its predicates.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ref/rules.h"
#include "ref/types.h"

namespace gradproof::ref {

/// Wide enough for every product and sum of a few int64 that the rules form.
__extension__ using Wide = __int128;

using Check = std::optional<Violation> (*)(const Call& call);

/// One operator's content of the rules; a null check means that the rule has nothing to say.
struct OperatorRules {
  bool (*exists_on)(Product product);
  bool needs_platform;                                         ///< some product lacks the operator
  bool (*accepts_dtype)(Product product, std::int32_t dtype);  ///< of all tensors but indices
  std::string_view indices;  ///< name of the indices tensor, empty if there is none
  std::int32_t indices_dtype;
  bool (*accepts_format)(std::int32_t format, std::size_t rank);
  bool (*accepts_rank)(std::size_t rank);
  Check zero_dims;  ///< dimensions that must not be empty
  Check array_length;
  Check kernel_value, stride_value, padding_value, dilation_value, size_value;
  Check shape;
  Check index_range;
  bool contiguous_indices;  ///< rule **view** demands it of the mask
};

const OperatorRules& rules_of(Operator op);

// Gradient and forward have one, but for adaptive pooling.
extern const OperatorRules kMaxPool3dRules, kMaxPool2dRules, kUpsampleRules, kReplicationPadRules,
    kAdaptivePoolBackwardRules, kAdaptivePoolRules;

// Rules about memory: rules_memory.cpp.
std::optional<Violation> check_view(const Call& call);
std::optional<Violation> check_output_overlap(const Call& call);
std::optional<Violation> check_alias(const Call& call);

bool has_bf16(Product product);
bool float_dtype(Product product, std::int32_t dtype);  ///< FLOAT, FLOAT16, BF16 where there is

/// "[2, 3, 4]".
std::string text(std::span<const std::int64_t> values);
std::string text(Wide value);
/// "shape [1, 2] should be [1, 3]" as a violation of that argument: any extent that is wrong, with
/// what it should be.
Violation shape_violation(std::string_view argument, std::span<const std::int64_t> got,
                          std::span<const Wide> wanted, std::string_view why);
/// "name[i] = v must be …"; `bound` is a number of that, if there is one.
Violation value_violation(std::string_view argument, std::size_t i, std::int64_t value,
                          std::string_view must, std::optional<Wide> bound = std::nullopt);
/// Nothing if the array's length is one of `lengths`.
std::optional<Violation> check_length(const Call& call, std::string_view argument,
                                      std::initializer_list<std::size_t> lengths);
/// Nothing if every value of the array is at least `least`.
std::optional<Violation> check_least(const Call& call, std::string_view argument,
                                     std::int64_t least, std::string_view must);
/// Nothing if no dimension of the tensor is 0, but for the first `may_be_empty` ones.
std::optional<Violation> check_no_zero(const Call& call, std::string_view argument,
                                       std::size_t may_be_empty);
/// Nothing if the shape is the wanted one.
std::optional<Violation> check_shape(const Call& call, std::string_view argument,
                                     std::span<const Wide> wanted, std::string_view why);
/// Product of non-negative extents, at most `limit` + 1: saturating, never overflowing.
Wide product_up_to(std::span<const std::int64_t> extents, Wide limit);

}  // namespace gradproof::ref
