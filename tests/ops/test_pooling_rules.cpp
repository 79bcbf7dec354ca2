// Rules that the pools have of their own.
#include <gtest/gtest.h>

#include "tests/ops/operator_rules.h"

namespace gradproof::test {
namespace {

/// Both pools with windows share these; `n` is 3 or 2.
std::vector<Row> window_rows(std::size_t n) {
  const auto all = [n](std::int64_t v) { return std::vector<std::int64_t>(n, v); };
  const auto last = [n](std::int64_t v) {
    std::vector<std::int64_t> values(n, 1);
    values.back() = v;
    return values;
  };
  return {
      {"no kernel", array("kernelSize", {}), "array-length", "kernelSize"},
      {"long kernel", array("kernelSize", {1, 1, 1, 1}), "array-length", "kernelSize"},
      {"long stride", array("stride", {1, 1, 1, 1}), "array-length", "stride"},
      {"no padding", array("padding", {}), "array-length", "padding"},
      {"long padding", array("padding", {0, 0, 0, 0}), "array-length", "padding"},
      {"no dilation", array("dilation", {}), "array-length", "dilation"},
      {"long dilation", array("dilation", {1, 1, 1, 1}), "array-length", "dilation"},
      {"kernel 0", array("kernelSize", last(0)), "kernel-value", "kernelSize"},
      {"short kernel 0", array("kernelSize", {0}), "kernel-value", "kernelSize"},
      {"kernel -1", array("kernelSize", last(INT64_MIN)), "kernel-value", "kernelSize"},
      {"stride 0", array("stride", last(0)), "stride-value", "stride"},
      {"short stride 0", array("stride", {0}), "stride-value", "stride"},
      {"stride -1", array("stride", last(INT64_MIN)), "stride-value", "stride"},
      {"padding -1", array("padding", last(-1)), "padding-value", "padding"},
      {"padding 2 of 4 is half", [](CallSpec& c) { c.array("kernelSize").values.back() = 4; }},
      {"padding 2 of 3 is more", [](CallSpec& c) { c.array("kernelSize").values.back() = 3; },
       "padding-value", "padding"},
      {"short padding against each kernel", array("padding", {2}), "padding-value", "padding"},
      {"huge padding", array("padding", last(INT64_MAX)), "padding-value", "padding"},
      {"dilation 2", array("dilation", last(2)), "dilation-value", "dilation"},
      {"short dilation 2", array("dilation", {2}), "dilation-value", "dilation"},
      {"dilation 0", array("dilation", last(0)), "dilation-value", "dilation"},
      {"full dilation", array("dilation", all(1))},
      {"kernel precedes stride",
       [](CallSpec& c) { c.array("kernelSize").values = {0}, c.array("stride").values = {0}; },
       "kernel-value", "kernelSize"},
      {"lengths precede values",
       [](CallSpec& c) { c.array("kernelSize").values = {0}, c.array("dilation").values = {}; },
       "array-length", "dilation"},
  };
}

std::vector<Row> max_pool3d_rows(const char* input, const char* pooled) {
  return window_rows(3) +
         std::vector<Row>{
             {"length 2 is not 3", array("kernelSize", {1, 1}), "array-length", "kernelSize"},
             {"FLOAT16", [](CallSpec& c) { c.of_type(ACL_FLOAT16); }},
             {"BF16", [](CallSpec& c) { c.of_type(ACL_BF16); }},
             {"DOUBLE", [](CallSpec& c) { c.of_type(ACL_DOUBLE); }, "dtype", ""},
             {"indices INT64", [](CallSpec& c) { c.tensor("indices").dtype = ACL_INT64; }, "dtype",
              "indices"},
             {"NCDHW", [](CallSpec& c) { c.of_format(ACL_FORMAT_NCDHW); }},
             {"NCHW of rank 5", [](CallSpec& c) { c.of_format(ACL_FORMAT_NCHW); }, "format", ""},
             {"NHWC", [](CallSpec& c) { c.of_format(ACL_FORMAT_NHWC); }, "format", ""},
             {"rank 4", [](CallSpec& c) { drop_batch(c); }},
             {"rank 4 NCHW", [](CallSpec& c) { drop_batch(c), c.of_format(ACL_FORMAT_NCHW); }},
             {"rank 4 NCDHW", [](CallSpec& c) { drop_batch(c), c.of_format(ACL_FORMAT_NCDHW); },
              "format", ""},
             {"rank 3 NCDHW",
              [](CallSpec& c) { drop_batch(c), drop_batch(c), c.of_format(ACL_FORMAT_NCDHW); },
              "format", ""},
             {"no samples", [](CallSpec& c) { set_axis(c, 0, 0); }, "dim-value", ""},
             {"no channels", [](CallSpec& c) { set_axis(c, 1, 0); }, "dim-value", ""},
             {"no rows", extent(input, 3, 0), "dim-value", input},
             {"batch differs", extent(pooled, 0, 3), "shape", pooled},
             {"indices differ", extent("indices", 4, 7), "shape", "indices"},
             {"depth in self", extent("self", 2, 9), "shape", "self"},
             {"window past the end",
              [](CallSpec& c) {
                c.array("kernelSize").values = {12}, c.array("padding").values = {0};
              },
              "shape", "kernelSize"},
             {"planes of 2^31 - 1",
              [=](CallSpec& c) {
                c.array("kernelSize").values = c.array("stride").values = {1};
                c.array("padding").values = {0};
                for (TensorSpec& t : c.tensors) t.shape = {1, 1, 1, 1, 2147483647};
              }},
             {"planes of 2^31",
              [=](CallSpec& c) {
                c.array("kernelSize").values = c.array("stride").values = {1};
                c.array("padding").values = {0};
                for (TensorSpec& t : c.tensors) t.shape = {1, 1, 1 << 10, 1 << 10, 1 << 11};
              },
              "index-range", "self"},
         };
}

TEST(OperatorRules, MaxPool3dWithArgmaxBackward) {
  check(Op::max_pool3d_with_argmax_backward,
        max_pool3d_rows("gradInput", "gradOutput") +
            std::vector<Row>{
                {"gradInput differs", extent("gradInput", 4, 12), "shape", "gradInput"}});
}

TEST(OperatorRules, MaxPool3dWithArgmax) {
  check(Op::max_pool3d_with_argmax, max_pool3d_rows("self", "out"));
}

/// Sets one 3-D pooling axis (W) to a problem; the other two are 1.
CallSpec one_axis(std::int64_t in, std::int64_t k, std::int64_t s, std::int64_t p, bool ceil_mode,
                  std::int64_t out) {
  CallSpec c = valid(Op::max_pool3d_with_argmax_backward);
  c.array("kernelSize").values = {1, 1, k};
  c.array("stride").values = {1, 1, s};
  c.array("padding").values = {0, 0, p};
  c.flag = ceil_mode;
  for (const char* name : {"self", "gradInput"}) c.tensor(name).shape = {1, 1, 1, 1, in};
  for (const char* name : {"gradOutput", "indices"}) c.tensor(name).shape = {1, 1, 1, 1, out};
  return c;
}

TEST(PooledExtent, FollowsTheFormula) {
  struct Axis {
    std::int64_t in, k, s, p;
    bool ceil_mode;
    std::int64_t out;
  };
  constexpr Axis kAxes[] = {
      {7, 2, 2, 0, false, 3},
      {7, 2, 2, 0, true, 4},
      {8, 2, 2, 0, true, 4},
      {5, 3, 2, 1, false, 3},
      {4, 2, 3, 1, true, 2},  // of 3 windows the last would start at 2·3 ≥ 4 + 1
      {1, 2, 2, 1, true, 1},
      {3, 3, INT64_MAX, 1, true, 1},
      {3, 2, INT64_MAX, 1, true, 1},
      {9, INT64_MAX, 1, INT64_MAX / 2, false, 9},      // 9 + (2⁶³ - 2) - (2⁶³ - 1) + 1
      {9, INT64_MAX - 1, 4, INT64_MAX / 2, false, 3},  // ⌊9/4⌋ + 1
      {2147483647, 1, 1, 0, true, 2147483647},
  };
  for (const Axis& a : kAxes) {
    expect_valid(one_axis(a.in, a.k, a.s, a.p, a.ceil_mode, a.out), "as computed");
    expect_refused(one_axis(a.in, a.k, a.s, a.p, a.ceil_mode, a.out + 1), "shape", "gradOutput",
                   "more");
    if (a.out > 1) {
      expect_refused(one_axis(a.in, a.k, a.s, a.p, a.ceil_mode, a.out - 1), "shape", "gradOutput",
                     "less");
    }
  }
  expect_refused(one_axis(3, 4, 1, 0, false, 1), "shape", "gradOutput", "no window");
  expect_refused(one_axis(3, INT64_MAX, 1, 0, false, 1), "shape", "gradOutput", "no window at all");
}

std::vector<Row> max_pool2d_rows(const char* pooled) {
  return window_rows(2) +
         std::vector<Row>{
             {"length 3 is not 2", array("kernelSize", {1, 1, 1}), "array-length", "kernelSize"},
             {"BF16", [](CallSpec& c) { c.of_type(ACL_BF16); }},
             {"mask UINT8", [](CallSpec& c) { c.tensor("indices").dtype = ACL_UINT8; }, "dtype",
              "indices"},
             {"NCHW", [](CallSpec& c) { c.of_format(ACL_FORMAT_NCHW); }},
             {"NCL", [](CallSpec& c) { c.of_format(ACL_FORMAT_NCL); }},
             {"NHWC", [](CallSpec& c) { c.of_format(ACL_FORMAT_NHWC); }, "format", ""},
             {"rank 3", [](CallSpec& c) { drop_batch(c); }},
             {"no samples", [](CallSpec& c) { set_axis(c, 0, 0); }},
             {"no samples with huge planes",
              [](CallSpec& c) {
                c.array("kernelSize").values = c.array("stride").values = {1};
                c.array("padding").values = {0};
                for (TensorSpec& t : c.tensors) t.shape = {0, 1, INT64_MAX, INT64_MAX};
              },
              "shape", "indices"},
             {"no channels", [](CallSpec& c) { set_axis(c, 1, 0); }, "dim-value", ""},
             {"no channels in rank 3", [](CallSpec& c) { drop_batch(c), set_axis(c, 0, 0); },
              "dim-value", ""},
             {"no rows", extent("self", 2, 0), "dim-value", "self"},
             {"samples differ", extent(pooled, 0, 1), "shape", pooled},
             {"no samples in one", extent("indices", 0, 0), "shape", "indices"},
             {"pooled height", extent(pooled, 2, 4), "shape", pooled},
             {"mask's kernel positions", extent("indices", 2, 11), "shape", "indices"},
             {"mask's row", extent("indices", 3, 64), "shape", "indices"},
             {"mask of the pooled shape",
              [=](CallSpec& c) { c.tensor("indices").shape = c.tensor(pooled).shape; }, "shape",
              "indices"},
             {"stride is the kernel's",
              [=](CallSpec& c) {
                c.array("stride").values = {};
                c.tensor(pooled).shape = {2, 3, 3, 3};       // (11 + 4 - 4) / 4 + 1
                c.tensor("indices").shape = {2, 3, 12, 64};  // one step of 16 and one spare
              }},
         };
}

TEST(OperatorRules, MaxPool2dWithMaskBackward) {
  check(Op::max_pool2d_with_mask_backward,
        max_pool2d_rows("gradOutput") +
            std::vector<Row>{
                {"gradInput differs", extent("gradInput", 3, 12), "shape", "gradInput"}});
}

TEST(OperatorRules, MaxPool2dWithMask) { check(Op::max_pool2d_with_mask, max_pool2d_rows("out")); }

TEST(OperatorRules, AdaptiveMaxPool3dBackward) {
  const auto pooled = [](Shape shape) {
    return [=](CallSpec& c) { c.tensor("gradOutput").shape = c.tensor("indices").shape = shape; };
  };
  const auto volume = [](Shape shape) {
    return [=](CallSpec& c) { c.tensor("self").shape = c.tensor("gradInput").shape = shape; };
  };
  check(Op::adaptive_max_pool3d_backward,
        {
            {"BF16", [](CallSpec& c) { c.of_type(ACL_BF16); }},
            {"rank 4 NCHW", [](CallSpec& c) { drop_batch(c), c.of_format(ACL_FORMAT_NCHW); }},
            {"larger than the input", pooled({2, 3, 8, 10, 12})},
            {"no samples", [](CallSpec& c) { set_axis(c, 0, 0); }},
            {"no channels", [](CallSpec& c) { set_axis(c, 1, 0); }},
            {"empty gradient", pooled({2, 3, 0, 3, 6})},
            {"empty gradient of huge extents", pooled({2, 3, INT64_MAX, 0, INT64_MAX})},
            {"empty input", volume({2, 3, 7, 0, 11}), "dim-value", "self"},
            {"both empty",
             [=](CallSpec& c) {
               pooled({2, 3, 4, 0, 6})(c), volume({2, 3, 0, 9, 11})(c);
             }},
            {"indices differ", extent("indices", 4, 7), "shape", "indices"},
            {"empty indices alone", extent("indices", 4, 0), "shape", "indices"},
            {"gradInput differs", extent("gradInput", 4, 12), "shape", "gradInput"},
            {"samples differ", pooled({1, 3, 4, 3, 6}), "shape", "self"},
            {"channels differ", pooled({2, 2, 4, 3, 6}), "shape", "self"},
            {"planes of 2^31 - 1", volume({2, 3, 1, 1, 2147483647})},
            {"planes of 2^31", volume({2, 3, 1 << 10, 1 << 10, 1 << 11}), "index-range", "self"},
            {"no samples of huge planes",
             [=](CallSpec& c) {
               pooled({0, 3, 4, 3, 6})(c), volume({0, 3, INT64_MAX, INT64_MAX, 2})(c);
             },
             "index-range", "self"},
        });
}

TEST(OperatorRules, AdaptiveMaxPool3d) {
  check(Op::adaptive_max_pool3d,
        {
            {"two sizes", array("outputSize", {4, 3}), "array-length", "outputSize"},
            {"negative size", array("outputSize", {4, 3, -1}), "size-value", "outputSize"},
            {"size differs", array("outputSize", {4, 3, 7}), "shape", "outputOut"},
            {"indices differ", extent("indicesOut", 2, 5), "shape", "indicesOut"},
            {"channels differ", extent("self", 1, 4), "shape", "outputOut"},
            {"empty input", extent("self", 2, 0), "dim-value", "self"},
            {"planes of 2^31",
             [](CallSpec& c) {
               c.tensor("self").shape = {2, 3, 1 << 10, 1 << 10, 1 << 11};
             },
             "index-range", "self"},
            {"nothing asked for",
             [](CallSpec& c) {
               c.array("outputSize").values = {4, 0, 6};
               c.tensor("outputOut").shape = c.tensor("indicesOut").shape = {2, 3, 4, 0, 6};
             }},
        });
}

}  // namespace
}  // namespace gradproof::test
