// Kernels of the library take turns, with each element type and each instruction set. Cases are
// drawn until phase 1 takes one for the kernel whose turn it is: some kernels compute one random
// case in thousands.
#pragma once

#include <map>
#include <optional>
#include <tuple>

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
  /// @param runs  what has run so far: what ran too rarely comes first. Null: which turn it is
  ///              depends on j alone
  std::optional<Turn> at(std::uint64_t j, const Step& step, Checker& checker,
                         const props::KernelUses* runs = nullptr);

 private:
  /// Kernel, element type and instruction set; "" for the library's own choice.
  using Way = std::tuple<std::string, std::int32_t, std::string>;
  Way way(std::size_t turn, const std::vector<std::int32_t>& types) const;
  /// The next turn whose way ran too rarely, of those the one with the fewest failed searches;
  /// the turn itself if there is none.
  std::size_t due(std::size_t turn, const std::vector<std::int32_t>& types,
                  const props::KernelUses& runs) const;
  std::uint64_t count(const Way& way, const props::KernelUses& runs) const;
  /// A coverage point at random of the product that has step's turn.
  const props::CoveragePoint& draw_point(props::SeededSource& source, const Step& step,
                                         std::int32_t type) const;

  const Schedule& schedule_;
  std::vector<std::string> kernels_, sets_;
  std::map<ref::Product, std::vector<std::int32_t>> types_;  ///< of the operator's first tensor
  std::map<Way, int> failed_searches_;                       ///< that found no case
};

}  // namespace gradproof::campaign
