// The generator: valid cases, every class, within its limits, reproducible.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "props/cases/data/data.h"
#include "props/cases/describe/classes.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/describe/features.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/layers.h"
#include "props/cases/generate/source.h"
#include "props/cases/shapes.h"
#include "ref/element.h"
#include "ref/rules.h"
#include "ref/types.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

class Generator : public testing::TestWithParam<ref::Operator> {};
INSTANTIATE_TEST_SUITE_P(All, Generator, testing::ValuesIn(all_operators()),
                         [](const auto& op) { return stem(op.param); });

TEST_P(Generator, MakesCasesThatTheRulesCallValid) {
  each_valid(GetParam(), 1000, [](const CoveragePoint& point, const Case& c) {
    const ref::Expectation expected = ref::expect(c.call);
    ASSERT_EQ(expected.rule, nullptr)
        << expected.rule->id << ": " << expected.violation.detail << "\n"
        << to_text(c);
    EXPECT_EQ(c.call.product, point.product);
    EXPECT_EQ(c.call.tensors.front().dtype, point.dtype);
    EXPECT_EQ(c.call.tensors.front().format, point.format);
    EXPECT_EQ(c.call.tensors.front().shape.size(), static_cast<std::size_t>(point.rank));
  });
}

/// A case of 240 million took twelve seconds.
TEST(Generator, AdaptiveWindowsAreReadInMoments) {
  const Limits limits{.max_elements = 1 << 17, .long_axis = true};
  for (const ref::Operator op :
       {ref::Operator::adaptive_max_pool3d, ref::Operator::adaptive_max_pool3d_backward}) {
    const std::vector<CoveragePoint> points = coverage_points(op);
    SeededSource source(1);
    for (int i = 0; i < 2000; ++i) {
      const Case c = generate_valid(source, points[source.below(points.size())], limits);
      const auto& in = ref::tensor(c.call, "self").shape;
      const auto& out = c.call.tensors[output_side(op)].shape;
      std::int64_t read = 1;
      for (std::size_t a = 0; a < in.size(); ++a) {
        const std::int64_t window = a + 3 < in.size() || out[a] == 0 ? 1 : in[a] / out[a] + 2;
        read *= out[a] * window;
      }
      EXPECT_LE(read, std::int64_t{1} << 22) << to_text(c);
    }
  }
}

/// Channels last, as many as are worth it side by side, and several columns at a time.
TEST(Generator, DrawsOverlappingPoolsOverLastChannels) {
  const std::vector<CoveragePoint> points =
      coverage_points(ref::Operator::max_pool2d_with_mask_backward);
  SeededSource source(1);
  int drawn = 0;
  for (int i = 0; i < 20000; ++i) {
    const ref::Call call =
        generate_valid(source, points[source.below(points.size())], {.max_elements = 4096}).call;
    const ref::Tensor& in = ref::tensor(call, "gradInput");
    const Window columns = windows(call)[1];
    const bool last =
        in.shape.size() == 4 && in.shape[1] == 32 && !in.null_strides && in.strides[1] == 1;
    drawn += last && columns.kernel > 1 && columns.stride == 1 && columns.in >= 16;
  }
  EXPECT_GT(drawn, 0);
}

TEST_P(Generator, KeepsItsLimits) {
  for (std::int64_t most : {1, 10, 500, 4096, 100000}) {
    SeededSource source(2);
    for (const CoveragePoint& point : coverage_points(GetParam())) {
      for (int i = 0; i < 50; ++i) {
        const Case c = generate_valid(source, point, {most});
        ASSERT_EQ(ref::expect(c.call).rule, nullptr) << to_text(c);
        for (const ref::Tensor& t : c.call.tensors) {
          // A mask has at least 64 bytes a channel, and its limit counts words.
          const std::int64_t count = *element_count(t.shape) / (t.dtype == ref::kInt8 ? 4 : 1);
          ASSERT_LE(count, std::max<std::int64_t>(most, 16)) << to_text(c);
        }
        ASSERT_TRUE(runnable(c, std::int64_t{1} << 30)) << to_text(c);
      }
    }
  }
}

// Every class has a floor on its share: it comes up in a few thousand cases of its operator.
TEST_P(Generator, ReachesEveryClassAndNoOther) {
  const std::vector<std::string> all = all_classes(GetParam());
  std::map<std::string, int> seen;
  int total = 0;
  each_valid(GetParam(), 12000 / static_cast<int>(coverage_points(GetParam()).size()),
             [&](const CoveragePoint&, const Case& c) {
               ++total;
               for (const std::string& label : classes(c)) ++seen[label];
             });
  for (const std::string& label : all) {
    if (label == kManyPlanes) continue;  // only on purpose, as below
    EXPECT_GE(seen[label] * 1000, total * 2) << label << ": " << seen[label] << " of " << total;
  }
  for (const auto& [label, count] : seen) {
    EXPECT_NE(std::find(all.begin(), all.end(), label), all.end())
        << label << " is not in all_classes";
  }
  EXPECT_GE(seen["distinct-extents"] * 2, total) << "distinct axis values must be the default";
}

// Lists of known findings name features.
TEST_P(Generator, MakesNoCaseWithAnUnlistedFeature) {
  const std::vector<std::string> all = all_features(GetParam());
  const std::set<std::string> listed(all.begin(), all.end());
  each_valid(GetParam(), 100, [&](const CoveragePoint&, const Case& c) {
    for (const std::string& feature : features(c)) EXPECT_TRUE(listed.contains(feature)) << feature;
  });
}

TEST_P(Generator, MakesManyPlanesOnPurpose) {
  const std::vector<CoveragePoint> all = coverage_points(GetParam());
  SeededSource source(5);
  int many = 0;
  constexpr int kCases = 40;
  for (int i = 0; i < kCases; ++i) {
    const Case c = generate_valid(source, all[static_cast<std::size_t>(i) % all.size()],
                                  {.max_elements = 1 << 22, .planes = true});
    ASSERT_EQ(ref::expect(c.call).rule, nullptr) << to_text(c);
    const std::vector<std::string> of = classes(c);
    many += std::find(of.begin(), of.end(), kManyPlanes) != of.end() ? 1 : 0;
  }
  EXPECT_GE(many * 4, kCases) << many << " of " << kCases;
}

// In full size a layer has its own windows, and planes of its extents or a row less: a mebibyte of
// them, unless the mask is larger.
TEST_P(Generator, MakesEachLayerOfNetworks) {
  const std::vector<CoveragePoint> all = coverage_points(GetParam());
  SeededSource source(3);
  if (family(GetParam()).layers == nullptr) return;
  const std::span<const Layer> layers = family(GetParam()).layers();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    for (const CoveragePoint& point : all) {
      const Case c =
          generate_valid(source, point, {.max_elements = 1 << 20, .layer = static_cast<int>(i)});
      ASSERT_EQ(ref::expect(c.call).rule, nullptr) << to_text(c);
      const std::vector<std::int64_t>& kernel = ref::int_array(c.call, "kernelSize").values;
      EXPECT_EQ(kernel.back(), layer.kernel.back());
      const ref::Tensor& self = ref::tensor(c.call, "self");
      if (self.shape.front() == 0) continue;
      EXPECT_LE(self.shape.back(), layer.in.back());
      const std::int64_t bytes = *element_count(self.shape) * ref::dtype_size(point.dtype);
      const bool large_mask = indices_slot(GetParam()) >= 0 && layer.stride.back() == 1;
      EXPECT_TRUE(large_mask || bytes * 2 >= std::int64_t{1} << 20) << to_text(c);
      EXPECT_LE(bytes, std::int64_t{3} << 20) << to_text(c);
    }
  }
}

// Likewise what is resized, of whose images the larger may be a mebibyte; planes of at most so many
// elements are whole.
TEST_P(Generator, MakesEachResizingLayerOfNetworks) {
  SeededSource source(4);
  if (family(GetParam()).resizings == nullptr) return;
  const std::span<const Resizing> layers = family(GetParam()).resizings();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Resizing& layer = layers[i];
    for (const CoveragePoint& point : coverage_points(GetParam())) {
      const Case c =
          generate_valid(source, point, {.max_elements = 1 << 20, .layer = static_cast<int>(i)});
      ASSERT_EQ(ref::expect(c.call).rule, nullptr) << to_text(c);
      const std::vector<std::int64_t>&in = c.call.tensors[input_side(GetParam()).front()].shape,
            &out = c.call.tensors[output_side(GetParam())].shape;
      const std::size_t first = first_spatial(c.call);
      for (std::size_t a = 0; a < 2; ++a) {
        EXPECT_EQ(in[first + a], layer.in[a]);
        EXPECT_EQ(out[first + a], layer.out[a]);
      }
      const std::int64_t size = ref::dtype_size(point.dtype);
      EXPECT_GE(std::max(*element_count(in), *element_count(out)) * size, std::int64_t{1} << 19)
          << to_text(c);
      EXPECT_LE(std::max(*element_count(in), *element_count(out)), std::int64_t{1} << 20)
          << to_text(c);
    }
  }
}

TEST_P(Generator, IsReproducibleAndTotalOverBytes) {
  for (const CoveragePoint& point : coverage_points(GetParam())) {
    SeededSource a(5), b(5), other(6);
    const Case first = generate_valid(a, point);
    EXPECT_EQ(to_text(first), to_text(generate_valid(b, point)));
    EXPECT_NE(to_text(first), to_text(generate_valid(other, point)));
    SeededSource random(7);
    for (int length = 0; length < 60; ++length) {
      std::vector<std::uint8_t> bytes;
      for (int i = 0; i < length; ++i)
        bytes.push_back(static_cast<std::uint8_t>(random.below(256)));
      ByteSource source(bytes);
      const Case c = generate_valid(source, point);
      ASSERT_EQ(ref::expect(c.call).rule, nullptr) << to_text(c);
    }
  }
}

}  // namespace
}  // namespace gradproof::props
