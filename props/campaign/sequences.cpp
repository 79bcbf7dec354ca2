// Chooses the sequences that an operator is checked with.
#include "props/campaign/sequences.h"

#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"
#include "props/sequences/sequence.h"

namespace gradproof::campaign {
namespace {

constexpr std::size_t kLongestDrawn = 40;
/// Cases that are drawn at most to find one that the selection takes.
constexpr int kDraws = 100;

}  // namespace

SequenceQueue::SequenceQueue(const Schedule& schedule, std::vector<ref::Product> products,
                             std::vector<ref::Operator> operators, props::Functions functions,
                             SequenceQueue* first)
    : schedule_(schedule),
      first_(first),
      products_(std::move(products)),
      operators_(std::move(operators)),
      functions_(functions) {}

std::optional<props::Case> SequenceQueue::draw(
    props::Source& source, const std::vector<props::CoveragePoint>& points) const {
  for (int i = 0; i < kDraws; ++i) {
    std::optional<props::Case> c =
        props::generate_actor(source, points[source.below(points.size())]);
    if (!c || schedule_.fits(*c)) return c;
  }
  return std::nullopt;
}

void SequenceQueue::start() {
  started_ = true;
  std::vector<props::CoveragePoint> points = schedule_.coverage_points();
  // Bad indices, which make streams fail, are possible on this product and its like.
  const bool usual =
      std::find(products_.begin(), products_.end(), ref::Product::Ascend910B) != products_.end();
  const ref::Product product = usual ? ref::Product::Ascend910B : points.front().product;
  std::erase_if(points,
                [&](const props::CoveragePoint& point) { return point.product != product; });
  if (points.empty()) return;
  props::SeededSource source = schedule_.source(3, 0);
  actor_ = draw(source, points);
  if (!actor_) return;
  const props::World world(*actor_, operators_, functions_);
  required_ = props::required_transitions(world);
  // Most of another operator's sequences go through the same transitions of this one's.
  if (first_ != nullptr) first_->covering();
  covering_ =
      props::covering_sequences(world, source.below(~std::uint64_t{0}), nullptr,
                                first_ != nullptr ? std::span(first_->covering_)
                                                  : std::span<const std::vector<props::Command>>());
}

std::uint64_t SequenceQueue::covering() {
  if (!started_) start();
  return covering_.size();
}

const std::vector<std::string>& SequenceQueue::required() {
  if (!started_) start();
  return required_;
}

std::optional<SequenceQueue::Next> SequenceQueue::at(std::uint64_t s) {
  if (s < covering()) {
    actor_->sequence = covering_[s];
    return Next{*actor_, props::World(*actor_, operators_, functions_)};
  }
  props::SeededSource source = schedule_.source(4, s);
  const std::vector<props::CoveragePoint>& points = schedule_.coverage_points();
  std::optional<props::Case> c = draw(source, points);
  if (!c) return std::nullopt;
  props::World world(*c, operators_, functions_);
  c->sequence = props::generate_sequence(source, world, 1 + source.below(kLongestDrawn));
  if (c->sequence.empty()) return std::nullopt;
  return Next{*std::move(c), std::move(world)};
}

}  // namespace gradproof::campaign
