// Sequences: performed on a library and judged, generated.
#pragma once

#include <set>
#include <span>

#include "props/cases/case.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"
#include "props/judge/verdict.h"
#include "props/sequences/model.h"

namespace gradproof::props {

/// Whether sequences can act on the case's call: it has a result (has_result) and fits into memory,
/// and no two of its tensors share memory.
bool can_act(const Case& c);

/// Performs the sequence on the library for the case's call and compares every answer, and every
/// output as soon as it is settled, with the model. Any commands will do: those that have no
/// meaning, or need a function that the library lacks, are left out. `left_out` counts them.
///
/// Sequences must be able to act on the case. The session stands for its product, before and
/// afterwards.
Verdict run_sequence(const Case& c, std::span<const Command> sequence, Session& session,
                     profiles::Use* use = nullptr, int* left_out = nullptr);

/// A small case of the point that sequences can act on; nothing if chance yields none.
std::optional<Case> generate_actor(Source& source, const CoveragePoint& point);

/// Any command, those that are rarely of use rarely.
Command generate_command(Source& source);

/// Commands of which nearly all are executed; mostly short scenes of a few that belong together.
std::vector<Command> generate_sequence(Source& source, const World& world, std::size_t length);

/// Sequences that take the model through all its required transitions, few and short as chance has
/// it. `missing`, if not null, gets those that were not met. Sequences of another operator may be
/// tried first: drawing new ones takes long.
std::vector<std::vector<Command>> covering_sequences(
    const World& world, std::uint64_t seed, std::set<std::string>* missing = nullptr,
    std::span<const std::vector<Command>> tried_first = {});

}  // namespace gradproof::props
