// Small valid calls of all ten operators, with pairwise different axes, and dense data for them.
#pragma once

#include <cstdint>
#include <vector>

#include "ref/call.h"
#include "ref/element.h"
#include "ref/exact.h"
#include "ref/types.h"

namespace gradproof::ref::testing {

using Shape = std::vector<std::int64_t>;

inline Tensor make_tensor(const Shape& shape, std::int32_t dtype = kFloat,
                          std::int32_t format = kNd) {
  Tensor t;
  t.dtype = dtype;
  t.format = format;
  t.shape = shape;
  t.strides = contiguous_strides(shape);
  t.storage = shape;
  return t;
}

/// Gives a tensor another shape, contiguous in a storage of its own.
inline void reshape(Tensor& t, const Shape& shape) {
  t.shape = shape;
  t.strides = contiguous_strides(shape);
  t.storage = shape;
}

inline std::vector<IntArray> make_arrays(const std::vector<Shape>& values) {
  std::vector<IntArray> arrays;
  for (const Shape& v : values) arrays.push_back({false, v});
  return arrays;
}

inline Call valid_call(Operator op) {
  Call c;
  c.op = op;
  const Shape self3 = {2, 3, 5, 6, 7}, window3 = {2, 3, 3, 4, 3}, adaptive = {2, 3, 2, 4, 3};
  const Shape self2 = {2, 17, 6, 7}, window2 = {2, 17, 3, 2}, mask = {2, 17, 6, 64};
  const Shape small = {2, 3, 4, 5}, large = {2, 3, 7, 6}, padded = {2, 3, 6, 8};
  const std::vector<Shape> arrays3 = {{2, 3, 2}, {2, 1, 3}, {1, 0, 1}, {1, 1, 1}};
  const std::vector<Shape> arrays2 = {{3, 2}, {2, 3}, {1, 0}, {1, 1}};
  auto f = [](const Shape& s) { return make_tensor(s); };
  auto image = [](const Shape& s) { return make_tensor(s, kFloat, kNchw); };
  switch (op) {
    case Operator::max_pool3d_with_argmax_backward:
      c.tensors = {f(window3), f(self3), make_tensor(window3, kInt32), f(self3)};
      c.arrays = make_arrays(arrays3);
      c.flags = {0};
      break;
    case Operator::max_pool3d_with_argmax:
      c.tensors = {f(self3), f(window3), make_tensor(window3, kInt32)};
      c.arrays = make_arrays(arrays3);
      c.flags = {0};
      break;
    case Operator::max_pool2d_with_mask_backward:
      c.tensors = {f(window2), f(self2), make_tensor(mask, kInt8), f(self2)};
      c.arrays = make_arrays(arrays2);
      c.flags = {0};
      break;
    case Operator::max_pool2d_with_mask:
      c.tensors = {f(self2), f(window2), make_tensor(mask, kInt8)};
      c.arrays = make_arrays(arrays2);
      c.flags = {0};
      break;
    case Operator::upsample_bilinear2d_backward:
      c.tensors = {image(large), image(small)};
      c.arrays = make_arrays({{7, 6}, small});
      c.flags = {0};
      c.reals = {0, 0};
      break;
    case Operator::upsample_bilinear2d:
      c.tensors = {image(small), image(large)};
      c.arrays = make_arrays({{7, 6}});
      c.flags = {0};
      c.reals = {0, 0};
      break;
    case Operator::replication_pad2d_backward:
      c.tensors = {f(padded), f(small), f(small)};
      c.arrays = make_arrays({{1, 2, -1, 3}});
      break;
    case Operator::replication_pad2d:
      c.tensors = {f(small), f(padded)};
      c.arrays = make_arrays({{1, 2, -1, 3}});
      break;
    case Operator::adaptive_max_pool3d_backward:
      c.tensors = {f(adaptive), f(self3), make_tensor(adaptive, kInt32), f(self3)};
      break;
    case Operator::adaptive_max_pool3d:
      c.tensors = {f(self3), f(adaptive), make_tensor(adaptive, kInt32)};
      c.arrays = make_arrays({{2, 4, 3}});
      break;
  }
  return c;
}

inline std::vector<Operator> all_operators() {
  std::vector<Operator> ops;
  for (int i = 0; i < kOperatorCount; ++i) ops.push_back(static_cast<Operator>(i));
  return ops;
}

/// Dense data of a tensor, component by component; rounds to the type.
inline Dense make_dense(std::int32_t dtype, const Shape& shape,
                        const std::vector<long double>& values) {
  Dense d{dtype, shape, {}};
  d.bytes.resize(values.size() / components(dtype) * dtype_size(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) {
    store(d.bytes.data(), component_type(dtype), static_cast<std::int64_t>(i), values[i]);
  }
  return d;
}

inline std::int64_t count(const Shape& shape) {
  std::int64_t n = 1;
  for (std::int64_t d : shape) n *= d;
  return n;
}

/// Small whole numbers, all different from their neighbours.
inline Dense numbers(const Tensor& t, std::int64_t seed) {
  std::vector<long double> values;
  for (std::int64_t i = 0; i < count(t.shape) * components(t.dtype); ++i) {
    values.push_back(static_cast<long double>((i * 37 + seed * 11 + i * i * 5) % 101 - 50));
  }
  return make_dense(t.dtype, t.shape, values);
}

/// All components of an output in row-major order.
inline std::vector<Exact> whole(const Evaluation& e, const Call& c, int output_slot) {
  const Tensor& t = c.tensors[output_slot];
  const std::int64_t parts = components(t.dtype);
  std::vector<Exact> all(static_cast<std::size_t>(count(t.shape) * parts));
  for (std::int64_t i = 0; i < e.plane_count(output_slot); ++i) {
    const Plane p = e.plane(output_slot, i);
    for (std::size_t k = 0; k < p.values.size(); ++k) {
      const auto element = static_cast<std::int64_t>(k) / parts,
                 part = static_cast<std::int64_t>(k) % parts;
      all[(p.first + element * p.step) * parts + part] = p.values[k];
    }
  }
  return all;
}

inline std::vector<long double> values_of(const std::vector<Exact>& all) {
  std::vector<long double> values;
  for (const Exact& e : all) values.push_back(e.value);
  return values;
}

/// Values of the first (or given) output of a call.
inline std::vector<long double> run(const Call& c, const std::vector<Dense>& inputs,
                                    int output = 0) {
  const Evaluation e(c, inputs);
  return values_of(whole(e, c, e.outputs()[output]));
}

}  // namespace gradproof::ref::testing
