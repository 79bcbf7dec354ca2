// The vocabulary of the text form, and the defaults that it leaves out.
#include <array>
#include <limits>

#include "props/cases/case.h"

namespace gradproof::props {
namespace {

constexpr std::array<std::string_view, 10> kFillNames = {
    "integers", "uniform",        "normal",  "constant", "powers",
    "special",  "zeros_and_ones", "forward", "in_range", "one_bad"};
constexpr std::array<std::string_view, 10> kMisuseNames = {"none",
                                                           "null_executor",
                                                           "null_workspace",
                                                           "small_workspace",
                                                           "null_data",
                                                           "consumed_executor",
                                                           "destroyed_executor",
                                                           "foreign_executor",
                                                           "unknown_executor",
                                                           "dead_stream"};

}  // namespace

std::string_view name(Fill::Kind kind) { return kFillNames[static_cast<std::size_t>(kind)]; }
std::string_view name(Misuse misuse) { return kMisuseNames[static_cast<std::size_t>(misuse)]; }

Fill default_fill(ref::Operator op, int slot) {
  Fill fill;
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if (p.kind == ref::Kind::tensor && p.slot == slot && p.name == "indices" &&
        p.access == ref::Access::read) {
      fill.kind = Fill::Kind::forward;
    }
  }
  return fill;
}

std::vector<std::int64_t> default_storage(const ref::Tensor& t) {
  const bool contiguous = t.null_strides || t.strides == ref::contiguous_strides(t.shape);
  if ((contiguous && t.offset == 0) || t.offset < 0) return t.shape;
  const std::vector<std::int64_t> strides =
      contiguous ? ref::contiguous_strides(t.shape) : t.strides;
  std::int64_t last = t.offset;
  bool empty = false;
  for (std::size_t axis = 0; axis < t.shape.size() && axis < strides.size(); ++axis) {
    const std::int64_t extent = t.shape[axis], stride = strides[axis];
    if (extent < 0 || stride < 0) return t.shape;
    if (extent == 0) empty = true;
    std::int64_t reach = 0;
    if (extent > 1 && (__builtin_mul_overflow(extent - 1, stride, &reach) ||
                       __builtin_add_overflow(last, reach, &last))) {
      return t.shape;
    }
  }
  if (empty) return {t.offset};
  if (last == std::numeric_limits<std::int64_t>::max()) return t.shape;
  return {last + 1};
}

Case blank_case(ref::Operator op) {
  Case c;
  c.call.op = op;
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    switch (p.kind) {
      case ref::Kind::tensor: c.call.tensors.emplace_back(); break;
      case ref::Kind::int_array: c.call.arrays.emplace_back(); break;
      case ref::Kind::flag: c.call.flags.push_back(0); break;
      case ref::Kind::real: c.call.reals.push_back(0); break;
    }
  }
  for (int slot = 0; slot < static_cast<int>(c.call.tensors.size()); ++slot) {
    c.fills.push_back(default_fill(op, slot));
  }
  return c;
}

}  // namespace gradproof::props
