// Rules on the relations between shapes, from both sides.
#include "rules_common.h"

namespace gradproof::ref::testing {
namespace {

TEST(Rules, ShapesOfEveryTensorAndAxis) {
  for (Operator op : all_operators()) {
    each_tensor(op, [&](const Parameter& p) {
      for (std::size_t axis = 0; axis < valid_call(op).tensors[p.slot].shape.size(); ++axis) {
        Call c = valid_call(op);
        Shape shape = c.tensors[p.slot].shape;
        // A window pool rounds down, so one more input element need not change the output; a stride
        // does.
        shape[axis] += p.name == "self" ? 3 : 1;
        reshape(c.tensors[p.slot], shape);
        const bool sized =
            op == Operator::adaptive_max_pool3d || op == Operator::upsample_bilinear2d;
        const bool free =
            sized && p.name == "self" && axis >= 2;  // the output has a size of its own
        EXPECT_EQ(first_broken(c), free ? "" : "shape")
            << signature(op).stem << " " << p.name << axis;
      }
    });
  }
  // Of two tensors that disagree the later one in parameter order is named.
  for (const char* broken : {"gradOutput", "self"}) {
    Call c = valid_call(Operator::max_pool3d_with_argmax_backward);
    ++tensor(c, broken).shape[1];
    EXPECT_TRUE(breaks(c, "shape", "self"));
  }
  for (const char* broken : {"indices", "gradInput"}) {
    Call c = valid_call(Operator::adaptive_max_pool3d_backward);
    ++tensor(c, broken).shape[4];
    EXPECT_TRUE(breaks(c, "shape", broken));
  }
}

TEST(Rules, PooledExtents) {
  struct Row {
    std::int64_t in, k, s, p;
    bool ceil;
    std::int64_t out;
  };
  const Row table[] = {{5, 2, 2, 0, false, 2}, {5, 2, 2, 0, true, 3},  {4, 2, 2, 0, true, 2},
                       {4, 2, 3, 1, true, 2},  {1, 3, 1, 1, false, 1}, {7, 3, 2, 1, false, 4},
                       {2, 2, 5, 1, true, 1},  {9, 4, 3, 2, true, 4}};
  for (const Row& r : table) {
    for (std::int64_t out : {r.out - 1, r.out, r.out + 1}) {
      if (out < 1) continue;
      Call c = valid_call(Operator::max_pool3d_with_argmax_backward);
      c.tensors = {make_tensor({1, 1, 1, out}), make_tensor({1, 1, 1, r.in}),
                   make_tensor({1, 1, 1, out}, kInt32), make_tensor({1, 1, 1, r.in})};
      c.arrays = make_arrays({{1, 1, r.k}, {1, 1, r.s}, {0, 0, r.p}, {1}});
      c.flags = {r.ceil};
      EXPECT_EQ(first_broken(c), out == r.out ? "" : "shape")
          << r.in << " " << r.k << " " << r.s << " " << r.p << r.ceil << " " << out;
    }
  }
  // A kernel larger than the padded input leaves nothing.
  Call c = valid_call(Operator::max_pool3d_with_argmax_backward);
  c.tensors = {make_tensor({1, 1, 1, 1}), make_tensor({1, 1, 1, 3}),
               make_tensor({1, 1, 1, 1}, kInt32), make_tensor({1, 1, 1, 3})};
  c.arrays = make_arrays({{1, 1, 4}, {1}, {0}, {1}});
  EXPECT_TRUE(breaks(c, "shape", "self"));
}

TEST(Rules, MaskShape) {
  // Ho·Wo = 16 needs (1 + 1)·32 bytes, 17 needs (2 + 1)·32.
  for (std::int64_t width : {16, 17}) {
    Call c = valid_call(Operator::max_pool2d_with_mask_backward);
    const std::int64_t bytes = width == 16 ? 64 : 96;
    c.tensors = {make_tensor({3, 1, width}), make_tensor({3, 1, width}),
                 make_tensor({3, 1, bytes}, kInt8), make_tensor({3, 1, width})};
    c.arrays = make_arrays({{1}, {}, {0}, {1}});
    EXPECT_TRUE(holds(c));
    c.tensors[2] = make_tensor({3, 1, 160 - bytes}, kInt8);
    EXPECT_TRUE(breaks(c, "shape", "indices"));
  }
}

TEST(Rules, IndexRange) {
  for (Operator op : {Operator::adaptive_max_pool3d_backward, Operator::adaptive_max_pool3d}) {
    for (std::int64_t plane : {std::int64_t{2147483647}, std::int64_t{2147483648}}) {
      Call c = valid_call(op);
      const Shape large = {1, 1, 1, plane};
      each_tensor(op, [&](const Parameter& p) {
        const bool is_large = p.name == "self" || p.name == "gradInput";
        reshape(c.tensors[p.slot], is_large ? large : Shape{1, 2, 4, 3});
        c.tensors[p.slot].shape[1] = is_large ? 1 : 2;
      });
      if (!is_backward(op)) int_array(c, "outputSize").values = {2, 4, 3};
      if (plane <= 2147483647)
        EXPECT_TRUE(holds(c));
      else
        EXPECT_TRUE(breaks(c, "index-range", "self"));
    }
  }
}

}  // namespace
}  // namespace gradproof::ref::testing
