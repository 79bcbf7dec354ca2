// What tests of workers share: one on the fake library, and a case that most of its faults spare.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "props/worker/worker.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {

/// Long enough for the slowest machine to answer.
inline constexpr double kPatience = 60;

inline std::unique_ptr<Examiner> examine(
    double timeout = kPatience, std::function<bool()> stop = [] { return false; },
    std::vector<std::string> libraries = {FAKE_BOTH}) {
  return examine_in_worker({.libraries = std::move(libraries)},
                           {timeout, std::move(stop), GRADPROOF_PROGRAM});
}

/// One whose gradInput is two elements wide: the faults of single calls spare it.
inline Case spared_case() {
  Case c = blank_case(ref::Operator::replication_pad2d_backward);
  for (const auto& [slot, shape] : {std::pair(0, std::vector<std::int64_t>{1, 1, 2, 3}),
                                    {1, {1, 1, 2, 2}},
                                    {2, {1, 1, 2, 2}}}) {
    ref::Tensor& t = c.call.tensors[static_cast<std::size_t>(slot)];
    t.shape = t.storage = shape;
    t.strides = ref::contiguous_strides(shape);
  }
  c.call.arrays[0].values = {1, 0, 0, 0};
  return c;
}

inline const Property& equivalence = *find_property("equivalence");

}  // namespace gradproof::props
