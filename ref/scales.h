// The scales of upsampling: where they count, and whether they fit the sizes (docs/formulas.md).
#pragma once

#include "ref/call.h"
#include "ref/numerics.h"

namespace gradproof::ref {

/// Whether scalesH and scalesW count on the product. On the others the sizes alone do.
bool uses_scales(Product product);

/// The scale that counts for an axis (0: H, 1: W) of an upsampling call; 0 where the sizes decide:
/// with alignCorners, without a positive scale, or on a product that does not use scales; and where
/// only scales that both fit count, unless they do.
double scale_in_effect(const Call& call, std::size_t axis, Scales scales = Scales::each);

/// Whether a positive scale leads from one extent to the other: out = ⌊in·scale⌋, the product
/// rounded once to double.
bool scale_fits(std::int64_t in, std::int64_t out, double scale);

/// Whether the scales that count in a valid call fit its sizes. The operators' documents speak of
/// such calls only. True for operators without scales.
bool scales_fit(const Call& call);

}  // namespace gradproof::ref
