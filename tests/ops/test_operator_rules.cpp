// Rules that an operator has of its own, as tables: an edit of the valid call, and what it breaks.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/ops/expectations.h"

namespace gradproof::test {
namespace {

struct Row {
  const char* what;
  std::function<void(CallSpec&)> edit;
  const char* rule = "";  ///< empty: still valid
  const char* argument = "";
};

void check(Op op, const std::vector<Row>& rows) {
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
void drop_batch(CallSpec& c) {
  for (TensorSpec& t : c.tensors) t.shape.erase(t.shape.begin());
}

void set_axis(CallSpec& c, std::size_t axis, std::int64_t extent) {
  for (TensorSpec& t : c.tensors) t.shape[axis] = extent;
}

auto array(const char* name, std::vector<std::int64_t> values) {
  return [=](CallSpec& c) { c.array(name).values = values; };
}
auto extent(const char* tensor, std::size_t axis, std::int64_t value) {
  return [=](CallSpec& c) { c.tensor(tensor).shape[axis] = value; };
}

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

std::vector<Row> operator+(std::vector<Row> a, const std::vector<Row>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
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

std::vector<Row> upsample_rows(const char* small, const char* large) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  std::vector<Row> rows = {
      {"BF16", [](CallSpec& c) { c.of_type(ACL_BF16); }},
      {"ND", [](CallSpec& c) { c.of_format(ACL_FORMAT_ND); }, "format", ""},
      {"rank 3", [](CallSpec& c) { drop_batch(c); }, "rank", ""},
      {"no samples", [](CallSpec& c) { set_axis(c, 0, 0); }, "dim-value", ""},
      {"one outputSize", array("outputSize", {7}), "array-length", "outputSize"},
      {"three outputSizes", array("outputSize", {3, 7, 9}), "array-length", "outputSize"},
      {"outputSize 0", array("outputSize", {7, 0}), "size-value", "outputSize"},
      {"outputSize least", array("outputSize", {INT64_MIN, 9}), "size-value", "outputSize"},
      {"outputSize differs", array("outputSize", {7, 8}), "shape", large},
      {"channels differ", extent(large, 1, 2), "shape", large},
      {"samples differ", extent(small, 0, 1), "shape", small},
  };
  for (double scale : {kInf, -kInf, std::nan("")}) {
    for (bool align : {false, true}) {
      const auto h = [=](CallSpec& c) { c.scale_h = scale, c.flag = align; };
      const auto w = [=](CallSpec& c) { c.scale_w = scale, c.flag = align; };
      rows.push_back({"scale", h, "size-value", "scalesH"});
      rows.push_back({"scale", w, "size-value", "scalesW"});
    }
  }
  for (double scale : {0.0, -1.0, 5e-324, 1.7976931348623157e308}) {
    rows.push_back({"finite scale", [=](CallSpec& c) { c.scale_h = c.scale_w = scale; }});
  }
  return rows;
}

void to_nhwc(Shape& s) { s = {s[0], s[2], s[3], s[1]}; }

TEST(OperatorRules, UpsampleBilinear2dBackward) {
  const auto nhwc = [](CallSpec& c) {
    c.of_format(ACL_FORMAT_NHWC);
    for (TensorSpec& t : c.tensors) to_nhwc(t.shape);
  };
  check(Op::upsample_bilinear2d_backward,
        upsample_rows("out", "gradOut") +
            std::vector<Row>{
                {"three inputSizes", array("inputSize", {2, 3, 4}), "array-length", "inputSize"},
                {"inputSize 0", array("inputSize", {2, 3, 4, 0}), "size-value", "inputSize"},
                {"inputSize differs", array("inputSize", {2, 3, 4, 6}), "shape", "inputSize"},
                {"NHWC with inputSize in that order",
                 [=](CallSpec& c) { nhwc(c), to_nhwc(c.array("inputSize").values); }},
                {"NHWC with inputSize as for NCHW", nhwc, "shape", "inputSize"},
            });
}

TEST(OperatorRules, UpsampleBilinear2d) {
  check(Op::upsample_bilinear2d, upsample_rows("self", "out"));
}

TEST(OperatorRules, ExtremeUpsamplingCostsPhase1Nothing) {
  CallSpec c = valid(Op::upsample_bilinear2d_backward);
  const std::int64_t many = std::int64_t{1} << 58;
  c.array("outputSize").values = {many, 1};
  c.array("inputSize").values = {1, 1, 1, many};
  c.tensor("gradOut").shape = {1, 1, many, 1};
  c.tensor("gradOut").strides = {0, 0, 0, 0};
  c.tensor("gradOut").storage = {1};
  c.tensor("out").shape = {1, 1, 1, many};
  expect_valid(c, "2^58 rows");
}

std::vector<Row> pad_rows(const char* image, const char* padded) {
  std::vector<Row> rows = {
      {"BF16", [](CallSpec& c) { c.of_type(ACL_BF16); }, "dtype", ""},
      {"rank 3", [](CallSpec& c) { drop_batch(c); }},
      {"no samples", [](CallSpec& c) { set_axis(c, 0, 0); }},
      {"no channels in rank 3", [](CallSpec& c) { drop_batch(c), set_axis(c, 0, 0); }},
      {"no channels in rank 4", [](CallSpec& c) { set_axis(c, 1, 0); }, "dim-value", ""},
      {"no rows", extent(image, 2, 0), "dim-value", image},
      {"no padded rows", extent(padded, 2, 0), "dim-value", padded},
      {"no padding", array("padding", {}), "array-length", "padding"},
      {"five paddings", array("padding", {1, 3, 2, 1, 0}), "array-length", "padding"},
      {"left = W", array("padding", {5, 0, 2, 1}), "padding-value", "padding[0]"},
      {"right = W", array("padding", {0, 5, 2, 1}), "padding-value", "padding[1]"},
      {"top = H", array("padding", {1, 3, 4, 0}), "padding-value", "padding[2]"},
      {"bottom = H", array("padding", {1, 3, 0, 4}), "padding-value", "padding[3]"},
      {"greatest", array("padding", {1, 3, 2, INT64_MAX}), "padding-value", "padding[3]"},
      {"left = W - 1", array("padding", {4, 0, 2, 1})},
      {"bottom = H - 1", array("padding", {1, 3, 0, 3})},
      {"width differs", array("padding", {1, 2, 2, 1}), "shape", padded},
      {"height differs", array("padding", {1, 3, 2, 2}), "shape", padded},
      {"swapped axes", array("padding", {2, 1, 1, 3}), "shape", padded},
      {"least", array("padding", {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN}), "shape", padded},
      {"channels differ", extent(padded, 1, 4), "shape", padded},
      {"everything cropped",
       [=](CallSpec& c) {
         c.array("padding").values = {-3, -2, 2, 1};
         c.tensor(padded).shape[3] = 1;
       },
       "shape", padded},
      {"all but one cropped",
       [=](CallSpec& c) {
         c.array("padding").values = {-3, -1, 2, 1};
         c.tensor(padded).shape[3] = 1;
       }},
  };
  for (aclDataType type : {ACL_FLOAT16, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    rows.push_back({"dtype", [=](CallSpec& c) { c.of_type(type); }});
  }
  for (aclFormat format : {ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_HWCN, ACL_FORMAT_NDHWC,
                           ACL_FORMAT_NCDHW, ACL_FORMAT_NC, ACL_FORMAT_NCL}) {
    rows.push_back({"public format", [=](CallSpec& c) { c.of_format(format); }});
  }
  return rows;
}

TEST(OperatorRules, ReplicationPad2dBackward) {
  check(
      Op::replication_pad2d_backward,
      pad_rows("self", "gradOutput") +
          std::vector<Row>{{"gradInput differs", extent("gradInput", 3, 6), "shape", "gradInput"}});
}

TEST(OperatorRules, ReplicationPad2d) { check(Op::replication_pad2d, pad_rows("self", "out")); }

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
