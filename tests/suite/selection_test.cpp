// What is selected holds for boundary cases too, which edit types, ranks, formats and products, and
// for what a report counts.
#include <gtest/gtest.h>

#include <algorithm>

#include "acl/acl_base.h"
#include "props/campaign/boundary.h"
#include "props/cases/mutate/contract.h"
#include "props/subject/product.h"
#include "ref/rules.h"

namespace gradproof::campaign {
namespace {

const std::vector<ref::Product> kProducts = props::products_from(ref::Product::Ascend910B);

/// Boundary cases of the first bases and of what these leave out, but not more than so many.
std::vector<props::Case> boundary_cases(ref::Operator op, const Selection& selection) {
  const Schedule schedule(op, kProducts, 1, selection);
  BoundaryQueue queue(schedule, kProducts, {1, 1});
  std::vector<props::Case> cases;
  for (const std::uint64_t base : {std::uint64_t{0}, std::uint64_t{1}, schedule.first_bases()}) {
    queue.load(base);
    while (!queue.empty()) {
      for (const BoundaryCase& one : queue.take()) cases.push_back(one.test());
    }
  }
  return cases;
}

template <class Has>
void expect_left_out(const Selection& selection, const Has& has) {
  for (const ref::Operator op : {ref::Operator::max_pool3d_with_argmax_backward,
                                 ref::Operator::upsample_bilinear2d_backward}) {
    const std::vector<props::Case> all = boundary_cases(op, {}),
                                   left = boundary_cases(op, selection);
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), has)) << "nothing to leave out";
    EXPECT_FALSE(left.empty());
    for (const props::Case& c : left) EXPECT_FALSE(has(c)) << props::to_text(c);
  }
}

template <class Has>
auto any_tensor(const Has& has) {
  return [has](const props::Case& c) {
    return std::any_of(c.call.tensors.begin(), c.call.tensors.end(), has);
  };
}

TEST(Exclusions, HoldInBoundaryCases) {
  Selection types, formats, ranks, products;
  types.types = Globs({"^bf16"});
  expect_left_out(types, any_tensor([](const ref::Tensor& t) { return t.dtype == ACL_BF16; }));
  formats.formats = Globs({"^NHWC"});
  expect_left_out(formats,
                  any_tensor([](const ref::Tensor& t) { return t.format == ACL_FORMAT_NHWC; }));
  ranks.ranks = Globs({"^6"});
  expect_left_out(ranks, any_tensor([](const ref::Tensor& t) { return t.shape.size() == 6; }));
  products.products = Globs({"^Ascend310P"});
  expect_left_out(products,
                  [](const props::Case& c) { return c.call.product == ref::Product::Ascend310P; });
}

TEST(Selection, HoldsForBoundaryCasesThatAreAccepted) {
  Selection types, ranks, classes, small;
  types.types = Globs({"FLOAT"});
  ranks.ranks = Globs({"4"});
  classes.classes = Globs({"extent-1"});
  small.at_most = 4;
  const auto op = ref::Operator::replication_pad2d_backward;
  for (const Selection* selection : {&types, &ranks, &classes, &small}) {
    std::size_t accepted = 0, refused = 0;
    for (const props::Case& c : boundary_cases(op, *selection)) {
      const bool is_accepted = ref::expect(c.call).rule == nullptr;
      ++(is_accepted ? accepted : refused);
      EXPECT_TRUE(!is_accepted || selection->takes(c)) << props::to_text(c);
    }
    EXPECT_GT(accepted, 0u);
    EXPECT_GT(refused, 0u);
  }
}

TEST(Selection, HoldsForWhatAReportCounts) {
  Selection selection;
  selection.types = Globs({"FLOAT"});
  selection.ranks = Globs({"4"});
  selection.classes = Globs({"^strided-input"});
  const auto op = ref::Operator::max_pool3d_with_argmax_backward;
  const std::set<std::string> left = selection.leaves_out(op, kProducts);
  for (const char* name :
       {"strided-input", "Ascend910B BF16 rank 5 NCDHW", "Ascend910B FLOAT rank 5 NCDHW"})
    EXPECT_TRUE(left.contains(name)) << name;
  for (const char* name : {"ceil", "Ascend910B FLOAT rank 4 ND"})
    EXPECT_FALSE(left.contains(name)) << name;
  const auto leaves = [&](const props::BoundarySide& side) {
    return left.contains(props::to_text(side));
  };
  const ref::Product product = ref::Product::Ascend910B;
  EXPECT_TRUE(leaves({op, product, "dtype", "all tensors", ACL_BF16, 0, false}));
  EXPECT_FALSE(leaves({op, product, "dtype", "all tensors", ACL_FLOAT, 0, false}));
  EXPECT_FALSE(leaves({op, product, "dtype", "all tensors", ACL_INT8, 0, true}));
  EXPECT_FALSE(leaves({op, product, "dtype", "indices", ACL_INT32, 0, false}));
  for (const props::BoundarySide& side : props::boundary_sides(op, product))
    EXPECT_TRUE(side.rank == 0 || leaves(side) == (side.rank != 4)) << props::to_text(side);
  EXPECT_TRUE(Selection().leaves_out(op, kProducts).empty());
}

}  // namespace
}  // namespace gradproof::campaign
