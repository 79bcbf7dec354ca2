// Numbers at the ends of int64 in every place of a call. What they break is the rules' business
// (and the suite's); here no arithmetic may overflow, and refusals keep their form. Most useful in
// a sanitized build.
#include <gtest/gtest.h>

#include <random>

#include "tests/ops/call_spec.h"

namespace gradproof::test {
namespace {

constexpr std::int64_t kExtremes[] = {INT64_MIN,
                                      INT64_MIN + 1,
                                      -(std::int64_t{1} << 32),
                                      -2,
                                      -1,
                                      0,
                                      1,
                                      2,
                                      3,
                                      16,
                                      INT32_MAX,
                                      std::int64_t{1} << 31,
                                      std::int64_t{1} << 32,
                                      std::int64_t{1} << 60,
                                      (std::int64_t{1} << 61) - 1,
                                      std::int64_t{1} << 61,
                                      std::int64_t{1} << 62,
                                      INT64_MAX / 2,
                                      INT64_MAX - 1,
                                      INT64_MAX};

/// Every number of the call that may be edited.
std::vector<std::int64_t*> numbers(CallSpec& c) {
  std::vector<std::int64_t*> all;
  for (TensorSpec& t : c.tensors) {
    for (auto* values : {&t.shape, &t.strides, &t.storage}) {
      for (std::int64_t& v : *values) all.push_back(&v);
    }
    all.push_back(&t.offset);
  }
  for (ArraySpec& a : c.arrays) {
    for (std::int64_t& v : a.values) all.push_back(&v);
  }
  return all;
}

CallSpec spelled_out(Op op) {
  CallSpec c = valid(op);
  for (TensorSpec& t : c.tensors) {
    t.strides = dense(t.shape);
    t.storage = t.shape;
    t.data = reinterpret_cast<void*>(std::uintptr_t(-64));  // compared, never followed
  }
  c.tensors.back().data = nullptr;
  return c;
}

void expect_formed(const CallSpec& c) {
  const Phase1 got = probe(c);
  if (got.status == ACLNN_SUCCESS) {
    EXPECT_NE(got.executor, nullptr);
    return;
  }
  EXPECT_EQ(got.status, ACLNN_ERR_PARAM_INVALID) << got.message;
  EXPECT_FALSE(got.touched);
  EXPECT_EQ(got.message.find(std::string(api_name(c.op)) + ": "), 0u) << got.message;
}

class Extremes : public testing::TestWithParam<Op> {};

INSTANTIATE_TEST_SUITE_P(Operators, Extremes, testing::ValuesIn(kOps),
                         [](const auto& row) { return std::string(api_name(row.param) + 5); });

TEST_P(Extremes, InEachPlace) {
  CallSpec c = spelled_out(GetParam());
  for (std::int64_t* place : numbers(c)) {
    const std::int64_t before = *place;
    for (std::int64_t extreme : kExtremes) {
      *place = extreme;
      expect_formed(c);
    }
    *place = before;
  }
}

TEST_P(Extremes, InAllTensorsAtOnce) {
  for (std::int64_t extreme : kExtremes) {
    for (std::size_t axis = 0; axis < valid(GetParam()).tensors[0].shape.size(); ++axis) {
      for (bool broadcast : {false, true}) {
        CallSpec c = valid(GetParam());
        for (TensorSpec& t : c.tensors) {
          t.shape.assign(t.shape.size(), 1);
          t.shape[axis] = extreme;
          if (broadcast) t.strides.assign(t.shape.size(), 0), t.storage = {1};
        }
        for (ArraySpec& a : c.arrays) a.values.assign(a.values.size(), 1);
        expect_formed(c);
      }
    }
  }
}

TEST_P(Extremes, InSeveralPlaces) {
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 5000; ++round) {
    CallSpec c = spelled_out(GetParam());
    const auto places = numbers(c);
    for (std::size_t edits = 1 + below(6); edits > 0; --edits) {
      *places[below(places.size())] = kExtremes[below(std::size(kExtremes))];
    }
    expect_formed(c);
  }
}

}  // namespace
}  // namespace gradproof::test
