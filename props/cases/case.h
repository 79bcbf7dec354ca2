// The Case: one check, whole. A call, the data recipe that fills its tensors, and at most one
// misuse of phase 2, or a sequence of calls around it. Text, bytes, generator, ATK JSON, fuzzers,
// benchmarks and the command line all meet here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/command.h"
#include "ref/call.h"
#include "ref/exact.h"

namespace gradproof::props {

/// How a tensor's elements are made. Element i's value depends on the case's seed, the tensor's
/// slot and i alone: neither layout nor threads change it.
struct Fill {
  enum class Kind : std::uint8_t {
    integers,  ///< small whole numbers in [−a, a], exactly summable; default a = 8
    uniform,   ///< uniform in [a, b], rounded to the type
    normal,    ///< normal with mean a and standard deviation b
    constant,  ///< a everywhere (may be nan or ±inf)
    powers,    ///< ± powers of two over the type's whole exponent range, cancelling heavily
    special,   ///< mixture: NaN, ±Inf, ±0, subnormals, the largest finite, ordinary values
    zeros_and_ones,
    // For `indices` only:
    forward,   ///< the forward's argmax (or mask) of `self` as its own recipe fills it
    in_range,  ///< any position of the input plane, in its window or not; any mask bits
    one_bad,   ///< in_range with exactly one index outside (pools with INT32 indices only)
  };
  Kind kind = Kind::integers;
  double a = 8;
  double b = 0;

  friend bool operator==(const Fill&, const Fill&) = default;
};

/// A wrong use of phase 2 after a phase 1 that succeeded. The table in docs/contract.md.
enum class Misuse : std::uint8_t {
  none,
  null_executor,
  null_workspace,     ///< applies only when the workspace is not empty
  small_workspace,    ///< one byte less than phase 1 said; likewise
  null_data,          ///< the first tensor whose data phase 2 needs has a null data pointer
  consumed_executor,  ///< the same executor a second time
  destroyed_executor,
  foreign_executor,  ///< an executor of another operator
  unknown_executor,  ///< a pointer that was never handed out
  dead_stream,       ///< a destroyed stream
};

struct Case {
  ref::Call call;
  std::vector<Fill> fills;  ///< by tensor slot
  std::uint64_t seed = 0;
  Misuse misuse = Misuse::none;
  /// Runtime and executor calls made with the call, instead of performing it once; see command.h.
  std::vector<Command> sequence;

  friend bool operator==(const Case&, const Case&) = default;
};

/// "integers", "forward", "dead_stream", …: the words of the text form.
std::string_view name(Fill::Kind kind);
std::string_view name(Misuse misuse);

/// What the text form leaves out for a tensor: `forward` for indices that are read, else integers.
Fill default_fill(ref::Operator op, int slot);
/// Likewise: the shape of a contiguous view at offset 0, else one dimension that just holds the
/// view.
std::vector<std::int64_t> default_storage(const ref::Tensor& t);
/// A call of `op` with as many tensors, arrays, flags and reals as it has parameters, all empty.
Case blank_case(ref::Operator op);

/// One line: operator first, then key=value tokens (see docs/case.md). Reads back to the same Case.
/// The vectors must fit the operator's signature, strides their shape (unless null_strides),
/// and `shares` be -1 or a slot.
std::string to_text(const Case& c);
/// Throws InputError that names the offending token and its column.
Case parse_case(std::string_view text);

}  // namespace gradproof::props
