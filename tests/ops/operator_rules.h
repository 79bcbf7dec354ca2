// Tables of rules that an operator has of its own: an edit of the valid call, and what it breaks.
#pragma once

#include <functional>
#include <vector>

#include "tests/ops/expectations.h"

namespace gradproof::test {

struct Row {
  const char* what;
  std::function<void(CallSpec&)> edit;
  const char* rule = "";  ///< empty: still valid
  const char* argument = "";
};

inline void check(Op op, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CallSpec c = valid(op);
    row.edit(c);
    if (*row.rule) {
      expect_refused(c, row.rule, row.argument, row.what);
    } else {
      expect_valid(c, row.what);
    }
  }
}

/// Removes the first axis of every tensor.
inline void drop_batch(CallSpec& c) {
  for (TensorSpec& t : c.tensors) t.shape.erase(t.shape.begin());
}

inline void set_axis(CallSpec& c, std::size_t axis, std::int64_t extent) {
  for (TensorSpec& t : c.tensors) t.shape[axis] = extent;
}

inline auto array(const char* name, std::vector<std::int64_t> values) {
  return [=](CallSpec& c) { c.array(name).values = values; };
}
inline auto extent(const char* tensor, std::size_t axis, std::int64_t value) {
  return [=](CallSpec& c) { c.tensor(tensor).shape[axis] = value; };
}

inline std::vector<Row> operator+(std::vector<Row> a, const std::vector<Row>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace gradproof::test
