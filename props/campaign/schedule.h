// Which case of an operator comes when: case j is a function of the seed, the operator, j and the
// products alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/campaign/selection.h"
#include "props/cases/case.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"

namespace gradproof::campaign {

/// One step of an operator's values.
struct Step {
  props::Case valid;
  props::CoveragePoint point;
  /// A variant of the case with this misuse comes after it, if not none.
  props::Misuse misuse = props::Misuse::none;
};

/// Products take turns, a few cases each, for each change restarts the library. On its turns a
/// product's points come first, each once, with small cases; then points at random. In between, at
/// fixed places, come what chance brings up too rarely: long axes, images beyond the caches, layers
/// that networks have (layers.h). From the end of the points on, the classes of cases take turns: a
/// case is drawn until it belongs to the class whose turn it is.
class Schedule {
 public:
  /// The products on which the operator exists take part.
  /// @param unpromised  of what cases may ask for (describe/promises.h): such cases are not drawn
  Schedule(ref::Operator op, std::span<const ref::Product> products, std::uint64_t seed,
           Selection selection = {}, std::vector<std::string_view> unpromised = {});

  ref::Operator op() const { return op_; }
  /// Cells on all products that the selection takes; none if the operator is on none of them.
  const std::vector<props::CoveragePoint>& coverage_points() const { return points_; }
  /// The number of steps after which each point had its case.
  std::uint64_t sweep() const { return sweep_; }
  /// The product of step j: the same for kStepsOnAProduct steps.
  ref::Product product(std::uint64_t j) const;
  /// A case that the selection takes, or whatever was drawn last if none came up in time.
  Step step(std::uint64_t j) const;
  /// The element type of step j, and of base b. To draw the case would take far longer.
  std::int32_t type_of_step(std::uint64_t j) const;
  std::int32_t type_of_base(std::uint64_t b) const;
  /// Whether the selection takes the case.
  bool wants(const props::Case& c) const { return selection_.takes(c); }
  /// Whether it does, and the library promises what the case asks for.
  bool fits(const props::Case& c) const;
  /// Whether it takes calls at that side of a boundary.
  bool wants(const props::BoundarySide& side) const { return selection_.takes(side); }
  /// Whether the selection takes what a boundary case makes of the case.
  bool wants_edited(const props::Case& valid, const props::Mutation& edit) const {
    return selection_.takes_edited(valid, edit);
  }
  /// Whether step j takes as long as hundreds of others: an image beyond the caches.
  bool is_large(std::uint64_t j) const;

  /// Whether step j has a case that threads share, where windows overlap.
  bool is_divided(std::uint64_t j) const;

  /// Valid case n of the point.
  props::Case candidate(std::uint64_t n, const props::CoveragePoint& point,
                        std::int64_t max_elements) const;

  /// Small valid case n, for comparing the kernels that are right for it: kSmallOnAProduct with the
  /// same product, one after the other.
  props::Case small(std::uint64_t n) const;

  /// A small valid case whose borders are tried: base b of the boundary cases. The first
  /// `first_bases()` walk through every product.
  props::Case base(std::uint64_t b) const;
  std::uint64_t first_bases() const;

  /// Whether a property that is checked on every `every`-th case only is due at step j.
  bool due(std::uint64_t j, int every) const;
  /// A source of decisions of its own for use number n of that kind.
  props::SeededSource source(std::uint64_t kind, std::uint64_t n) const;

  static constexpr std::uint64_t kStepsOnAProduct = 4;
  /// Small cases are so cheap that to choose a product costs as much as two of them.
  static constexpr std::uint64_t kSmallOnAProduct = 16;

 private:
  /// The points of one product, as a range of points_.
  struct Block {
    std::size_t first = 0, count = 0;
  };
  /// The block of step or base j, and how many steps of that block come before step j. In the
  /// sweep this is the number of a point.
  const Block& block_of(std::uint64_t j) const;
  std::uint64_t nth_of_block(std::uint64_t j) const;

  /// The point of step j, drawn behind the sweep, and of base b, drawn behind the first bases.
  const props::CoveragePoint& point_of_step(std::uint64_t j, props::SeededSource& source) const;
  const props::CoveragePoint& point_of_base(std::uint64_t b, props::SeededSource& source) const;
  /// A valid case of the point, drawn until it fits, but not for ever.
  props::Case draw(props::Source& source, const props::CoveragePoint& point,
                   const props::Limits& limits) const;
  /// The same, drawn until it belongs to the class, but not for ever.
  props::Case draw_of(const std::string& label, props::Source& source,
                      const props::CoveragePoint& point, const props::Limits& limits) const;

  ref::Operator op_;
  Selection selection_;
  std::vector<std::string_view> unpromised_;
  std::vector<props::CoveragePoint> points_;
  std::vector<Block> blocks_;
  std::vector<std::string> classes_;
  std::uint64_t sweep_ = 0;
  std::uint64_t seed_;
};

}  // namespace gradproof::campaign
