// Upsampling as hardware without DOUBLE does it: what the profile float-coordinates is there for.
#pragma once

#include <vector>

#include "ref/exact.h"

/// Values of the output of `call`, a valid one of upsampling or of its gradient: coordinates,
/// weights, products and sums are all FLOAT. Row-major, before they are rounded to the type.
std::vector<long double> upsample_in_float(const gradproof::ref::Call& call,
                                           const gradproof::ref::Dense& input);
