// What a failing case is like: the features that findings of one cause share.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

using Features = std::set<std::string>;

/// Product, element type, format, rank; of a valid call its case classes (but data-integers) and
/// strided tensors, of one that breaks a rule the rule and the argument.
Features features(const Case& c);
/// Every feature that a valid call of the operator can have.
std::vector<std::string> all_features(ref::Operator op);

/// Whether all of the wanted ones are there.
bool has_all(const Features& of, const Features& wanted);
/// What both have.
Features in_both(const Features& a, const Features& b);

}  // namespace gradproof::props
