// The labelled classes of valid cases: what a coverage report must show.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// Cases with more than 65535 planes (samples times channels), which is the most blocks in two of
/// the three dimensions of a CUDA grid. Only Limits::planes draws them.
inline constexpr const char* kManyPlanes = "planes-over-65535";
/// Labels of the classes that a valid case belongs to ("ceil", "overlap", "strided-output", …).
std::vector<std::string> classes(const Case& c);
/// Every label that `classes` can give for an operator on one of these products: some classes exist
/// only where a product has its own rules.
std::vector<std::string> all_classes(ref::Operator op,
                                     std::span<const ref::Product> products = ref::kProducts);

}  // namespace gradproof::props
