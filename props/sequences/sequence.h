// Sequences: performed on a library and judged, generated.
#pragma once

#include <set>

#include "props/cases/generator.h"
#include "props/judge/verdict.h"
#include "props/sequences/model.h"

namespace gradproof::props {

/// Performs the sequence on the library for the case's call and compares every answer, and every
/// output as soon as it is settled, with the model. Any commands will do: those that have no
/// meaning, or need a function that the library lacks, are left out. `left_out` counts them.
///
/// The case must have a result (has_result), and no two of its tensors may share memory. The
/// session stands for the case's product, before and afterwards.
Verdict run_sequence(const Case& c, std::span<const Command> sequence, Session& session,
                     profiles::Use* use = nullptr, int* left_out = nullptr);

/// A small case of the cell that sequences can act on; nothing if chance yields none.
std::optional<Case> generate_actor(Source& source, const Cell& cell);

/// Any command, those that are rarely of use rarely.
Command generate_command(Source& source);

/// Commands of which nearly all are executed; mostly short scenes of a few that belong together.
std::vector<Command> generate_sequence(Source& source, const World& world, std::size_t length);

/// Sequences that take the model through all its required transitions, few and short as chance has
/// it. `missing`, if not null, gets those that were not met.
std::vector<std::vector<Command>> covering_sequences(const World& world, std::uint64_t seed,
                                                     std::set<std::string>* missing = nullptr);

}  // namespace gradproof::props
