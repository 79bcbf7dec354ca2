// The rule table as a whole: its order, the first broken rule, and calls of nonsense.
#include <functional>
#include <map>
#include <random>
#include <set>

#include "rules_common.h"

namespace gradproof::ref::testing {
namespace {

TEST(Rules, TableIsInTheContractsOrder) {
  std::vector<std::string_view> ids;
  for (const Rule& r : rules()) ids.push_back(r.id);
  EXPECT_EQ(ids,
            (std::vector<std::string_view>{
                "null-argument", "platform", "dtype", "format", "rank", "dim-value", "array-length",
                "kernel-value", "stride-value", "padding-value", "dilation-value", "size-value",
                "shape", "index-range", "view", "output-overlap", "alias"}));
  for (const Rule& r : rules()) {
    EXPECT_FALSE(r.statement.empty());
    EXPECT_FALSE(r.source.empty());
  }
}

// Which document speaks of a rule, noted from the documents: 000 has no list of statuses and no
// ranges of values, 002 and 003 have no list of statuses, 001 names no rank.
TEST(Rules, SourcesCiteNoDocumentForWhatItDoesNotSay) {
  const std::map<std::string_view, std::string_view> kDocuments = {
      {"null-argument", "001 004"},
      {"platform", "000 001 004"},
      {"dtype", "000 001 002 003 004"},
      {"format", "000 001 002 003 004"},
      {"rank", "000 002 003 004"},
      {"dim-value", "000"},
      {"array-length", "000 001 002 003"},
      {"kernel-value", "001"},
      {"stride-value", "001"},
      {"padding-value", "001 003"},
      {"dilation-value", "000 001"},
      {"size-value", "002"},
      {"shape", "000 001 002 003 004"},
      {"index-range", "004"}};
  for (const Rule& r : rules()) {
    const std::string_view cited = r.source.substr(0, r.source.find("contract"));
    const std::string_view documents = cited.substr(0, cited.find_first_of(":;"));
    const auto due = kDocuments.find(r.id);
    EXPECT_EQ(documents, due == kDocuments.end() ? "" : due->second) << r.id;
  }
}

TEST(Rules, ValidCallsAreValid) {
  for (Operator op : all_operators()) EXPECT_TRUE(holds(valid_call(op)));
}

TEST(Rules, WhatDoesNotApplyIsNeverBroken) {
  for (Operator op : all_operators()) {
    for (const Rule& r : rules()) EXPECT_FALSE(r.check(valid_call(op))) << r.id;
  }
  auto applies = [](std::string_view id, Operator op) {
    for (const Rule& r : rules())
      if (r.id == id) return r.applies(op);
    return false;
  };
  EXPECT_FALSE(applies("platform", Operator::replication_pad2d_backward));
  EXPECT_FALSE(applies("kernel-value", Operator::adaptive_max_pool3d_backward));
  EXPECT_FALSE(applies("size-value", Operator::adaptive_max_pool3d_backward));
  EXPECT_TRUE(applies("size-value", Operator::adaptive_max_pool3d));
  EXPECT_FALSE(applies("index-range", Operator::max_pool2d_with_mask_backward));
}

TEST(Rules, NullComesFirst) {
  for (Operator op : all_operators()) {
    for (bool otherwise_broken : {false, true}) {
      Call base = valid_call(op);
      if (otherwise_broken) {
        for (Tensor& t : base.tensors) t.dtype = 77, t.shape = {-1}, t.strides = {-1};
        base.product = Product::Ascend310P;
      }
      for (const Parameter& p : signature(op).parameters) {
        Call c = base;
        if (p.kind == Kind::tensor)
          c.tensors[p.slot].null = true;
        else if (p.kind == Kind::int_array)
          c.arrays[p.slot].null = true;
        else
          continue;
        EXPECT_TRUE(breaks(c, "null-argument", p.name));
      }
      Call size = base, executor = base;
      size.null_workspace_size = true;
      executor.null_executor = true;
      EXPECT_TRUE(breaks(size, "null-argument", "workspaceSize"));
      EXPECT_TRUE(breaks(executor, "null-argument", "executor"));
    }
    Call no_data = valid_call(op);  // a null data pointer is phase 2's to refuse
    for (Tensor& t : no_data.tensors) t.null_data = true;
    EXPECT_TRUE(holds(no_data));
  }
}

TEST(Rules, TheFirstBrokenRuleInOrderIsReported) {
  using Edit = std::function<void(Call&)>;
  const std::vector<std::pair<std::string_view, Edit>> edits = {
      {"null-argument", [](Call& c) { c.null_executor = true; }},
      {"platform", [](Call& c) { c.product = Product::Ascend310P; }},
      {"dtype", [](Call& c) { c.tensors[0].dtype = kInt64; }},
      {"format", [](Call& c) { c.tensors[1].format = kFractalNz; }},
      {"rank", [](Call& c) { c.tensors[3].shape.push_back(1), c.tensors[3].strides.push_back(1); }},
      {"dim-value", [](Call& c) { c.tensors[0].shape[1] = -3; }},
      {"array-length", [](Call& c) { c.arrays[3].values.clear(); }},
      {"kernel-value", [](Call& c) { c.arrays[0].values[0] = 0; }},
      {"stride-value", [](Call& c) { c.arrays[1].values[0] = 0; }},
      {"padding-value", [](Call& c) { c.arrays[2].values[1] = -1; }},
      {"dilation-value",
       [](Call& c) {
         if (!c.arrays[3].values.empty()) c.arrays[3].values[0] = 2;
       }},
      {"shape", [](Call& c) { ++c.tensors[1].shape[0]; }},
      {"view", [](Call& c) { c.tensors[2].offset = -1; }},
      {"output-overlap", [](Call& c) { c.tensors[3].strides[0] = 0; }},
      {"alias", [](Call& c) { c.tensors[3].shares = 0; }},
  };
  for (std::size_t i = 0; i < edits.size(); ++i) {
    for (std::size_t j = i; j < edits.size(); ++j) {
      Call c = valid_call(Operator::max_pool2d_with_mask_backward);
      edits[j].second(c);
      if (i != j) edits[i].second(c);
      EXPECT_EQ(first_broken(c), edits[i].first) << edits[j].first;
    }
  }
}

// Calls of nonsense: nothing overflows (the sanitizer build watches) and every answer is complete.
TEST(Rules, NonsenseIsAnswered) {
  std::mt19937_64 random(7);
  const std::int64_t values[] = {
      kMin,       kMin + 1,   -2147483649,           -1,       0,   1, 2, 3, 16,
      2147483647, 2147483648, std::int64_t{1} << 62, kMax - 1, kMax};
  auto value = [&] { return values[random() % std::size(values)]; };
  auto small = [&](std::size_t n) { return random() % n; };
  std::set<std::string> seen;
  for (int round = 0; round < 100000; ++round) {
    Call c = valid_call(static_cast<Operator>(round % kOperatorCount));
    for (std::size_t edit = small(4) + 1; edit-- > 0;) {
      Tensor& t = c.tensors[small(c.tensors.size())];
      switch (small(12)) {
        case 0: t.dtype = static_cast<std::int32_t>(value()); break;
        case 1: t.format = static_cast<std::int32_t>(value()); break;
        case 2:
          if (!t.shape.empty()) t.shape[small(t.shape.size())] = value();
          break;
        case 3:
          if (!t.strides.empty()) t.strides[small(t.strides.size())] = value();
          break;
        case 4: t.offset = value(); break;
        case 5: t.storage.assign(small(5), value()); break;
        case 6: t.shares = static_cast<std::int32_t>(small(6)) - 1, t.shares_at = value(); break;
        case 7: t.shape.assign(small(9), value()), t.strides.assign(t.shape.size(), value()); break;
        case 8: t.null_strides = true; break;
        case 9:
          if (!c.arrays.empty()) c.arrays[small(c.arrays.size())].values.assign(small(6), value());
          break;
        case 10:
          if (!c.flags.empty()) c.flags[0] = 1;
          break;
        default:  // one array element of a legal length
          if (!c.arrays.empty()) {
            IntArray& a = c.arrays[small(c.arrays.size())];
            if (!a.values.empty()) a.values[small(a.values.size())] = value();
          }
      }
    }
    const Expectation e = expect(c);
    ASSERT_EQ(e.status == kSuccess, e.rule == nullptr);
    if (e.rule == nullptr) continue;
    ASSERT_EQ(e.status, e.rule->status);
    ASSERT_FALSE(e.violation.argument.empty());
    ASSERT_FALSE(e.violation.detail.empty());
    seen.insert(std::string(e.rule->id));
  }
  EXPECT_GE(seen.size(), 12u);  // the sweep gets past the first rows
}

}  // namespace
}  // namespace gradproof::ref::testing
