// Rules on products, types, formats, ranks and dimensions, from both sides.
#include <set>

#include "rules_common.h"

namespace gradproof::ref::testing {
namespace {

TEST(Rules, ProductsAndDtypes) {
  const std::int32_t all[] = {kFloat,     kFloat16,        kInt8,       kInt32,  kUint8,  kInt16,
                              kUint16,    kUint32,         kInt64,      kUint64, kDouble, kBool,
                              kString,    kComplex64,      kComplex128, kBf16,   kInt4,   kUint1,
                              kComplex32, kDtypeUndefined, 77,          -5};
  for (Operator op : all_operators()) {
    for (int product = 0; product < kProductCount; ++product) {
      const auto soc = static_cast<Product>(product);
      const bool newer = soc == Product::Ascend910B || soc == Product::Ascend910_93;
      const bool exists =
          newer || (is_mask(op) && soc == Product::Ascend910) || is_pad(op) || is_upsample(op);
      for (std::int32_t dtype : all) {
        Call c = valid_call(op);
        c.product = soc;
        each_tensor(op, [&](const Parameter& p) {
          if (!is_indices(p)) c.tensors[p.slot].dtype = dtype;
        });
        const bool taken =
            dtype == kFloat || dtype == kFloat16 || (dtype == kBf16 && newer && !is_pad(op)) ||
            (is_pad(op) && (dtype == kDouble || dtype == kComplex64 || dtype == kComplex128));
        EXPECT_EQ(first_broken(c), !exists ? "platform"
                                   : taken ? ""
                                           : "dtype")
            << signature(op).stem << product << " " << dtype;
        each_tensor(op, [&](const Parameter& p) {
          if (!is_indices(p) || !exists || !taken) return;
          Call d = c;
          d.tensors[p.slot].dtype = dtype;
          EXPECT_TRUE(breaks(d, "dtype", p.name));
        });
      }
    }
    // One tensor that differs: the later one in parameter order is named.
    const Parameter* first = nullptr;
    const Parameter* second = nullptr;
    each_tensor(op, [&](const Parameter& p) {
      if (is_indices(p)) return;
      if (first == nullptr)
        first = &p;
      else if (second == nullptr)
        second = &p;
      Call c = valid_call(op);
      c.tensors[p.slot].dtype = kFloat16;
      if (&p != first) {
        EXPECT_TRUE(breaks(c, "dtype", p.name));
      }
    });
    Call c = valid_call(op);
    c.tensors[first->slot].dtype = kFloat16;
    EXPECT_TRUE(breaks(c, "dtype", second->name));
  }
}

TEST(Rules, Formats) {
  for (Operator op : all_operators()) {
    for (std::int32_t format = -2; format < 60; ++format) {
      for (bool low_rank : {false, true}) {
        Call c = valid_call(op);
        if (is_upsample(op) && (low_rank || format == kNhwc))
          continue;  // NHWC: exact_upsample_pad_test.cpp
        for (Tensor& t : c.tensors) {
          t.format = format;
          if (low_rank) reshape(t, Shape(t.shape.begin() + 1, t.shape.end()));
        }
        bool taken = format == kNd;
        if (is_3d_pool(op) || is_adaptive(op)) taken |= format == (low_rank ? kNchw : kNcdhw);
        if (is_mask(op)) taken |= format == kNchw || format == kNcl;
        if (is_upsample(op)) taken = format == kNchw;
        if (is_pad(op))
          taken |= std::set<std::int32_t>{kNchw, kNhwc, kHwcn, kNdhwc, kNcdhw, kNc, kNcl}.contains(
              format);
        EXPECT_EQ(first_broken(c), taken ? "" : "format")
            << signature(op).stem << " " << format << low_rank;
      }
    }
    int position = 0;
    each_tensor(op, [&](const Parameter& p) {
      Call c = valid_call(op);
      c.tensors[p.slot].format = kNc1hwc0;
      EXPECT_TRUE(breaks(c, "format", p.name));
      c.tensors[p.slot].format = is_upsample(op)                     ? kNhwc
                                 : is_3d_pool(op) || is_adaptive(op) ? kNcdhw
                                                                     : kNchw;
      if (position++ > 0) {
        EXPECT_TRUE(breaks(c, "format", p.name));
      }
    });
  }
}

TEST(Rules, Ranks) {
  for (Operator op : all_operators()) {
    each_tensor(op, [&](const Parameter& p) {
      for (std::size_t rank = 0; rank < 9; ++rank) {
        Call c = valid_call(op);
        if (rank == c.tensors[p.slot].shape.size()) continue;
        reshape(c.tensors[p.slot], Shape(rank, 2));
        EXPECT_EQ(first_broken(c), "rank") << signature(op).stem << " " << p.name << rank;
      }
    });
  }
}

TEST(Rules, Dimensions) {
  for (Operator op : all_operators()) {
    each_tensor(op, [&](const Parameter& p) {
      const std::size_t rank = valid_call(op).tensors[p.slot].shape.size();
      for (std::size_t axis = 0; axis < rank; ++axis) {
        Call c = valid_call(op);
        Tensor& t = c.tensors[p.slot];
        for (std::int64_t bad : {std::int64_t{-1}, kMin}) {
          t.shape[axis] = bad;
          EXPECT_TRUE(breaks(c, "dim-value", p.name)) << axis;
        }
        t.shape[axis] = 0;
        const bool spatial = axis + 3 >= rank;
        const bool refused = is_adaptive(op)                     ? p.name == "self" && spatial
                             : is_3d_pool(op) || is_upsample(op) ? true
                                                                 : axis > 0;
        // Where a zero may stand, it must stand in the other tensors too.
        EXPECT_EQ(first_broken(c), refused ? "dim-value" : "shape")
            << signature(op).stem << " " << p.name << axis;
        t.shape[axis] = kMax;
        EXPECT_TRUE(breaks(c, "dim-value", p.name)) << axis;
      }
      Call bytes = valid_call(op);  // 2⁶² elements fit int64, their bytes do not (INT8's do)
      Shape& s = bytes.tensors[p.slot].shape;
      std::fill(s.begin(), s.end(), 1);
      s.back() = std::int64_t{1} << 62;
      EXPECT_EQ(first_broken(bytes), p.name == "indices" && is_mask(op) ? "shape" : "dim-value");
    });
  }
}

TEST(Rules, EmptyTensors) {
  for (Operator op : all_operators()) {
    Call c = valid_call(op);
    for (Tensor& t : c.tensors) t.shape[0] = 0;
    if (op == Operator::upsample_bilinear2d_backward) int_array(c, "inputSize").values[0] = 0;
    EXPECT_EQ(first_broken(c), is_3d_pool(op) || is_upsample(op) ? "dim-value" : "")
        << signature(op).stem;
    if (is_mask(op)) {  // C of a rank-3 call is its first dimension
      Call three = valid_call(op);
      for (Tensor& t : three.tensors) reshape(t, Shape(t.shape.begin() + 1, t.shape.end()));
      EXPECT_TRUE(holds(three));
      for (Tensor& t : three.tensors) t.shape[0] = 0;
      EXPECT_EQ(first_broken(three), "dim-value");
    }
  }
  Call adaptive = valid_call(Operator::adaptive_max_pool3d_backward);
  tensor(adaptive, "gradOutput").shape[3] = tensor(adaptive, "indices").shape[3] = 0;
  EXPECT_TRUE(holds(adaptive));
  tensor(adaptive, "self").shape[2] = tensor(adaptive, "gradInput").shape[2] = 0;
  EXPECT_TRUE(holds(adaptive));
  reshape(tensor(adaptive, "gradOutput"), {2, 3, 2, 4, 3});
  reshape(tensor(adaptive, "indices"), {2, 3, 2, 4, 3});
  EXPECT_TRUE(breaks(adaptive, "dim-value", "self"));
  // Large extents beside an empty one are no overflow.
  Call huge = valid_call(Operator::adaptive_max_pool3d_backward);
  for (const char* name : {"gradOutput", "indices", "self", "gradInput"})
    tensor(huge, name).shape = {0, kMax, kMax, 1, 1};
  for (Tensor& t : huge.tensors) t.null_strides = true;
  EXPECT_EQ(first_broken(huge), "index-range");
}

}  // namespace
}  // namespace gradproof::ref::testing
