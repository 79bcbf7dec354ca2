// The byte form: total, and the same case again wherever there is room for it.
#include "props/cases/text/bytes.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"

#include <gtest/gtest.h>

#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

bool has_room(const Case& c) {
  for (const ref::IntArray& array : c.call.arrays) {
    if (array.values.size() > kBytesArray) return false;
  }
  return true;
}

TEST(Bytes, ValidAndBoundaryCasesReadBack) {
  for (ref::Operator op : all_operators()) {
    SeededSource source(1);
    const std::vector<CoveragePoint> all = coverage_points(op);
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 3) {
      const Case valid = generate_valid(source, all[i]);
      ASSERT_EQ(to_text(from_bytes(to_bytes(valid))), to_text(valid));
      for (const Mutation& mutation : mutations(valid)) {
        const Case& c = mutation.mutated;
        if (!has_room(c)) continue;
        ASSERT_EQ(to_text(from_bytes(to_bytes(c))), to_text(c)) << mutation.what;
      }
    }
  }
}

TEST(Bytes, EveryStringIsACase) {
  SeededSource source(5);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint8_t> bytes(source.below(1600));
    const bool dense = source.below(2) == 0;
    for (std::uint8_t& b : bytes)
      b = static_cast<std::uint8_t>(dense || source.below(8) == 0 ? source.below(256) : 0);
    const Case c = from_bytes(bytes);
    ASSERT_EQ(to_text(parse_case(to_text(c))), to_text(c));
    ASSERT_EQ(to_text(from_bytes(to_bytes(c))), to_text(c));
  }
}

TEST(Bytes, FieldsHaveFixedPlaces) {
  SeededSource source(9);
  const Case a =
      generate_valid(source, coverage_points(ref::Operator::replication_pad2d_backward)[0]);
  Case b = a;
  b.call.arrays[0].values.clear();
  b.call.tensors[0].shape = {7, 7};
  b.seed = a.seed + 1;
  // The halves of two strings make a case with the fields of both.
  std::vector<std::uint8_t> mixed = to_bytes(a), other = to_bytes(b);
  ASSERT_EQ(mixed.size(), other.size());
  const std::size_t half = mixed.size() - 8;
  std::copy(other.begin() + static_cast<std::ptrdiff_t>(half), other.end(),
            mixed.begin() + static_cast<std::ptrdiff_t>(half));
  const Case c = from_bytes(mixed);
  EXPECT_EQ(c.call, a.call);
}

TEST(Bytes, WhatHasNoRoomIsCutOff) {
  Case c = blank_case(ref::Operator::replication_pad2d_backward);
  c.call.arrays[0].values.assign(20, 3);
  c.call.tensors[0].shape.assign(20, 1);
  c.call.tensors[0].strides = ref::contiguous_strides(c.call.tensors[0].shape);
  const Case back = from_bytes(to_bytes(c));
  EXPECT_EQ(back.call.arrays[0].values.size(), kBytesArray);
  EXPECT_EQ(back.call.tensors[0].shape.size(), kBytesDimensions);
}

}  // namespace
}  // namespace gradproof::props
