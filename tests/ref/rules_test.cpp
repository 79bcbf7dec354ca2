// The rule table: every rule from both sides for every operator that it applies to, its order, and
// calls of nonsense.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
#include <set>

#include "calls.h"
#include "ref/rules.h"

namespace gradproof::ref::testing {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::string first_broken(const Call& c) {
  const Expectation e = expect(c);
  return e.rule == nullptr ? "" : std::string(e.rule->id);
}

// The call breaks exactly that rule first and the violation names the argument.
::testing::AssertionResult breaks(const Call& c, std::string_view rule, std::string_view argument) {
  const Expectation e = expect(c);
  const std::string got = e.rule == nullptr ? "nothing" : std::string(e.rule->id);
  if (got != rule || e.violation.argument != argument || e.violation.detail.empty() ||
      e.status != (rule == "null-argument" ? kParamNullptr : kParamInvalid)) {
    return ::testing::AssertionFailure()
           << signature(c.op).stem << ": wanted " << rule << " of " << argument << ", got " << got
           << " of " << e.violation.argument << ": " << e.violation.detail;
  }
  return ::testing::AssertionSuccess();
}
::testing::AssertionResult holds(const Call& c) {
  const Expectation e = expect(c);
  if (e.rule == nullptr && e.status == kSuccess) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << signature(c.op).stem << ": " << e.rule->id << ": " << e.violation.detail;
}

bool is_3d_pool(Operator op) {
  return op == Operator::max_pool3d_with_argmax_backward || op == Operator::max_pool3d_with_argmax;
}
bool is_adaptive(Operator op) {
  return op == Operator::adaptive_max_pool3d_backward || op == Operator::adaptive_max_pool3d;
}
bool is_mask(Operator op) {
  return op == Operator::max_pool2d_with_mask_backward || op == Operator::max_pool2d_with_mask;
}
bool is_pad(Operator op) {
  return op == Operator::replication_pad2d_backward || op == Operator::replication_pad2d;
}
bool is_upsample(Operator op) {
  return op == Operator::upsample_bilinear2d_backward || op == Operator::upsample_bilinear2d;
}
bool is_indices(const Parameter& p) { return p.name == "indices" || p.name == "indicesOut"; }

template <class F>
void each_tensor(Operator op, F&& f) {
  for (const Parameter& p : signature(op).parameters) {
    if (p.kind == Kind::tensor) f(p);
  }
}

TEST(Rules, TableIsInTheContractsOrder) {
  std::vector<std::string_view> ids;
  for (const Rule& r : rules()) ids.push_back(r.id);
  EXPECT_EQ(ids,
            (std::vector<std::string_view>{
                "null-argument", "platform", "dtype", "format", "rank", "dim-value", "array-length",
                "kernel-value", "stride-value", "padding-value", "dilation-value", "size-value",
                "shape", "index-range", "view", "output-overlap", "alias"}));
  for (const Rule& r : rules()) {
    EXPECT_FALSE(r.statement.empty());
    EXPECT_FALSE(r.source.empty());
  }
}

TEST(Rules, ValidCallsAreValid) {
  for (Operator op : all_operators()) EXPECT_TRUE(holds(valid_call(op)));
}

TEST(Rules, WhatDoesNotApplyIsNeverBroken) {
  for (Operator op : all_operators()) {
    for (const Rule& r : rules()) EXPECT_FALSE(r.check(valid_call(op))) << r.id;
  }
  auto applies = [](std::string_view id, Operator op) {
    for (const Rule& r : rules())
      if (r.id == id) return r.applies(op);
    return false;
  };
  EXPECT_FALSE(applies("platform", Operator::replication_pad2d_backward));
  EXPECT_FALSE(applies("kernel-value", Operator::adaptive_max_pool3d_backward));
  EXPECT_FALSE(applies("size-value", Operator::adaptive_max_pool3d_backward));
  EXPECT_TRUE(applies("size-value", Operator::adaptive_max_pool3d));
  EXPECT_FALSE(applies("index-range", Operator::max_pool2d_with_mask_backward));
}

TEST(Rules, NullComesFirst) {
  for (Operator op : all_operators()) {
    for (bool otherwise_broken : {false, true}) {
      Call base = valid_call(op);
      if (otherwise_broken) {
        for (Tensor& t : base.tensors) t.dtype = 77, t.shape = {-1}, t.strides = {-1};
        base.product = Product::Ascend310P;
      }
      for (const Parameter& p : signature(op).parameters) {
        Call c = base;
        if (p.kind == Kind::tensor)
          c.tensors[p.slot].null = true;
        else if (p.kind == Kind::int_array)
          c.arrays[p.slot].null = true;
        else
          continue;
        EXPECT_TRUE(breaks(c, "null-argument", p.name));
      }
      Call size = base, executor = base;
      size.null_workspace_size = true;
      executor.null_executor = true;
      EXPECT_TRUE(breaks(size, "null-argument", "workspaceSize"));
      EXPECT_TRUE(breaks(executor, "null-argument", "executor"));
    }
    Call no_data = valid_call(op);  // a null data pointer is phase 2's to refuse
    for (Tensor& t : no_data.tensors) t.null_data = true;
    EXPECT_TRUE(holds(no_data));
  }
}

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
        if (is_upsample(op) && (low_rank || format == kNhwc)) continue;  // NHWC: exact_test.cpp
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
    // One padding for all axes is held against the smallest kernel.
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

TEST(Rules, Views) {
  for (Operator op : all_operators()) {
    each_tensor(op, [&](const Parameter& p) {
      const Call valid = valid_call(op);
      const std::size_t last = valid.tensors[p.slot].shape.size() - 1;
      auto edit = [&](const std::function<void(Tensor&)>& f) {
        Call c = valid;
        f(c.tensors[p.slot]);
        return c;
      };
      const std::int64_t elements = count(valid.tensors[p.slot].shape);
      for (std::int64_t bad : {std::int64_t{-1}, kMin}) {
        EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.offset = bad; }), "view", p.name));
        EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.strides[last] = bad; }), "view", p.name));
        EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {bad}; }), "view", p.name));
      }
      for (std::int64_t bad : {std::int64_t{1}, kMax})
        EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.offset = bad; }), "view", p.name));
      EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {elements - 1}; }), "view", p.name));
      EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {kMax, kMax}; }), "view", p.name));
      EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {kMax / 4, 8}; }), "view", p.name));
      EXPECT_TRUE(
          breaks(edit([&](Tensor& t) { std::fill(t.strides.begin(), t.strides.end(), kMax); }),
                 "view", p.name));
      EXPECT_TRUE(holds(edit([&](Tensor& t) { t.storage = {elements}; })));
      EXPECT_TRUE(holds(edit([&](Tensor& t) { t.storage = {elements + 3}, t.offset = 3; })));
      EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {elements + 2}, t.offset = 3; }), "view",
                         p.name));
      EXPECT_TRUE(holds(edit([&](Tensor& t) { t.null_strides = true, t.strides.clear(); })));
      // Two elements apart: fits a storage of 2n − 1, but a mask must be contiguous.
      const Call spread = edit([&](Tensor& t) {
        for (std::int64_t& s : t.strides) s *= 2;
        t.storage = {2 * elements - 1};
      });
      if (is_mask(op) && is_indices(p))
        EXPECT_TRUE(breaks(spread, "view", p.name));
      else
        EXPECT_TRUE(holds(spread));
    });
  }
}

TEST(Rules, OutputOverlap) {
  for (Operator op : all_operators()) {
    each_tensor(op, [&](const Parameter& p) {
      Call broadcast = valid_call(op);
      broadcast.tensors[p.slot].strides[0] = 0;
      if (is_mask(op) && is_indices(p))
        EXPECT_EQ(first_broken(broadcast), "view");
      else if (p.access == Access::written)
        EXPECT_TRUE(breaks(broadcast, "output-overlap", p.name));
      else
        EXPECT_TRUE(holds(broadcast));
      if (p.access != Access::written || is_indices(p)) return;
      Call c = valid_call(op);
      Tensor& t = c.tensors[p.slot];
      std::swap(t.strides[0], t.strides[1]);  // any order, if every stride clears the smaller ones
      t.strides[0] = t.strides[2] * t.shape[2];
      t.strides[1] = t.strides[0] * t.shape[0];
      EXPECT_TRUE(holds(c));
      t.strides[1] =
          t.strides[0] * (t.shape[0] - 1) + t.strides[0] - 1;  // the smaller ones reach just there
      EXPECT_TRUE(breaks(c, "output-overlap", p.name));
    });
  }
  Call ones = valid_call(Operator::replication_pad2d);
  reshape(ones.tensors[0], {1, 3, 4, 5});
  reshape(ones.tensors[1], {1, 3, 6, 8});
  ones.tensors[1].strides[0] = 0;  // an extent of 1 may have any stride
  EXPECT_TRUE(holds(ones));
  ones.tensors[1].strides[0] = kMax;
  EXPECT_TRUE(holds(ones));
}

TEST(Rules, Alias) {
  for (Operator op : all_operators()) {
    const std::span<const Parameter> parameters = signature(op).parameters;
    for (const Parameter& a : parameters) {
      for (const Parameter& b : parameters) {
        if (a.kind != Kind::tensor || b.kind != Kind::tensor || a.slot >= b.slot) continue;
        const bool judged = a.access != Access::described && b.access != Access::described &&
                            (a.access == Access::written || b.access == Access::written);
        const Call valid = valid_call(op);
        const std::int64_t size_a =
            count(valid.tensors[a.slot].shape) * dtype_size(valid.tensors[a.slot].dtype);
        const std::int64_t size_b =
            count(valid.tensors[b.slot].shape) * dtype_size(valid.tensors[b.slot].dtype);
        auto shared = [&](std::int64_t at) {
          Call c = valid;
          c.tensors[b.slot].shares = a.slot;
          c.tensors[b.slot].shares_at = at;
          return c;
        };
        for (std::int64_t at : {std::int64_t{0}, size_a - 1, 1 - size_b}) {
          if (judged)
            EXPECT_TRUE(breaks(shared(at), "alias", b.name)) << a.name << at;
          else
            EXPECT_TRUE(holds(shared(at)));
        }
        for (std::int64_t at : {size_a, -size_b, kMin, kMax}) EXPECT_TRUE(holds(shared(at)));
        Call null = shared(0);
        null.tensors[a.slot].null_data = true;
        EXPECT_TRUE(holds(null));
      }
    }
  }
  // Two that share a third one's memory meet there.
  Call c = valid_call(Operator::replication_pad2d_backward);
  tensor(c, "gradOutput").shares = tensor(c, "gradInput").shares = slot(c.op, "self");
  EXPECT_TRUE(breaks(c, "alias", "gradInput"));
  tensor(c, "gradInput").shares_at = 4 * 6 * 48;
  EXPECT_TRUE(holds(c));
}

TEST(Rules, TheFirstBrokenRuleInOrderIsReported) {
  using Edit = std::function<void(Call&)>;
  const std::vector<std::pair<std::string_view, Edit>> edits = {
      {"null-argument", [](Call& c) { c.null_executor = true; }},
      {"platform", [](Call& c) { c.product = Product::Ascend310P; }},
      {"dtype", [](Call& c) { c.tensors[0].dtype = kInt64; }},
      {"format", [](Call& c) { c.tensors[1].format = kFractalNz; }},
      {"rank", [](Call& c) { c.tensors[3].shape.push_back(1), c.tensors[3].strides.push_back(1); }},
      {"dim-value", [](Call& c) { c.tensors[0].shape[1] = -3; }},
      {"array-length", [](Call& c) { c.arrays[3].values.clear(); }},
      {"kernel-value", [](Call& c) { c.arrays[0].values[0] = 0; }},
      {"stride-value", [](Call& c) { c.arrays[1].values[0] = 0; }},
      {"padding-value", [](Call& c) { c.arrays[2].values[1] = -1; }},
      {"dilation-value",
       [](Call& c) {
         if (!c.arrays[3].values.empty()) c.arrays[3].values[0] = 2;
       }},
      {"shape", [](Call& c) { ++c.tensors[1].shape[0]; }},
      {"view", [](Call& c) { c.tensors[2].offset = -1; }},
      {"output-overlap", [](Call& c) { c.tensors[3].strides[0] = 0; }},
      {"alias", [](Call& c) { c.tensors[3].shares = 0; }},
  };
  for (std::size_t i = 0; i < edits.size(); ++i) {
    for (std::size_t j = i; j < edits.size(); ++j) {
      Call c = valid_call(Operator::max_pool2d_with_mask_backward);
      edits[j].second(c);
      if (i != j) edits[i].second(c);
      EXPECT_EQ(first_broken(c), edits[i].first) << edits[j].first;
    }
  }
}

// Calls of nonsense: nothing overflows (the sanitizer build watches) and every answer is complete.
TEST(Rules, NonsenseIsAnswered) {
  std::mt19937_64 random(7);
  const std::int64_t values[] = {
      kMin,       kMin + 1,   -2147483649,           -1,       0,   1, 2, 3, 16,
      2147483647, 2147483648, std::int64_t{1} << 62, kMax - 1, kMax};
  auto value = [&] { return values[random() % std::size(values)]; };
  auto small = [&](std::size_t n) { return random() % n; };
  std::set<std::string> seen;
  for (int round = 0; round < 100000; ++round) {
    Call c = valid_call(static_cast<Operator>(round % kOperatorCount));
    for (std::size_t edit = small(4) + 1; edit-- > 0;) {
      Tensor& t = c.tensors[small(c.tensors.size())];
      switch (small(12)) {
        case 0:
          t.dtype = static_cast<std::int32_t>(value());
          break;
        case 1:
          t.format = static_cast<std::int32_t>(value());
          break;
        case 2:
          if (!t.shape.empty()) t.shape[small(t.shape.size())] = value();
          break;
        case 3:
          if (!t.strides.empty()) t.strides[small(t.strides.size())] = value();
          break;
        case 4:
          t.offset = value();
          break;
        case 5:
          t.storage.assign(small(5), value());
          break;
        case 6:
          t.shares = static_cast<std::int32_t>(small(6)) - 1, t.shares_at = value();
          break;
        case 7:
          t.shape.assign(small(9), value()), t.strides.assign(t.shape.size(), value());
          break;
        case 8:
          t.null_strides = true;
          break;
        case 9:
          if (!c.arrays.empty()) c.arrays[small(c.arrays.size())].values.assign(small(6), value());
          break;
        case 10:
          if (!c.flags.empty()) c.flags[0] = 1;
          break;
        default:  // one array element of a legal length
          if (!c.arrays.empty()) {
            IntArray& a = c.arrays[small(c.arrays.size())];
            if (!a.values.empty()) a.values[small(a.values.size())] = value();
          }
      }
    }
    const Expectation e = expect(c);
    ASSERT_EQ(e.status == kSuccess, e.rule == nullptr);
    if (e.rule == nullptr) continue;
    ASSERT_EQ(e.status, e.rule->status);
    ASSERT_FALSE(e.violation.argument.empty());
    ASSERT_FALSE(e.violation.detail.empty());
    seen.insert(std::string(e.rule->id));
  }
  EXPECT_GE(seen.size(), 12u);  // the sweep gets past the first rows
}

}  // namespace
}  // namespace gradproof::ref::testing
