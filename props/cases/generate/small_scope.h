// The small scope: every configuration of one axis up to a size, enumerated instead of drawn.
//
// Axes are independent of each other in all operators, so one call takes different configurations
// on its axes at once. Each axis (D, H, W) meets every configuration; image operators, which have
// two axes and few configurations, meet every pair of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// The largest extents and parameters.
struct Scope {
  std::int64_t pooled_from = 8, kernel = 8, stride = 5;  ///< pooling: input extent and window
  std::int64_t resized = 7;                              ///< upsampling: both extents
  std::int64_t padded = 5;                               ///< replication padding: input extent
  std::int64_t adaptive = 9;                             ///< adaptive pooling: both extents

  /// The same with nothing larger than that.
  Scope at_most(std::int64_t largest) const;
};

/// One axis of a call: extents of the forward's input and output, and what leads from one to the
/// other.
struct ScopeAxis {
  std::int64_t in = 1, out = 1;
  std::int64_t kernel = 1, stride = 1;
  std::int64_t before = 0, after = 0;  ///< padding
  double scale = 0;
};

/// The configurations of one axis under one flag.
struct ScopeConfigurations {
  std::vector<ScopeAxis> legal, illegal;
};
/// One member of every axis, as an int array.
std::vector<std::int64_t> of_axes(const std::vector<ScopeAxis>& axes,
                                  std::int64_t ScopeAxis::*member);

/// One call of the enumeration.
struct ScopeCall {
  Case test;
  bool legal = true;  ///< false: phase 1 must refuse it
  /// Configurations of an axis that the call is the first to try; their sum is the size of the
  /// scope.
  std::int64_t configurations = 0;
};

/// Calls `visit` with every call of an operator's scope, FLOAT on that product, until it returns
/// false: the legal ones, whose values count; those whose pooled, resized or padded extent is wrong
/// by one on one axis; those with a configuration on one axis that no extent fits.
void each_scope_call(ref::Operator op, ref::Product product, const Scope& scope,
                     const std::function<bool(const ScopeCall&)>& visit);

}  // namespace gradproof::props
