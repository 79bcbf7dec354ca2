// Kernels of the library take turns, with each element type and each instruction set. Cases are
// drawn until phase 1 takes one for the kernel whose turn it is: some kernels compute one random
// case in thousands.
#pragma once

#include <map>
#include <optional>

#include "props/campaign/checker.h"
#include "props/campaign/schedule.h"

namespace gradproof::campaign {

class KernelTurns {
 public:
  /// Nothing takes turns where the library does not tell its kernels.
  KernelTurns(const Schedule& schedule, const props::Choices& choices);

  struct Turn {
    props::Case valid;
    props::CoveragePoint point;
    /// It is another instruction set's than the library's own choice.
    bool of_other_set = false;
  };
  /// The case in place of step j's; nothing if the step is no kernel's turn, or no case was found.
  std::optional<Turn> at(std::uint64_t j, const Step& step, Checker& checker) const;

 private:
  /// A coverage point at random of the product that has step's turn.
  const props::CoveragePoint& draw_point(props::SeededSource& source, const Step& step,
                                         std::int32_t type) const;

  const Schedule& schedule_;
  std::vector<std::string> kernels_, sets_;
  std::map<ref::Product, std::vector<std::int32_t>> types_;  ///< of the operator's first tensor
};

}  // namespace gradproof::campaign
