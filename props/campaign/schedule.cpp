// Case j of an operator.
#include "props/campaign/schedule.h"

#include <algorithm>
#include <utility>

#include "props/cases/describe/classes.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/describe/promises.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/layers.h"
#include "props/cases/generate/source.h"
#include "props/cases/hash.h"
#include "props/cases/shapes.h"

namespace gradproof::campaign {
namespace {

/// Of so many cases one has a long axis, one is a large image, one is a network's layer, one is
/// just so large that threads share it; each at a place of its own.
constexpr std::uint64_t kRare = 32, kLongAxis = 20, kLargeImage = 12, kLayer = 28, kDivided = 5;
/// The class of those that threads share, if the operator has it.
constexpr std::string_view kMeeting = "windows-overlap";
/// Cases that are drawn at most to find one of the class whose turn it is.
constexpr int kDraws = 16;
/// The same for a case that a selection takes.
constexpr int kDrawsOfSelection = 200;
/// Elements of a case with many planes: a few of each, or 64 bytes of a mask.
constexpr std::int64_t kElementsOfPlanes = 1 << 18, kBytesOfMasks = 1 << 23;
/// The sources of steps and of bases.
constexpr std::uint64_t kOfSteps = 0, kOfBases = 1;
/// A valid case's borders are the same whatever its size.
constexpr std::int64_t kSmall = 512;
/// On each product so many bases of boundary cases come before chance decides.
constexpr std::uint64_t kBasesOfAProduct = Schedule::kStepsOnAProduct;
constexpr auto kMisuses = static_cast<std::uint64_t>(props::Misuse::dead_stream);

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  props::SeededSource source(a * props::kStep + b);
  return source.below(~std::uint64_t{0});
}

/// The case itself is one that has a result to check; the misuse that came with it is its variant.
void part_misuse(Step& step) {
  const props::Misuse drawn = std::exchange(step.valid.misuse, props::Misuse::none);
  if (step.misuse == props::Misuse::none) step.misuse = drawn;
}

}  // namespace

Schedule::Schedule(ref::Operator op, std::span<const ref::Product> products, std::uint64_t seed,
                   Selection selection, std::vector<std::string_view> unpromised)
    : op_(op),
      selection_(std::move(selection)),
      unpromised_(std::move(unpromised)),
      seed_(mix(seed, std::uint64_t{0x0F} + static_cast<std::uint64_t>(op))) {
  for (const ref::Product product : products) {
    const std::size_t first = points_.size();
    for (const props::CoveragePoint& point : props::coverage_points(op)) {
      if (point.product == product && selection_.takes(point)) points_.push_back(point);
    }
    if (points_.size() > first) blocks_.push_back({first, points_.size() - first});
  }
  for (std::string label : drawn_classes(op, products)) {
    if (selection_.classes.takes(label)) classes_.push_back(std::move(label));
  }
  if (classes_.empty()) points_.clear(), blocks_.clear();
  std::size_t most = 0;
  for (const Block& block : blocks_) most = std::max(most, block.count);
  const std::uint64_t rounds = (most + kStepsOnAProduct - 1) / kStepsOnAProduct;
  sweep_ = rounds * kStepsOnAProduct * blocks_.size();
}

ref::Product Schedule::product(std::uint64_t j) const { return points_[block_of(j).first].product; }

bool Schedule::is_large(std::uint64_t j) const {
  return ref::is_backward(op_) && selection_.at_most == 0 &&
         (j % kRare == kLargeImage || j % kRare == kLayer);
}

bool Schedule::is_divided(std::uint64_t j) const {
  return selection_.at_most == 0 && j % kRare == kDivided;
}

props::Case Schedule::draw(props::Source& source, const props::CoveragePoint& point,
                           const props::Limits& limits) const {
  props::Limits within = limits;
  if (const std::int64_t most = selection_.at_most; most > 0 && most < kSmall)
    within.max_elements = std::min(limits.max_elements, 4 * most * most);
  props::Case c = props::generate_valid(source, point, within);
  for (int i = 1; i < kDrawsOfSelection && !fits(c); ++i)
    c = props::generate_valid(source, point, within);
  return c;
}

bool Schedule::fits(const props::Case& c) const {
  if (!wants(c)) return false;
  if (unpromised_.empty()) return true;
  return std::ranges::none_of(props::promises_asked(c), [&](std::string_view promise) {
    return std::ranges::find(unpromised_, promise) != unpromised_.end();
  });
}

props::Case Schedule::draw_of(const std::string& label, props::Source& source,
                              const props::CoveragePoint& point,
                              const props::Limits& limits) const {
  const auto belongs = [&](const props::Case& c) {
    const std::vector<std::string> of = props::classes(c);
    return std::find(of.begin(), of.end(), label) != of.end();
  };
  props::Case c = draw(source, point, limits);
  for (int i = 1; i < kDraws && wants(c) && !belongs(c); ++i) c = draw(source, point, limits);
  return c;
}

const Schedule::Block& Schedule::block_of(std::uint64_t j) const {
  return blocks_[j / kStepsOnAProduct % blocks_.size()];
}

std::uint64_t Schedule::nth_of_block(std::uint64_t j) const {
  return j / kStepsOnAProduct / blocks_.size() * kStepsOnAProduct + j % kStepsOnAProduct;
}

const props::CoveragePoint& Schedule::point_of_step(std::uint64_t j,
                                                    props::SeededSource& source) const {
  const Block& block = block_of(j);
  const std::uint64_t nth = nth_of_block(j);
  return points_[block.first + (nth < block.count ? nth : source.below(block.count))];
}

const props::CoveragePoint& Schedule::point_of_base(std::uint64_t b,
                                                    props::SeededSource& source) const {
  const Block& block = block_of(b);
  const std::uint64_t at = b < first_bases() ? b % kStepsOnAProduct * 7 : source.below(block.count);
  return points_[block.first + at % block.count];
}

std::int32_t Schedule::type_of_step(std::uint64_t j) const {
  props::SeededSource source = this->source(kOfSteps, j);
  return point_of_step(j, source).dtype;
}

std::int32_t Schedule::type_of_base(std::uint64_t b) const {
  props::SeededSource source = this->source(kOfBases, b);
  return point_of_base(b, source).dtype;
}

Step Schedule::step(std::uint64_t j) const {
  const std::uint64_t nth = nth_of_block(j);
  const bool sweep = nth < block_of(j).count;
  props::SeededSource source = this->source(kOfSteps, j);
  Step step;
  step.point = point_of_step(j, source);
  // Every kind of misuse comes up first, later it is one case in eight.
  const bool in_turn = sweep || nth < kMisuses;
  if (in_turn || source.below(8) == 0)
    step.misuse =
        static_cast<props::Misuse>(1 + (in_turn ? nth : source.below(kMisuses)) % kMisuses);

  props::Limits limits;
  const std::uint64_t place = j % kRare;
  limits.long_axis = place == kLongAxis && selection_.at_most == 0;
  const bool large = is_large(j);
  limits.divided = is_divided(j);
  const bool layer = large && place == kLayer && props::layer_count(op_) > 0;
  if (layer) limits.layer = static_cast<int>(j / kRare % props::layer_count(op_));
  const auto meeting = std::find(classes_.begin(), classes_.end(), kMeeting);
  const std::string& wanted =
      limits.divided && meeting != classes_.end() ? *meeting : classes_[j % classes_.size()];
  const bool by_class =
      limits.divided ? meeting != classes_.end() : !sweep && !large && !limits.long_axis;
  const bool alone = classes_.size() == 1 && !large && !limits.long_axis && !limits.divided;
  limits.planes = (by_class || alone) && wanted == props::kManyPlanes && selection_.at_most == 0;
  // Mostly small; now and then large enough to be divided among threads.
  const std::uint64_t size = source.below(64);
  const std::int64_t of_planes = props::has_mask(op_) ? kBytesOfMasks : kElementsOfPlanes;
  limits.max_elements = large              ? 1 << 20
                        : limits.long_axis ? 1 << 17
                        : limits.planes    ? of_planes
                        : limits.divided   ? 1 << 18
                        : sweep            ? kSmall
                        : size == 0        ? 1 << 17
                        : size < 16        ? 256
                        : size < 32        ? 1024
                                           : 4096;
  step.valid =
      by_class ? draw_of(wanted, source, step.point, limits) : draw(source, step.point, limits);
  part_misuse(step);
  return step;
}

props::Case Schedule::candidate(std::uint64_t n, const props::CoveragePoint& point,
                                std::int64_t max_elements) const {
  props::SeededSource source = this->source(2, n);
  const props::Limits limits{.max_elements = max_elements, .long_axis = source.below(16) == 0};
  props::Case c = draw(source, point, limits);
  c.misuse = props::Misuse::none;
  return c;
}

props::Case Schedule::small(std::uint64_t n) const {
  const Block& block = blocks_[n / kSmallOnAProduct % blocks_.size()];
  props::SeededSource source = this->source(6, n);
  const props::CoveragePoint& point = points_[block.first + source.below(block.count)];
  const std::string& label = classes_[source.below(classes_.size())];
  // From 4096 on, what kernels are made for is drawn; some of it needs more.
  const std::uint64_t size = source.below(16);
  const props::Limits limits{.max_elements = size < 4 ? 512 : size < 15 ? 4096 : 8192};
  props::Case c = draw_of(label, source, point, limits);
  c.misuse = props::Misuse::none;
  return c;
}

std::uint64_t Schedule::first_bases() const { return kBasesOfAProduct * blocks_.size(); }

props::Case Schedule::base(std::uint64_t b) const {
  props::SeededSource source = this->source(kOfBases, b);
  const props::CoveragePoint& point = point_of_base(b, source);
  return draw(source, point, {.max_elements = kSmall});
}

bool Schedule::due(std::uint64_t j, int every) const {
  return every <= 1 || mix(seed_ ^ 0xD1CEu, j) % static_cast<std::uint64_t>(every) == 0;
}

props::SeededSource Schedule::source(std::uint64_t kind, std::uint64_t n) const {
  return props::SeededSource(mix(seed_ ^ (kind << 56), n));
}

}  // namespace gradproof::campaign
