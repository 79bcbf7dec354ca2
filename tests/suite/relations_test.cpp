// Properties that compare runs with each other: each finds a fault that it is for, in a library
// that is otherwise right, and has nothing to say against ours.
#include <cmath>
#include <set>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/describe/promises.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/properties/problem.h"
#include "ref/operators.h"
#include "ref/scales.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

constexpr const char* kPad =
    "replication_pad2d_backward gradOutput=FLOAT[2,3,6,7]:ND self=FLOAT[2,3,5,4]:ND "
    "padding=1,2,0,1 gradInput=FLOAT[2,3,5,4]:ND";
constexpr const char* kStridedPad =
    "replication_pad2d_backward gradOutput=FLOAT[2,3,6,7]:ND:strides(252,84,14,2) "
    "self=FLOAT[2,3,5,4]:ND padding=1,2,0,1 "
    "gradInput=FLOAT[2,3,5,4]:ND";
constexpr const char* kLargePad =
    "replication_pad2d_backward gradOutput=FLOAT[2,3,102,101]:ND self=FLOAT[2,3,100,99]:ND "
    "padding=1,1,1,1 gradInput=FLOAT[2,3,100,99]:ND";
constexpr const char* kCroppedPad =
    "replication_pad2d_backward gradOutput=FLOAT[1,3,6,5]:ND self=FLOAT[1,3,5,4]:ND "
    "padding=-1,2,0,1 gradInput=FLOAT[1,3,5,4]:ND";
constexpr const char* kHalfPad =
    "replication_pad2d_backward gradOutput=FLOAT16[2,3,9,8]:ND self=FLOAT16[2,3,5,4]:ND "
    "padding=2,2,2,2 "
    "gradInput=FLOAT16[2,3,5,4]:ND";
constexpr const char* kUpsample =
    "upsample_bilinear2d_backward gradOut=FLOAT[2,3,8,6]:NCHW outputSize=8,6 inputSize=2,3,4,3 "
    "alignCorners=false "
    "scalesH=0 scalesW=0 out=FLOAT[2,3,4,3]:NCHW";
constexpr const char* kPool3d =
    "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,2,2,2,3]:NCDHW self=FLOAT[1,2,4,4,6]:NCDHW "
    "indices=INT32[1,2,2,2,3]:NCDHW kernelSize=2 stride= padding=0 dilation=1 ceilMode=true "
    "gradInput=FLOAT[1,2,4,4,6]:NCDHW";
constexpr const char* kPool2d =
    "max_pool2d_with_mask_backward gradOutput=FLOAT[1,2,2,3]:NCHW self=FLOAT[1,2,4,6]:NCHW "
    "indices=INT8[1,2,4,64]:NCHW "
    "kernelSize=2,2 stride=2,2 padding=0,0 dilation=1,1 ceilMode=false "
    "gradInput=FLOAT[1,2,4,6]:NCHW";
constexpr const char* kMask =
    "max_pool2d_with_mask self=FLOAT[1,2,4,6]:NCHW kernelSize=2,2 stride=2,2 padding=0,0 "
    "dilation=1,1 ceilMode=false "
    "out=FLOAT[1,2,2,3]:NCHW indices=INT8[1,2,4,64]:NCHW";
constexpr const char* kAdaptive =
    "adaptive_max_pool3d self=FLOAT[1,2,4,4,6]:NCDHW outputSize=2,2,3 "
    "outputOut=FLOAT[1,2,2,2,3]:NCDHW "
    "indicesOut=INT32[1,2,2,2,3]:NCDHW";

struct Row {
  const char* property;
  const char* fault;
  const char* test;
};

const Row kRows[] = {
    {"threads", "fifth run", kLargePad},
    {"layout", "strided", kStridedPad},
    {"support", "spills", kCroppedPad},
    {"special-values", "spreads", kUpsample},
    {"argmax", "any call", kMask},
    {"argmax", "rest of the mask", kMask},
    {"argmax", "any call", kAdaptive},
    {"adjoint", "gradient", kPad},
    {"adjoint", "gradient", kUpsample},
    {"adjoint", "gradient", kPool3d},
    {"adjoint", "gradient", kPool2d},
    {"central-differences", "gradient", kPad},
    {"central-differences", "gradient", kPool2d},
    {"linearity", "saturates", kPad},
    {"powers-of-two", "coarse", kUpsample},
    {"low-precision", "few bits", kHalfPad},
    {"batch-order", "any call", kPad},
    {"channel-order", "any call", kPad},
    {"channel-order", "any call", kMask},
    {"axis-order", "height beyond width", kPad},
    {"axis-order", "height beyond width", kPool2d},
    {"nhwc", "NHWC", kUpsample},
    {"rank", "lower rank", kCroppedPad},
    {"rank", "lower rank", kPool3d},
    {"rank", "lower rank", kMask},
    {"parameter-lengths", "array of length 1", kPool3d},
    {"default-stride", "empty array", kPool3d},
    {"default-stride", "empty array", kPool2d},
    {"ceil-mode", "ceil mode", kPool3d},
    {"ceil-mode", "ceil mode", kPool2d},
    {"depth-1", "mask pool", kPool2d},
    {"depth-1", "mask pool", kMask},
    {"adaptive-division", "adaptive pool", kAdaptive},
    {"identity", "any call", kAdaptive},
    {"identity", "any call", kPool2d},
};

TEST(Relations, EachPropertyFindsItsFault) {
  const Library fake(std::vector<std::string>{FAKE_REFERENCE});
  Session session(fake);
  ASSERT_TRUE(session.select(ref::Product::Ascend910B));
  Bench bench{session};
  for (const Row& row : kRows) {
    Calls calls;
    bench.shown =
        &calls;  // as where a finding is described: each call must be one that can be drawn
    SCOPED_TRACE(std::string(row.property) + ": " + row.fault + ": " + row.test);
    const Property* property = find_property(row.property);
    ASSERT_NE(property, nullptr);
    const Case c = parse_case(row.test);
    ASSERT_TRUE(property->applies(c));
    const Verdict sound = property->check(c, bench);
    EXPECT_TRUE(sound.held) << sound.finding;
    const Fault misbehave(row.fault);
    const Verdict broken = property->check(c, bench);
    EXPECT_FALSE(broken.held);
    if (broken.kind == "reach") {
      EXPECT_NE(broken.finding.find(": got "), std::string::npos) << broken.finding;
    }
  }
}

TEST(Relations, HoldForOurLibrary) {
  Session& session = our_session();
  Bench bench{session};
  SeededSource source(11);
  std::set<std::string> names, applied;
  for (const Row& row : kRows) names.insert(row.property);
  for (int op = 0; op < ref::kOperatorCount; ++op) {
    const std::vector<CoveragePoint> all = coverage_points(static_cast<ref::Operator>(op));
    for (int i = 0; i < 60; ++i) {
      const Case c = generate_valid(source, all[source.below(all.size())], {.max_elements = 500});
      ASSERT_TRUE(session.select(c.call.product));
      for (const std::string& name : names) {
        const Property& property = *find_property(name);
        if (!property.applies(c)) continue;
        applied.insert(name);
        const Verdict verdict = property.check(c, bench);
        EXPECT_TRUE(verdict.held) << name << ": " << verdict.finding << '\n' << to_text(c);
      }
    }
  }
  EXPECT_EQ(applied, names);
}

// Exact problems have weights of few bits, and ask for nothing that their cases do not ask for.
TEST(Relations, ExactUpsamplingStaysWithinTheDocuments) {
  constexpr double kUnit = 1.0 / 32;
  SeededSource source(5);
  for (const ref::Operator op :
       {ref::Operator::upsample_bilinear2d_backward, ref::Operator::upsample_bilinear2d}) {
    int total = 0, exact = 0;
    for (const CoveragePoint& point : coverage_points(op)) {
      for (int i = 0; i < 200; ++i) {
        const Case c = generate_valid(source, point, {.max_elements = 500});
        ++total;
        if (!can_be_exact(c)) continue;
        ++exact;
        const Case problem = exact_problem(c).c;
        ASSERT_TRUE(is_plain(problem)) << to_text(problem);
        EXPECT_TRUE(promises_asked(problem).empty() || !promises_asked(c).empty())
            << to_text(c) << '\n'
            << to_text(problem);
        const ref::Images im = ref::images(problem.call, 0);
        const bool align = problem.call.flags[0] != 0;
        const std::pair<std::int64_t, std::int64_t> axes[] = {{im.in_h, im.out_h},
                                                              {im.in_w, im.out_w}};
        for (std::size_t axis = 0; axis < 2; ++axis) {
          const double scale = ref::scale_in_effect(problem.call, axis);
          for (const std::vector<ref::Tap>& taps :
               ref::bilinear_taps(axes[axis].first, axes[axis].second, align, scale)) {
            for (const ref::Tap& tap : taps)
              ASSERT_EQ(std::fmod(tap.weight, kUnit), 0) << to_text(problem);
          }
        }
      }
    }
    EXPECT_GE(exact * 4, total) << exact << " of " << total;
  }
}

}  // namespace
}  // namespace gradproof::props
