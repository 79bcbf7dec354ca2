// Rows of the table of classes, by what they are about, and what its parts share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "props/cases/case.h"
#include "props/cases/shapes.h"

namespace gradproof::props {

struct ClassRow {
  const char* label;
  bool (*applies)(ref::Operator op);
  bool (*holds)(const Case& c);
  bool (*on)(ref::Product product) = nullptr;  ///< null: on every product
};

/// Of tensors: layouts, memory and extents. They apply to every operator.
std::span<const ClassRow> tensor_classes();
/// Of pools: windows, and the arrays that say what they are.
std::span<const ClassRow> window_classes();
/// Of what resizes an image: extents, scales, padding.
std::span<const ClassRow> resizing_classes();

using Shape = std::vector<std::int64_t>;

inline const Shape& in_shape(const Case& c) {
  return c.call.tensors[input_side(c.call.op).front()].shape;
}
inline const Shape& out_shape(const Case& c) {
  return c.call.tensors[output_side(c.call.op)].shape;
}
inline const Shape& padding_of(const Case& c) { return ref::int_array(c.call, "padding").values; }

}  // namespace gradproof::props
