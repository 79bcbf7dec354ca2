// Cases for RapidCheck: drawn by our generator, shrunk by our `simpler`.
#pragma once

#include <rapidcheck.h>

#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/shrink/simpler.h"

namespace gradproof::props {

/// How RapidCheck prints a case: the line that `gradproof` takes.
inline void showValue(const Case& c, std::ostream& os) { os << to_text(c); }

/// A case and its simpler variants, each with its own, found only when RapidCheck asks for them.
inline rc::Shrinkable<Case> shrinkable_case(const Case& c) {
  return rc::shrinkable::lambda([c] { return c; },
                                [c] {
                                  return rc::seq::map(
                                      rc::seq::fromContainer(simpler(c)),
                                      [](const Case& variant) { return shrinkable_case(variant); });
                                });
}

/// Valid cases of those points, each as likely as the next; `among` must not be empty.
inline rc::Gen<Case> valid_case(std::vector<CoveragePoint> among, Limits limits = {}) {
  const auto shared = std::make_shared<const std::vector<CoveragePoint>>(std::move(among));
  return rc::Gen<Case>([shared, limits](const rc::Random& random, int) {
    rc::Random drawn = random;
    SeededSource source(drawn.next());
    const CoveragePoint& point = (*shared)[source.below(shared->size())];
    return shrinkable_case(generate_valid(source, point, limits));
  });
}

}  // namespace gradproof::props
