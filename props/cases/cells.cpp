// The cells of operator × product × dtype × rank × format that the contract allows (sections 4–9).
#include "props/cases/generator.h"
#include "props/cases/shapes.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Product;

std::vector<std::int32_t> dtypes(Family kind, Product product) {
  const bool newer = product == Product::Ascend910B || product == Product::Ascend910_93;
  switch (kind) {
    case Family::pad: return {ref::kFloat, ref::kFloat16, ref::kDouble, ref::kComplex64, ref::kComplex128};
    case Family::max_pool3d:
    case Family::adaptive:
      if (!newer) return {};
      break;
    case Family::max_pool2d:
      if (product == Product::Ascend310P) return {};
      break;
    case Family::upsample: break;
  }
  if (newer) return {ref::kFloat, ref::kFloat16, ref::kBf16};
  return {ref::kFloat, ref::kFloat16};
}

std::vector<int> ranks(Family kind) {
  switch (kind) {
    case Family::max_pool3d:
    case Family::adaptive: return {4, 5};
    case Family::upsample: return {4};
    default: return {3, 4};
  }
}

std::vector<std::int32_t> formats(Family kind, int rank) {
  switch (kind) {
    case Family::max_pool3d:
    case Family::adaptive: return {ref::kNd, rank == 5 ? ref::kNcdhw : ref::kNchw};
    case Family::max_pool2d: return {ref::kNchw, ref::kNd, ref::kNcl};
    case Family::upsample: return {ref::kNchw, ref::kNhwc};
    default:
      return {ref::kNchw, ref::kNhwc, ref::kNd, ref::kHwcn, ref::kNdhwc, ref::kNcdhw, ref::kNc, ref::kNcl};
  }
}

}  // namespace

std::vector<Cell> cells(ref::Operator op) {
  std::vector<Cell> all;
  for (int product = 0; product < ref::kProductCount; ++product) {
    for (std::int32_t dtype : dtypes(family(op), static_cast<Product>(product))) {
      for (int rank : ranks(family(op))) {
        for (std::int32_t format : formats(family(op), rank)) {
          all.push_back({op, static_cast<Product>(product), dtype, rank, format});
        }
      }
    }
  }
  return all;
}

}  // namespace gradproof::props
