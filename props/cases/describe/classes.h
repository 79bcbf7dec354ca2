// The labelled classes of valid cases: what a coverage report must show.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// The class of cases with more images, over samples and channels, than 16 bits count: one of the
/// grid's dimensions on a GPU. A case of it must be drawn on purpose (Limits::planes).
inline constexpr const char* kManyPlanes = "planes-over-65535";
/// Labels of the classes that a valid case belongs to ("ceil", "overlap", "strided-output", …).
std::vector<std::string> classes(const Case& c);
/// Every label that `classes` can give for an operator on one of these products: some classes exist
/// only where a product has its own rules.
std::vector<std::string> all_classes(ref::Operator op,
                                     std::span<const ref::Product> products = ref::kProducts);

}  // namespace gradproof::props
