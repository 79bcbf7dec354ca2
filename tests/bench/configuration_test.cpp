// The table that is shipped, and the calls that it stands for.
#include "bench/configuration.h"

#include <gtest/gtest.h>

#include <set>

#include "ref/element.h"
#include "ref/rules.h"
#include "ref/types.h"

namespace gradproof::bench {
namespace {

TEST(Configurations, EachIsAValidCallInEachOfItsTypes) {
  std::set<std::string> names;
  for (const Configuration& c : read_configurations(GRADPROOF_BENCH_CONFIGURATIONS)) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name << " stands there twice";
    for (const std::int32_t type : c.types) {
      const ref::Expectation expected = ref::expect(make_call(c, type));
      EXPECT_EQ(expected.status, 0)
          << c.name << " " << ref::dtype_name(type) << ": " << expected.violation.argument << " "
          << expected.violation.detail;
    }
  }
  EXPECT_GE(names.size(), 50U);
}

TEST(Configurations, EveryOperatorIsThereInEveryKindOfPlace) {
  std::set<std::pair<ref::Operator, Caches>> places;
  std::set<ref::Operator> views, sizes, tiny;
  for (const Configuration& c : read_configurations(GRADPROOF_BENCH_CONFIGURATIONS)) {
    if (!c.size && !c.tiny) places.insert({c.op, c.caches});
    if (c.layout == Layout::gaps) views.insert(c.op);
    if (c.size) sizes.insert(c.op);
    if (c.tiny) tiny.insert(c.op);
  }
  EXPECT_EQ(places.size(), 10U);
  EXPECT_EQ(views.size(), 5U);
  EXPECT_EQ(sizes.size(), 5U);
  EXPECT_EQ(tiny.size(), 5U);
}

TEST(Configurations, LayoutsAreStrides) {
  Configuration c;
  c.op = ref::Operator::replication_pad2d_backward;
  c.input = {2, 3, 4, 5};
  c.padding = {0, 1, 0, 2};
  const auto strides = [&](Layout layout) {
    c.layout = layout;
    return ref::tensor(make_call(c, ref::kFloat), "gradOutput").strides;
  };
  using Extents = std::vector<std::int64_t>;
  EXPECT_EQ(strides(Layout::contiguous), (Extents{108, 36, 6, 1}));
  EXPECT_EQ(strides(Layout::channels_last), (Extents{108, 1, 18, 3}));
  EXPECT_EQ(strides(Layout::row_gaps), (Extents{252, 84, 14, 1}));
  EXPECT_EQ(strides(Layout::gaps), (Extents{216, 72, 12, 2}));
  EXPECT_EQ(strides(Layout::mixed), (Extents{108, 1, 18, 3}));
  EXPECT_EQ(ref::tensor(make_call(c, ref::kFloat), "gradInput").strides, (Extents{60, 20, 5, 1}));
}

}  // namespace
}  // namespace gradproof::bench
