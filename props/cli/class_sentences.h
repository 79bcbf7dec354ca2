// A sentence for each class of cases.
#pragma once

#include <string_view>

namespace gradproof::cli {

/// What the cases of a class (props::all_classes) have in common; empty if there is no sentence.
std::string_view class_sentence(std::string_view label);

}  // namespace gradproof::cli
