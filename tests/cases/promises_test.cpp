// What cases ask for beyond the operators' documents, and that generator and shrinker know it.
#include "props/cases/describe/promises.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/shrink/simpler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "props/cases/data/data.h"
#include "props/cases/generate/small_scope.h"
#include "ref/element.h"
#include "ref/rules.h"
#include "ref/scales.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

using Asked = std::vector<std::string_view>;

Case image(const std::string& product, const std::string& rest) {
  return parse_case("upsample_bilinear2d_backward soc=" + product +
                    " gradOut=FLOAT[1,2,8,7]:NCHW outputSize=8,7 inputSize=1,2,4,5 " + rest +
                    " out=FLOAT[1,2,4,5]:NCHW");
}
Case pool(const std::string& fill, const std::string& type = "FLOAT16") {
  return parse_case("max_pool2d_with_mask self=" + type + "[1,2,4,6]:NCHW:fill(" + fill +
                    ") kernelSize=2 stride=2 padding=0 dilation=1 ceilMode=false out=" + type +
                    "[1,2,2,3]:NCHW indices=INT8[1,2,4,64]:NCHW");
}

TEST(Promises, NonFittingScales) {
  const Asked scales = {kNonFittingScales};
  for (const char* product : {"Ascend910B", "Ascend910_93"}) {
    EXPECT_EQ(promises_asked(image(product, "alignCorners=false scalesH=2 scalesW=1.5")), Asked());
    EXPECT_EQ(promises_asked(image(product, "alignCorners=false scalesH=-3 scalesW=0")), Asked());
    EXPECT_EQ(promises_asked(image(product, "alignCorners=false scalesH=3 scalesW=0")), scales);
    EXPECT_EQ(promises_asked(image(product, "alignCorners=false scalesH=0 scalesW=1")), scales);
    EXPECT_EQ(promises_asked(image(product, "alignCorners=true scalesH=3 scalesW=1")), Asked());
  }
  for (const char* product : {"Ascend910", "Ascend310P"})
    EXPECT_EQ(promises_asked(image(product, "alignCorners=false scalesH=3 scalesW=1")), Asked());
  Case broken = image("Ascend910B", "alignCorners=false scalesH=3 scalesW=1");
  broken.call.null_executor = true;
  EXPECT_EQ(promises_asked(broken), Asked());
}

TEST(Promises, ForwardNan) {
  for (const char* fill : {"special", "constant,nan", "constant,-inf", "constant,-1e6",
                           "uniform,-70000,1", "normal,0,10000", "integers,70000"})
    EXPECT_EQ(promises_asked(pool(fill)), Asked{kForwardNan}) << fill;
  for (const char* fill : {"integers", "constant,inf", "constant,-60000", "powers", "normal,0,1",
                           "uniform,-5,70000", "zeros_and_ones"})
    EXPECT_EQ(promises_asked(pool(fill)), Asked()) << fill;
  EXPECT_EQ(promises_asked(pool("constant,-1e6", "FLOAT")), Asked());
}

TEST(Promises, GeneratedCasesAskForFewAndKeepThem) {
  for (const ref::Operator op : all_operators()) {
    int total = 0, asking = 0;
    each_valid(
        op, 2000 / static_cast<int>(coverage_points(op).size()) + 1,
        [&](const CoveragePoint&, const Case& c) {
          ++total;
          const Asked asked = promises_asked(c);
          asking += !asked.empty();
          if (op == ref::Operator::max_pool2d_with_mask && asked.empty()) {
            const std::vector<ref::Dense> data = make_data(c);
            const ref::Dense& self = data[0];
            const std::int64_t size = ref::dtype_size(self.dtype);
            for (std::int64_t i = 0; i < static_cast<std::int64_t>(self.bytes.size()) / size; ++i) {
              const long double value = ref::load(self.bytes.data(), self.dtype, i);
              ASSERT_TRUE(value > -std::numeric_limits<long double>::infinity()) << to_text(c);
            }
          }
          if (total % 50 != 0) return;
          for (const Case& variant : simpler(c)) {
            for (const std::string_view promise : promises_asked(variant))
              EXPECT_NE(std::find(asked.begin(), asked.end(), promise), asked.end())
                  << promise << "\n"
                  << to_text(c) << "\n"
                  << to_text(variant);
          }
        });
    const bool some = op == ref::Operator::upsample_bilinear2d_backward ||
                      op == ref::Operator::upsample_bilinear2d ||
                      op == ref::Operator::max_pool2d_with_mask;
    // Some cases of three operators, fewer than one in five; no case of the others.
    EXPECT_GE(asking * 100, some ? total : 0) << stem(op);
    EXPECT_LE(asking * 5, some ? total : 0) << stem(op);
  }
}

TEST(Promises, SimplerVariantsKeepAFittingScale) {
  const Case c = image("Ascend910B", "alignCorners=false scalesH=2 scalesW=1.5");
  int smaller = 0;
  for (const Case& variant : simpler(c)) {
    const std::vector<std::int64_t>& in = ref::tensor(variant.call, "out").shape;
    smaller += in[2] < 4 && variant.call.reals[0] > 0 && ref::scales_fit(variant.call);
  }
  EXPECT_GT(smaller, 0);
}

TEST(Promises, TheSmallScopeAsksForNone) {
  for (const ref::Operator op :
       {ref::Operator::upsample_bilinear2d_backward, ref::Operator::upsample_bilinear2d}) {
    each_scope_call(op, ref::Product::Ascend910B, {}, [&](const ScopeCall& call) {
      EXPECT_EQ(promises_asked(call.test), Asked()) << to_text(call.test);
      return true;
    });
  }
}

}  // namespace
}  // namespace gradproof::props
