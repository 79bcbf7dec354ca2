// The cells of operator × product × dtype × rank × format that the contract allows.
#include "props/cases/cells.h"

#include "props/cases/shapes.h"
#include "ref/types.h"

namespace gradproof::props {

using ref::Product;

std::vector<std::int32_t> accepted_dtypes(ref::Operator op, Product product) {
  const Family kind = family(op);
  const bool newer = product == Product::Ascend910B || product == Product::Ascend910_93;
  switch (kind) {
    case Family::pad:
      return {ref::kFloat, ref::kFloat16, ref::kDouble, ref::kComplex64, ref::kComplex128};
    case Family::max_pool3d:
    case Family::adaptive:
      if (!newer) return {};
      break;
    case Family::max_pool2d:
      if (product == Product::Ascend310P) return {};
      break;
    case Family::upsample:
      break;
  }
  if (newer) return {ref::kFloat, ref::kFloat16, ref::kBf16};
  return {ref::kFloat, ref::kFloat16};
}

std::vector<int> accepted_ranks(ref::Operator op) {
  switch (family(op)) {
    case Family::max_pool3d:
    case Family::adaptive:
      return {4, 5};
    case Family::upsample:
      return {4};
    default:
      return {3, 4};
  }
}

std::vector<std::int32_t> accepted_formats(ref::Operator op, int rank) {
  switch (family(op)) {
    case Family::max_pool3d:
    case Family::adaptive:
      return {ref::kNd, rank == 5 ? ref::kNcdhw : ref::kNchw};
    case Family::max_pool2d:
      return {ref::kNchw, ref::kNd, ref::kNcl};
    case Family::upsample:
      return {ref::kNchw, ref::kNhwc};
    default:
      return {ref::kNchw,  ref::kNhwc,  ref::kNd, ref::kHwcn,
              ref::kNdhwc, ref::kNcdhw, ref::kNc, ref::kNcl};
  }
}

std::vector<Cell> cells(ref::Operator op) {
  std::vector<Cell> all;
  for (int product = 0; product < ref::kProductCount; ++product) {
    for (std::int32_t dtype : accepted_dtypes(op, static_cast<Product>(product))) {
      for (int rank : accepted_ranks(op)) {
        for (std::int32_t format : accepted_formats(op, rank)) {
          all.push_back({op, static_cast<Product>(product), dtype, rank, format});
        }
      }
    }
  }
  return all;
}

}  // namespace gradproof::props
