// What the tests of cases share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"

namespace gradproof::props {

inline std::vector<ref::Operator> all_operators() {
  std::vector<ref::Operator> all;
  for (int op = 0; op < ref::kOperatorCount; ++op) all.push_back(static_cast<ref::Operator>(op));
  return all;
}

inline std::string stem(ref::Operator op) { return std::string(ref::signature(op).stem); }

/// `per_cell` valid cases of every point of an operator.
template <class F>
void each_valid(ref::Operator op, int per_cell, F&& f, std::uint64_t seed = 1) {
  SeededSource source(seed);
  for (const CoveragePoint& point : coverage_points(op)) {
    for (int i = 0; i < per_cell; ++i) f(point, generate_valid(source, point));
  }
}

}  // namespace gradproof::props
