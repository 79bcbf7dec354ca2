// Rules on int arrays and scales, from both sides.
#include <set>

#include "rules_common.h"

namespace gradproof::ref::testing {
namespace {

TEST(Rules, ArrayLengths) {
  for (Operator op : all_operators()) {
    for (const Parameter& p : signature(op).parameters) {
      if (p.kind != Kind::int_array) continue;
      std::set<std::size_t> allowed;
      if (p.name == "outputSize")
        allowed = {is_adaptive(op) ? std::size_t{3} : 2};
      else if (p.name == "inputSize" || is_pad(op))
        allowed = {4};
      else
        allowed = {1, is_mask(op) ? std::size_t{2} : 3};
      if (p.name == "stride") allowed.insert(0);
      for (std::size_t length = 0; length < 9; ++length) {
        Call c = valid_call(op);
        c.arrays[p.slot].values.assign(length, 1);
        if (allowed.contains(length))
          EXPECT_NE(first_broken(c), "array-length") << p.name << length;
        else
          EXPECT_TRUE(breaks(c, "array-length", p.name)) << length;
      }
    }
  }
}

TEST(Rules, WindowValues) {
  for (Operator op : all_operators()) {
    if (!is_3d_pool(op) && !is_mask(op)) continue;
    const std::size_t axes = is_mask(op) ? 2 : 3;
    for (std::size_t a = 0; a < axes; ++a) {
      for (std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, kMin}) {
        Call k = valid_call(op), s = valid_call(op);
        int_array(k, "kernelSize").values[a] = bad;
        EXPECT_TRUE(breaks(k, "kernel-value", "kernelSize"));
        int_array(s, "stride").values[a] = bad;
        EXPECT_TRUE(breaks(s, "stride-value", "stride"));
      }
      for (std::int64_t bad : {std::int64_t{0}, std::int64_t{2}, std::int64_t{-1}, kMax}) {
        Call d = valid_call(op);
        int_array(d, "dilation").values[a] = bad;
        EXPECT_TRUE(breaks(d, "dilation-value", "dilation"));
      }
      const std::int64_t half = int_array(valid_call(op), "kernelSize").values[a] / 2;
      for (std::int64_t pad : {std::int64_t{-1}, std::int64_t{0}, half, half + 1, kMin, kMax}) {
        Call c = valid_call(op);
        int_array(c, "padding").values[a] = pad;
        if (pad < 0 || pad > half)
          EXPECT_TRUE(breaks(c, "padding-value", "padding")) << pad;
        else
          EXPECT_NE(first_broken(c), "padding-value") << pad;
      }
      // Large legal values reach the shape rule, and nothing overflows there.
      Call large = valid_call(op);
      int_array(large, "kernelSize").values[a] = kMax;
      int_array(large, "stride").values[a] = kMax;
      int_array(large, "padding").values[a] = kMax / 2;
      for (std::uint8_t ceil : {std::uint8_t{0}, std::uint8_t{1}}) {
        large.flags[0] = ceil;
        EXPECT_EQ(first_broken(large), "shape");
      }
    }
    // One padding for all axes is compared with the smallest kernel.
    Call one = valid_call(op);
    int_array(one, "padding").values = {2};
    EXPECT_TRUE(breaks(one, "padding-value", "padding"));
  }
}

TEST(Rules, ReplicationPadding) {
  for (Operator op : {Operator::replication_pad2d_backward, Operator::replication_pad2d}) {
    const std::int64_t extents[] = {5, 5, 4, 4};
    for (std::size_t i = 0; i < 4; ++i) {
      Call c = valid_call(op);
      int_array(c, "padding").values[i] = extents[i];
      EXPECT_TRUE(breaks(c, "padding-value", "padding"));
      for (std::int64_t value : {extents[i] - 1, kMin}) {
        int_array(c, "padding").values[i] = value;
        const bool unchanged = c.arrays == valid_call(op).arrays;
        EXPECT_EQ(first_broken(c), unchanged ? "" : "shape") << value;
      }
    }
  }
}

TEST(Rules, Sizes) {
  for (Operator op : {Operator::upsample_bilinear2d_backward, Operator::upsample_bilinear2d}) {
    for (const char* array : {"outputSize", "inputSize"}) {
      if (!is_backward(op) && array[0] == 'i') continue;
      for (std::size_t i = 0; i < int_array(valid_call(op), array).values.size(); ++i) {
        for (std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, kMin}) {
          Call c = valid_call(op);
          int_array(c, array).values[i] = value;
          EXPECT_TRUE(breaks(c, "size-value", array));
        }
        Call c = valid_call(op);
        int_array(c, array).values[i] = kMax;
        EXPECT_EQ(first_broken(c), "shape");
      }
    }
    for (const char* scale : {"scalesH", "scalesW"}) {
      for (double value :
           {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
            -std::numeric_limits<double>::infinity()}) {
        for (std::uint8_t align : {std::uint8_t{0}, std::uint8_t{1}}) {
          Call c = valid_call(op);
          c.flags[0] = align;
          c.reals[slot(op, scale)] = value;
          EXPECT_TRUE(breaks(c, "size-value", scale));
        }
      }
      Call c = valid_call(op);
      c.reals[slot(op, scale)] = -std::numeric_limits<double>::max();
      EXPECT_TRUE(holds(c));
    }
  }
  Call c = valid_call(Operator::adaptive_max_pool3d);
  int_array(c, "outputSize").values[1] = -1;
  EXPECT_TRUE(breaks(c, "size-value", "outputSize"));
  int_array(c, "outputSize").values[1] = 0;
  tensor(c, "outputOut").shape[3] = tensor(c, "indicesOut").shape[3] = 0;
  EXPECT_TRUE(holds(c));
}

}  // namespace
}  // namespace gradproof::ref::testing
