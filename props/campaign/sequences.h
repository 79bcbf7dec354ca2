// The sequences of one operator: first those that walk the life-cycle model, then drawn ones.
#pragma once

#include <optional>
#include <vector>

#include "props/campaign/schedule.h"
#include "props/sequences/model.h"

namespace gradproof::campaign {

class SequenceQueue {
 public:
  struct Next {
    props::Case test;
    props::World world;
  };

  /// @param operators, functions  that the library has
  /// @param first  the queue of the campaign's first operator, so that shards agree; null: this one
  SequenceQueue(const Schedule& schedule, std::vector<ref::Product> products,
                std::vector<ref::Operator> operators, props::Functions functions,
                SequenceQueue* first = nullptr);

  /// The sequences that walk the model are numbers 0 to covering() - 1.
  std::uint64_t covering();
  /// Sequence number s, a function of the schedule and s; nothing if chance yields no case.
  std::optional<Next> at(std::uint64_t s);
  /// The transitions that have to be gone through.
  const std::vector<std::string>& required();

 private:
  void start();
  /// A case that sequences call, of one of the points; nothing if none came up that the selection
  /// takes.
  std::optional<props::Case> draw(props::Source& source,
                                  const std::vector<props::CoveragePoint>& points) const;

  const Schedule& schedule_;
  SequenceQueue* const first_;
  const std::vector<ref::Product> products_;
  const std::vector<ref::Operator> operators_;
  const props::Functions functions_;
  bool started_ = false;
  std::optional<props::Case> actor_;  ///< of the covering sequences
  std::vector<std::vector<props::Command>> covering_;
  std::vector<std::string> required_;
};

}  // namespace gradproof::campaign
