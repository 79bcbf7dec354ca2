// A call of the API as phase 1 sees it: descriptors and parameters, valid or not, and no device
// data.
//
// Everything a caller can put into `aclnnXxxGetWorkspaceSize` can be written down here, nonsense
// included: any dtype or format number, any extents, null pointers. `rules.h` judges such a call,
// `exact.h` evaluates a valid one, and `props/` generates, prints and performs it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ref/operator_list.h"

namespace gradproof::ref {

/// The operators. Their numbers are stable (operator_list.h).
#define GRADPROOF_ENUMERATOR(stem, api) stem,
enum class Operator : std::uint8_t { GRADPROOF_OPERATORS(GRADPROOF_ENUMERATOR) };
#undef GRADPROOF_ENUMERATOR
#define GRADPROOF_ONE(stem, api) +1
inline constexpr int kOperatorCount = GRADPROOF_OPERATORS(GRADPROOF_ONE);
#undef GRADPROOF_ONE

enum class Product : std::uint8_t { Ascend910, Ascend310P, Ascend910B, Ascend910_93 };
inline constexpr Product kProducts[] = {Product::Ascend910, Product::Ascend310P,
                                        Product::Ascend910B, Product::Ascend910_93};
inline constexpr int kProductCount = static_cast<int>(std::size(kProducts));

/// One tensor argument: exactly what aclCreateTensor takes, or a null pointer.
struct Tensor {
  bool null = false;                  ///< the `aclTensor*` itself is null
  std::int32_t dtype = 0;             ///< aclDataType as a number; any value may stand here
  std::int32_t format = 2;            ///< aclFormat as a number; any value may stand here
  std::vector<std::int64_t> shape;    ///< view dimensions
  std::vector<std::int64_t> strides;  ///< in elements, as many as `shape`; ignored if null_strides
  bool null_strides = false;          ///< pass a null strides array (means contiguous)
  std::int64_t offset = 0;            ///< view offset into the storage, in elements
  std::vector<std::int64_t> storage;  ///< storage dimensions, in elements
  bool null_data = false;             ///< the tensor's data pointer is null
  /// Memory: the tensor (by index in Call::tensors) whose allocation this one's data pointer lies
  /// in, and where; -1 is an allocation of its own. Only the rule **alias** looks at it.
  std::int32_t shares = -1;
  std::int64_t shares_at = 0;  ///< in bytes from that allocation's data pointer

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

struct IntArray {
  bool null = false;
  std::vector<std::int64_t> values;

  friend bool operator==(const IntArray&, const IntArray&) = default;
};

/// The arguments by family, each family in parameter order; `signature()` maps names to slots.
struct Call {
  Operator op{};
  Product product = Product::Ascend910B;
  std::vector<Tensor> tensors;
  std::vector<IntArray> arrays;
  std::vector<std::uint8_t> flags;  ///< bool parameters
  std::vector<double> reals;        ///< double parameters
  bool null_workspace_size = false;
  bool null_executor = false;

  friend bool operator==(const Call&, const Call&) = default;
};

enum class Kind : std::uint8_t { tensor, int_array, flag, real };

/// What the operator does with a tensor's memory. `described` tensors (`self` of a gradient) are
/// looked at by phase 1 and their data is neither read nor written.
enum class Access : std::uint8_t { read, described, written };

struct Parameter {
  std::string_view name;  ///< as the API spells it: "gradOutput", "kernelSize", "scalesH"
  Kind kind;
  Access access;  ///< of tensors; Access::read otherwise
  int slot;       ///< position within its family's vector in Call
};

struct Signature {
  Operator op;
  std::string_view stem;  ///< "max_pool3d_with_argmax_backward": file names, command line, reports
  std::string_view api;   ///< "aclnnMaxPool3dWithArgmaxBackward": the C symbol of phase 2
  std::span<const Parameter> parameters;  ///< in the C API's order, without workspaceSize, executor
  bool backward;                          ///< a gradient
  /// The forward of a gradient and the other way round; nothing if the API has none.
  std::optional<Operator> companion;
};

const Signature& signature(Operator op);
inline bool is_backward(Operator op) { return signature(op).backward; }
inline std::optional<Operator> companion(Operator op) { return signature(op).companion; }

/// Slot of a parameter in its family; the name must exist in the operator's signature.
int slot(Operator op, std::string_view parameter);
inline const Tensor& tensor(const Call& c, std::string_view name) {
  return c.tensors[slot(c.op, name)];
}
inline Tensor& tensor(Call& c, std::string_view name) { return c.tensors[slot(c.op, name)]; }
inline const IntArray& int_array(const Call& c, std::string_view name) {
  return c.arrays[slot(c.op, name)];
}
inline IntArray& int_array(Call& c, std::string_view name) { return c.arrays[slot(c.op, name)]; }

/// "Ascend910B" and so on: the names of series that GRADPROOF_SOC and aclInit's "soc" use.
std::string_view name(Product product);

/// Dense row-major strides of a shape, in elements; wraps on overflow (it judges nothing).
std::vector<std::int64_t> contiguous_strides(std::span<const std::int64_t> shape);

}  // namespace gradproof::ref
