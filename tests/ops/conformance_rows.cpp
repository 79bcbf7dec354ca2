// One call or more for each row of opt/ops/conformance_table.cpp; test_conformance_table.cpp finds
// a row without one.
#include "tests/ops/conformance_rows.h"

#include <array>
#include <cmath>
#include <string>

namespace gradproof::test {
namespace {

auto format(aclFormat value) {
  return [=](CallSpec& c) { c.of_format(value); };
}
auto format(const char* name, aclFormat value) {
  return [=](CallSpec& c) {
    c.of_format(ACL_FORMAT_NCHW);
    c.tensor(name).format = value;
  };
}
auto rank_low(aclFormat value) {
  return [=](CallSpec& c) {
    drop_batch(c);
    c.of_format(value);
  };
}
void storage_too_small(CallSpec& c) { c.tensors.front().storage = {3}; }
void strided_outside(CallSpec& c) {
  TensorSpec& t = c.tensors.back();
  t.strides = dense(t.shape);
  t.strides.front() += 1;
}
void backwards(CallSpec& c) {
  TensorSpec& t = c.tensors.front();
  t.strides = dense(t.shape);
  t.strides.back() = -1;
  t.offset = t.shape.back() - 1;
}
void overlapping_output(CallSpec& c) {
  TensorSpec& t = c.tensors.back();
  t.strides = dense(t.shape);
  t.strides.front() = 0;
}
void aliased(CallSpec& c) {
  static std::array<char, 1 << 16> memory;
  c.tensors.front().data = c.tensors.back().data = memory.data();
}
void unscaled(CallSpec& c) {
  c.tensor("gradOut").shape = {2, 3, 4, 5};
  c.array("outputSize").values = {4, 5};
}
auto no_samples(CallSpec& c) {
  set_axis(c, 0, 0);
  c.array("inputSize").values[0] = 0;
}
auto one_by_one(aclFormat value) {
  return [=](CallSpec& c) {
    c.of_format(value);
    c.array("kernelSize").values = c.array("stride").values = {1, 1};
    c.array("padding").values = {0, 0};
    c.tensor("gradOutput").shape = {2, 3, 9, 11};
    c.tensor("indices").shape = {2, 3, 1, 256};
  };
}

}  // namespace

const std::vector<Judged>& rows() {
  static const std::vector<Judged> all = [] {
    std::vector<Judged> list = {
        {kArgmax, kA2, "indices of another format",
         [](CallSpec& c) {
           c.of_format(ACL_FORMAT_NCDHW);
           c.tensor("indices").format = ACL_FORMAT_ND;
         },
         kInvalid, kOk},
        {kArgmax, kA2, "rank 5, NCHW", format(ACL_FORMAT_NCHW), kInvalid, kInner},
        {kArgmax, kA2, "rank 4, NCDHW", rank_low(ACL_FORMAT_NCDHW), kInvalid, kInner},
        {kArgmax, kA2, "rank 5, NDHWC", format(ACL_FORMAT_NDHWC), kInvalid, kOk},
        {kArgmax, kA2, "rank 4, NHWC", rank_low(ACL_FORMAT_NHWC), kInvalid, kOk},
        {kArgmax, kA2, "HWCN", format(ACL_FORMAT_HWCN), kInvalid, kOk},
        {kArgmax, kA2, "UNDEFINED", format(ACL_FORMAT_UNDEFINED), kInvalid, kInner},
        {kArgmax, kA2, "mixed formats",
         [](CallSpec& c) {
           c.of_format(ACL_FORMAT_NCDHW);
           c.tensor("self").format = ACL_FORMAT_ND;
         },
         kInvalid, kInner},
        {kArgmax, kA2, "self of another rank",
         [](CallSpec& c) { c.tensor("self").shape.erase(c.tensor("self").shape.begin()); },
         kInvalid, kInner},
        {kArgmax, kA2, "empty", [](CallSpec& c) { set_axis(c, 1, 0); }, kInvalid, kOk},
        {kArgmaxForward, kA2, "no samples", [](CallSpec& c) { set_axis(c, 0, 0); }, kInvalid, kOk},
        {kArgmaxForward, kA2, "no samples and no channels",
         [](CallSpec& c) {
           set_axis(c, 0, 0);
           set_axis(c, 1, 0);
         },
         kInvalid, kInvalid},
        {kArgmaxForward, kA2, "no channels", [](CallSpec& c) { set_axis(c, 1, 0); }, kInvalid,
         kInvalid},
        {kArgmax, kA2, "negative extent", extent("self", 1, -1), kInvalid, kInvalid},
        {kArgmax, kA2, "dilation 2",
         [](CallSpec& c) {
           c.array("dilation").values = {2};
           c.tensor("gradOutput").shape = c.tensor("indices").shape = {2, 3, 4, 3, 5};
         },
         kInvalid, kOk},
        {kArgmax, kA2, "dilation 0", array("dilation", {0}), kInvalid, kInvalid},
        {kArgmax, kA2, "wrong extent", extent("gradOutput", 3, 4), kInvalid, kInvalid},
        {kArgmax, kA2, "wrong extents",
         [](CallSpec& c) { c.tensor("gradOutput").shape[3] = c.tensor("indices").shape[3] = 4; },
         kInvalid, kOk, kInner},
        {kArgmax, kA2, "other channels",
         [](CallSpec& c) { c.tensor("gradOutput").shape[1] = c.tensor("indices").shape[1] = 4; },
         kInvalid, kOk, kInner},

        {kAdaptive, kA2, "NDHWC", format(ACL_FORMAT_NDHWC), kInvalid, kOk},
        {kAdaptive, kA2, "UNDEFINED", format(ACL_FORMAT_UNDEFINED), kInvalid, kOk},
        {kAdaptive, kA2, "NCHW, rank 5", format(ACL_FORMAT_NCHW), kInvalid, kInner},
        {kAdaptive, kA2, "NCDHW, rank 4", rank_low(ACL_FORMAT_NCDHW), kInvalid, kInner},
        {kAdaptive, kA2, "indices of another format",
         [](CallSpec& c) {
           c.of_format(ACL_FORMAT_NCDHW);
           c.tensor("indices").format = ACL_FORMAT_ND;
         },
         kInvalid, kInvalid},
        {kAdaptive, kA2, "empty self alone",
         [](CallSpec& c) { c.tensor("self").shape[2] = c.tensor("gradInput").shape[2] = 0; },
         kInvalid, kOk},
        {kAdaptive, kA2, "empty gradOutput alone",
         [](CallSpec& c) { c.tensor("gradOutput").shape[2] = c.tensor("indices").shape[2] = 0; },
         kOk, kOk, kOk, true},
        {kAdaptive, kA2, "other channels, divisible",
         [](CallSpec& c) {
           c.tensor("gradOutput").shape = c.tensor("indices").shape = {2, 4, 7, 3, 1};
         },
         kInvalid, kOk, kInner},
        {kAdaptive, kA2, "other channels",
         [](CallSpec& c) { c.tensor("gradOutput").shape[1] = c.tensor("indices").shape[1] = 4; },
         kInvalid, kInvalid},

        {kMask, kA2, "mask ND beside NCHW", format("indices", ACL_FORMAT_ND), kInvalid, kOk},
        {kMask, kA2, "rank 3, NCHW", rank_low(ACL_FORMAT_NCHW), kOk, kInner},
        {kMask, kA2, "rank 3, NCL", rank_low(ACL_FORMAT_NCL), kOk, kOk},
        {kMask, kA2, "rank 4, NCL", format(ACL_FORMAT_NCL), kOk, kInner},
        {kMask, kA2, "rank 4, ND", format(ACL_FORMAT_ND), kOk, kOk},
        {kMask, kA1, "rank 4, ND, training", format(ACL_FORMAT_ND), kOk, kInner},
        {kMask, kA1, "rank 4, NCHW, training", format(ACL_FORMAT_NCHW), kOk, kOk},
        {kMask, kA2, "rank 4, ND, 1 x 1", one_by_one(ACL_FORMAT_ND), kOk, kInner},
        {kMask, kA2, "rank 4, NCHW, 1 x 1", one_by_one(ACL_FORMAT_NCHW), kOk, kOk},
        {kMask, kA2, "NHWC", format(ACL_FORMAT_NHWC), kInvalid, kOk},
        {kMask, kA1, "NHWC, training", format(ACL_FORMAT_NHWC), kInvalid, kInner},
        {kMask, kA2, "UNDEFINED", format(ACL_FORMAT_UNDEFINED), kInvalid, kOk},
        {kMask, kA2, "NCDHW", format(ACL_FORMAT_NCDHW), kInvalid, kInner},
        {kMask, kA2, "private", format(ACL_FORMAT_NC1HWC0), kInvalid, kInner},
        {kMask, kA2, "kernelSize without values", array("kernelSize", {}), kInvalid, kNull},
        {kMask, kA2, "kernelSize of three", array("kernelSize", {3, 4, 5}), kInvalid, kNull},
        {kMask, kA2, "stride of three", array("stride", {3, 2, 1}), kInvalid, kInvalid},
        {kMask, kA2, "mask of another shape", extent("indices", 2, 5), kInvalid, kOk},
        {kMask, kA2, "mask of other channels", extent("indices", 1, 1), kInvalid, kOk},
        {kMask, kA2, "strided mask",
         [](CallSpec& c) {
           c.tensor("indices").strides = dense({2, 3, 12, 200});
           c.tensor("indices").storage = {2, 3, 12, 200};
         },
         kInvalid, kOk},

        {kUp, kInference, "same extents, INT32",
         [](CallSpec& c) {
           unscaled(c);
           c.of_type(ACL_DOUBLE);
         },
         kInvalid, kOk},
        {kUp, kInference, "same extents, any format",
         [](CallSpec& c) {
           unscaled(c);
           c.tensor("out").format = ACL_FORMAT_NHWC;
         },
         kInvalid, kOk},
        {kUp, kInference, "same extents, out of another rank",
         [](CallSpec& c) {
           unscaled(c);
           c.tensor("out").shape = {2, 3};
         },
         kInvalid, kOk},
        {kUp, kInference, "same extents, an empty out of another rank",
         [](CallSpec& c) {
           unscaled(c);
           c.tensor("out").shape = {2, 0, 3};
         },
         kInvalid, kOk},
        {kUp, kInference, "same extents, a negative extent of another rank",
         [](CallSpec& c) {
           unscaled(c);
           c.tensor("out").shape = {0, -1, 3};
         },
         kInvalid, kInvalid},
        {kUp, kInference, "same extents, out of another shape",
         [](CallSpec& c) {
           unscaled(c);
           c.tensor("out").shape = {2, 3, 4, 6};
         },
         kInvalid, kOk},
        {kUp, kA2, "same extents, DOUBLE, A2",
         [](CallSpec& c) {
           unscaled(c);
           c.of_type(ACL_DOUBLE);
         },
         kInvalid, kInvalid},
        {kUp, kA2, "ND", format(ACL_FORMAT_ND), kInvalid, kOk},
        {Op::upsample_bilinear2d, kA2, "ND", format(ACL_FORMAT_ND), kInvalid, kOk},
        {kUp, kA2, "no samples", no_samples, kInvalid, kOk},
        {kUp, kA2, "no rows",
         [](CallSpec& c) {
           set_axis(c, 2, 0);
           c.array("inputSize").values[2] = 0;
         },
         kInvalid, kInvalid},
        {kUp, kA2, "NaN scale", [](CallSpec& c) { c.scale_h = std::nan(""); }, kInvalid, kOk},
        {kUp, kA1, "infinite scale", [](CallSpec& c) { c.scale_w = HUGE_VAL; }, kInvalid, kOk},
        {kUp, kA2, "an extent of 2^31",
         [](CallSpec& c) {
           set_axis(c, 0, std::int64_t{1} << 31);
           c.array("inputSize").values[0] = std::int64_t{1} << 31;
         },
         kOk, kInvalid},

        {kPad, kA2, "BF16, small padding", [](CallSpec& c) { c.of_type(ACL_BF16); }, kInvalid, kOk},
        {kPad, kA2, "BF16, large padding",
         [](CallSpec& c) {
           c.of_type(ACL_BF16);
           c.array("padding").values[0] = 8;
         },
         kInvalid, kInvalid},
        {kPad, kA2, "BF16, padding of another length",
         [](CallSpec& c) {
           c.of_type(ACL_BF16);
           c.array("padding").values = {1, 1};
         },
         kInvalid, kInvalid},
        {kPad, kA2, "self alone of BF16", [](CallSpec& c) { c.tensor("self").dtype = ACL_BF16; },
         kInvalid, kInvalid},
        {kPad, kA2, "UNDEFINED", format(ACL_FORMAT_UNDEFINED), kInvalid, kInner},
        {kPad, kA2, "cropped to nothing",
         [](CallSpec& c) {
           c.array("padding").values = {-2, -3, 0, 0};
           c.tensor("gradOutput").shape = {2, 3, 4, 0};
         },
         kInvalid, kOk},
        {kPad, kA2, "padding of the extent",
         [](CallSpec& c) {
           c.array("padding").values = {5, 0, 0, 0};
           c.tensor("gradOutput").shape = {2, 3, 4, 10};
         },
         kInvalid, kOk},
        {kPad, kA2, "an offset before empty rows that no stride can tell",
         [](CallSpec& c) {
           c.array("padding").values = {0, 0, 0, 0};
           c.tensor("gradOutput").shape = c.tensor("self").shape;
           set_axis(c, 0, 0);
           set_axis(c, 2, std::int64_t{1} << 62);
           TensorSpec& t = c.tensor("gradOutput");
           t.strides = {1, 1, t.shape[3], 1};
           t.offset = -1;
         },
         kInvalid, kInner},
        {kPad, kA2, "other channels", extent("gradOutput", 1, 4), kInvalid, kInner},
        {kPad, kA2, "rank 3 without channels",
         [](CallSpec& c) {
           drop_batch(c);
           set_axis(c, 0, 0);
         },
         kOk, kInvalid},
    };
    for (const Op op : {kArgmax, kMask, kUp, kPad, kAdaptive}) {
      const auto with_format = [=](void (*edit)(CallSpec&)) {
        return [=](CallSpec& c) {
          if (op == kMask) c.of_format(ACL_FORMAT_NCHW);
          edit(c);
        };
      };
      list.insert(
          list.end(),
          {{op, kA2, "view beyond its storage", with_format(storage_too_small), kInvalid, kOk},
           {op, kA2, "strided view outside", with_format(strided_outside), kInvalid, kInner},
           {op, kA2, "negative stride", with_format(backwards), kInvalid, kOk},
           {op, kA2, "output overlaps itself", with_format(overlapping_output), kInvalid, kOk},
           {op, kA2, "output shares memory", with_format(aliased), kInvalid, kOk}});
    }
    for (std::size_t i = 0, count = list.size(); i < count; ++i) {
      if (list[i].op != kUp) continue;
      list.push_back(list[i]);
      list.back().op = Op::upsample_bilinear2d_backward_first;
    }
    return list;
  }();
  return all;
}

CallSpec call_of(const Judged& row) {
  CallSpec call = valid(row.op);
  row.edit(call);
  return call;
}

}  // namespace gradproof::test
