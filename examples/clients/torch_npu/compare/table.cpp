// Counts compared calls, and defines when results are equal.
#include "table.h"

#include <cstdio>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

namespace compare {
namespace {

struct Row {
  int calls = 0, equal = 0;
};
std::mutex mutex;
std::map<std::tuple<std::string, std::string, std::string>, Row> rows;

double unit(at::ScalarType type) {
  switch (type) {
    case at::kHalf: return 0x1p-10;
    case at::kBFloat16: return 0x1p-7;
    case at::kFloat: return std::numeric_limits<float>::epsilon();
    default: return std::numeric_limits<double>::epsilon();
  }
}

}  // namespace

void count(const std::string& op, const std::string& convention, at::ScalarType type, bool equal,
           const std::string& where) {
  const std::lock_guard lock(mutex);
  Row& row = rows[{op, convention, c10::toString(type)}];
  ++row.calls;
  row.equal += equal ? 1 : 0;
  if (!equal)
    std::fprintf(stderr, "differs: %s, %s, %s, %s\n", op.c_str(), convention.c_str(),
                 c10::toString(type), where.c_str());
}

void print_counts() {
  for (const auto& [key, row] : rows) {
    const auto& [op, convention, type] = key;
    std::printf("%s\t%s\t%s\t%d\t%d\n", op.c_str(), convention.c_str(), type.c_str(), row.calls,
                row.equal);
  }
}

int differences() {
  int differing = 0;
  for (const auto& [key, row] : rows) differing += row.calls - row.equal;
  return differing;
}

bool same(const at::Tensor& result, const at::Tensor& due) {
  return result.sizes().equals(due.sizes()) && result.to(at::kDouble).equal(due.to(at::kDouble));
}

bool close(const at::Tensor& result, const at::Tensor& due, const at::Tensor& magnitude,
           const at::Tensor& roundings) {
  if (!result.sizes().equals(due.sizes())) return false;
  const at::Tensor values = result.to(at::kDouble);
  const at::Tensor room = roundings.clamp_min(0).mul(0x1p-24).mul(magnitude);
  return values.sub(due)
      .abs()
      .le(room.add(values.abs().mul(unit(result.scalar_type()) / 2)))
      .all()
      .item<bool>();
}

}  // namespace compare
