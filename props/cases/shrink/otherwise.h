// What a failing case could be like as well, to find out which of its features the failure needs.
#pragma once

#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// Valid cases that differ from this valid one in one thing: type, rank, first extent, flag, how
/// many values an array has, indices, data, strides.
std::vector<Case> otherwise(const Case& c);

}  // namespace gradproof::props
