// What a failing case is shrunk to, a step at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// Simpler variants of a failing case, simplest first: fewer and smaller axes, plain layout,
/// integer data, default parameters. Every variant of a valid case is valid, and asks for no
/// promise (promises.h) that the case does not ask for; the rest is kept if it still breaks the
/// same rule.
std::vector<Case> simpler(const Case& c);

/// A valid case with one thing made plain, and the feature (features.h) that it has lost by that.
struct Plainer {
  Case test;
  std::string feature;
};
/// A case in FLOAT, without each flag that is set, and with each strided tensor contiguous but
/// for indices that share memory; nothing where it is so already, or where the case or what
/// would become of it is not valid.
std::vector<Plainer> plainer(const Case& c);

/// The case with all tensors contiguous that plainer() makes contiguous one by one; nothing where
/// they are.
std::optional<Case> with_contiguous_tensors(const Case& c);

/// A gradient's case with the forward's indices in place of any in their range; nothing for other
/// cases, and for indices that share memory.
std::optional<Case> with_forward_indices(const Case& c);

/// The case with whole numbers in place of its data; and with numbers in [0, 1] in place of special
/// values, powers of two or one constant value.
std::vector<Case> with_plain_data(const Case& c);

}  // namespace gradproof::props
