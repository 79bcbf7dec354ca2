// Rules that upsampling and padding have of their own.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/ops/operator_rules.h"

namespace gradproof::test {
namespace {

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
  for (const Op op : {Op::upsample_bilinear2d_backward, Op::upsample_bilinear2d_backward_first}) {
    check(op,
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

}  // namespace
}  // namespace gradproof::test
