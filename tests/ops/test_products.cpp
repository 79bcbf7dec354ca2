// Which operators and types each product has.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/ops/expectations.h"

namespace gradproof::test {
namespace {

const std::vector<aclDataType> kNone = {};
const std::vector<aclDataType> kTwo = {ACL_FLOAT, ACL_FLOAT16};
const std::vector<aclDataType> kThree = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const std::vector<aclDataType> kPad = {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_COMPLEX64,
                                       ACL_COMPLEX128};

const std::vector<aclDataType>& types(Op op, int product) {
  using Row = std::array<const std::vector<aclDataType>*, 4>;
  static const Row volume = {&kNone, &kNone, &kThree, &kThree};
  static const Row mask = {&kTwo, &kNone, &kThree, &kThree};
  static const Row upsample = {&kTwo, &kTwo, &kThree, &kThree};
  static const Row pad = {&kPad, &kPad, &kPad, &kPad};
  switch (op) {
    case Op::max_pool2d_with_mask:
    case Op::max_pool2d_with_mask_backward: return *mask[product];
    case Op::upsample_bilinear2d:
    case Op::upsample_bilinear2d_backward:
    case Op::upsample_bilinear2d_backward_first: return *upsample[product];
    case Op::replication_pad2d:
    case Op::replication_pad2d_backward: return *pad[product];
    default: return *volume[product];
  }
}

TEST(Products, HaveTheirOperatorsAndTypes) {
  constexpr const char* kProducts[] = {"Ascend910", "Ascend310P", "Ascend910B", "Ascend910_93"};
  for (int product = 0; product < 4; ++product) {
    const AsProduct chosen(kProducts[product]);
    for (Op op : kOps) {
      const auto& allowed = types(op, product);
      for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_COMPLEX64,
                               ACL_COMPLEX128, ACL_INT32, ACL_INT8}) {
        CallSpec c = valid(op);
        for (TensorSpec& t : c.tensors) {
          if (t.dtype == ACL_FLOAT) t.dtype = type;
        }
        const std::string what = std::string(kProducts[product]) + " type " + std::to_string(type);
        if (allowed.empty()) {
          expect_refused(c, "platform", kProducts[product], what);
        } else if (std::find(allowed.begin(), allowed.end(), type) == allowed.end()) {
          expect_refused(c, "dtype", c.tensors[0].name, what);
        } else {
          expect_valid(c, what);
        }
      }
    }
  }
}

TEST(Products, NullPrecedesPlatform) {
  const AsProduct chosen("Ascend310P");
  CallSpec c = valid(Op::adaptive_max_pool3d_backward);
  c.tensors[1].null = true;
  expect_refused(c, "null-argument", "self", "null on a product without the operator");
}

}  // namespace
}  // namespace gradproof::test
