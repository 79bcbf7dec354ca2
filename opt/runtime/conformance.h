// Where the functions around the operators answer as CANN does: one table, of which
// docs/conformance.md is made too. The operators' own table is opt/ops/conformance_table.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "opt/runtime/config.h"

namespace gradproof {

enum class RuntimeWay : std::uint8_t {
  resolved_file,     ///< aclInit's file has a name that realpath resolves
  failure_consumes,  ///< a phase 2 that fails ends its executor
  destroyed_again,   ///< an executor that is gone may be destroyed
  null_destroyed,    ///< null descriptors may be destroyed
  tensor_first,      ///< aclSet*TensorAddr look at the tensor first
  any_index,         ///< and ignore an index that no tensor has
};

struct RuntimeDifference {
  RuntimeWay way;
  const char *functions, *input, *documented, *cann, *source;
};
std::span<const RuntimeDifference> runtime_differences() noexcept;

/// Whether a conformance goes CANN's way; the one in force if none is named.
bool goes(RuntimeWay way, Conformance conformance) noexcept;
bool goes(RuntimeWay way) noexcept;

}  // namespace gradproof
