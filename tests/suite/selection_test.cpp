// What is left out is left out of boundary cases too, which edit types, ranks, formats and
// products.
#include <gtest/gtest.h>

#include <algorithm>

#include "acl/acl_base.h"
#include "props/campaign/boundary.h"
#include "props/subject/product.h"

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

}  // namespace
}  // namespace gradproof::campaign
