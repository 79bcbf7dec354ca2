// Joining shards: sums, order, and what is refused.
#include "props/report/merge.h"

#include <gtest/gtest.h>

#include <functional>

#include "props/cases/input_error.h"
#include "props/report/json.h"
#include "tests/report/sample.h"

namespace gradproof::report {
namespace {

std::string error_of(const std::vector<NamedReport>& shards, bool partial = false) {
  try {
    merge(shards, partial);
  } catch (const props::InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Merge, AddsWhatShardsCounted) {
  Report second = sample(2, 2);
  second.failures[0].number = 4;
  second.failures[0].finding = "earlier";
  second.failures.push_back(
      {ref::Operator::upsample_bilinear2d, "threads", "bits", 1, 9, "", "", "", "", ""});
  second.operators[ref::Operator::replication_pad2d].errors["FLOAT16"].add(0.75, true);
  second.operators[ref::Operator::replication_pad2d].classes["strided-output"] = 5;
  second.operators[ref::Operator::replication_pad2d].kernels["planes"]["BF16 avx2"] = 2;
  second.parts[0].seconds = 9;
  const Report merged = merge({{"b", second}, {"a", sample(1, 2)}}, false);
  EXPECT_EQ(merged.cases(), 80u);
  EXPECT_EQ(merged.boundary_cases(), 18u);
  EXPECT_EQ(merged.checks(), 80u);
  EXPECT_EQ(merged.failed(), 6u);
  EXPECT_EQ(merged.seconds(), 9);
  ASSERT_EQ(merged.parts.size(), 2u);
  EXPECT_EQ(merged.parts[0].shard, 1);
  const OperatorReport& o = merged.operators.at(ref::Operator::replication_pad2d);
  EXPECT_EQ(o.worst(), 0.75);
  EXPECT_EQ(o.errors.at("FLOAT16").bins[0], 2u);
  EXPECT_EQ(o.classes.at("strided-output"), 5u);
  EXPECT_EQ(o.kernels.at("planes").at("BF16 avx2"), 2u);
  EXPECT_EQ(o.kernels.at("rows").at("BF16 avx2"), 6u);
  EXPECT_EQ(o.rules[0].total().broken, 6u);
  EXPECT_EQ(o.properties.at("equivalence").failed, 6u);
  ASSERT_EQ(merged.failures.size(), 2u);
  EXPECT_EQ(merged.failures[0].finding, "earlier");
  EXPECT_EQ(merged.failures[0].count, 6u);
  EXPECT_EQ(merged.failures[1].property, "threads");
  EXPECT_EQ(merged.slowest.size(), 2u);
}

TEST(Merge, TellsCausesApartByWhatTheirCasesShare) {
  const auto with = [](int shard, std::uint64_t number, std::vector<std::string> needed,
                       std::string look = "") {
    Report report = sample(shard, 3);
    report.failures[0].number = number;
    report.failures[0].needed = std::move(needed);
    report.failures[0].in_common = {report.failures[0].needed.back()};
    report.failures[0].look = std::move(look);
    report.failures[0].also = {
        {ref::Operator::replication_pad2d, "layout", static_cast<std::uint64_t>(shard)}};
    return report;
  };
  const std::vector<NamedReport> shards = {{"a", with(1, 5, {"BF16", "ceil"})},
                                           {"b", with(2, 9, {"ceil"})},
                                           {"c", with(3, 7, {"ceil"}, "NaN")}};
  const Report merged = merge(shards, false);
  ASSERT_EQ(merged.failures.size(), 2u);
  EXPECT_EQ(merged.failures[0].number, 5u);
  EXPECT_EQ(merged.failures[0].count, 6u);
  EXPECT_EQ(merged.failures[0].needed, std::vector<std::string>{"ceil"});
  ASSERT_EQ(merged.failures[0].also.size(), 1u);
  EXPECT_EQ(merged.failures[0].also[0].count, 3u);
  EXPECT_EQ(merged.failures[1].look, "NaN");
  EXPECT_EQ(to_json(merge({shards[2], shards[1], shards[0]}, false)), to_json(merged));
}

// What a finding's text leaves out is still needed: a failure of another type is another finding.
TEST(Merge, DoesNotJoinWhatTheTextLeavesOut) {
  Report first = sample(1, 2), second = sample(2, 2);
  first.failures[0].needed = {"BF16"};
  second.failures[0].needed = {"FLOAT"};
  EXPECT_EQ(merge({{"a", first}, {"b", second}}, false).failures.size(), 2u);
}

TEST(Merge, JoinsFindingsOfOneSymptomInAllOperators) {
  Report first = sample(1, 2), second = sample(2, 2);
  for (Report* report : {&first, &second}) report->failures[0].symptom = "48 bytes leak";
  first.failures[0].needed = {"BF16"};
  second.failures[0].op = ref::Operator::replication_pad2d_backward;
  const Report merged = merge({{"a", first}, {"b", second}}, false);
  ASSERT_EQ(merged.failures.size(), 1u);
  EXPECT_EQ(merged.failures[0].total(), first.failures[0].total() + second.failures[0].total());
  second.failures[0].symptom = "24 bytes leak";
  EXPECT_EQ(merge({{"a", first}, {"b", second}}, false).failures.size(), 2u);
}

TEST(Merge, DoesNotDependOnTheOrder) {
  Report second = sample(2, 2);
  second.failures[0].number = 4;
  EXPECT_EQ(to_json(merge({{"b", second}, {"a", sample(1, 2)}}, false)),
            to_json(merge({{"a", sample(1, 2)}, {"b", second}}, false)));
}

TEST(Merge, OfOneIsItself) {
  EXPECT_EQ(to_json(merge({{"a", sample()}}, false)), to_json(sample()));
}

// A border that one shard met is covered; one that none met fails the campaign, once all have
// swept.
TEST(Merge, CoversBordersTogether) {
  const std::string border = "rank self broken on Ascend910B";
  Report first = sample(1, 2), second = sample(2, 2);
  first.question.properties = second.question.properties = {"error-codes"};
  EXPECT_EQ(merge({{"a", first}, {"b", second}}, false).uncovered(), 0u);
  first.parts[0].swept = second.parts[0].swept = true;
  EXPECT_EQ(merge({{"a", first}, {"b", second}}, false).uncovered(), 1u);
  second.operators[ref::Operator::replication_pad2d].borders[border] = 1;
  EXPECT_EQ(merge({{"a", first}, {"b", second}}, false).uncovered(), 0u);
  EXPECT_EQ(first.uncovered(), 0u) << "one shard of two promises nothing";
}

TEST(Merge, WantsEveryShardOnce) {
  EXPECT_NE(error_of({{"a", sample(1, 3)}, {"b", sample(3, 3)}}).find("missing: 2;"),
            std::string::npos);
  EXPECT_EQ(error_of({{"a", sample(1, 3)}, {"b", sample(3, 3)}}, true), "");
  EXPECT_EQ(error_of({{"a", sample(1, 2)}, {"b", sample(1, 2)}}, true), "b: shard 1 is also in a");
  Report interrupted = sample(2, 2);
  interrupted.parts[0].interrupted = true;
  EXPECT_EQ(error_of({{"a", sample(1, 2)}, {"b", interrupted}}).find("b: shard 2 was interrupted"),
            0u);
  EXPECT_TRUE(merge({{"a", sample(1, 2)}, {"b", interrupted}}, true).interrupted());
}

TEST(Merge, WantsOneCampaign) {
  const std::pair<std::string, std::function<void(Report&)>> changes[] = {
      {"command", [](Report& r) { r.question.command = "run"; }},
      {"seed", [](Report& r) { r.question.seed = 8; }},
      {"library", [](Report& r) { r.question.libraries[0].fingerprint = "1"; }},
      {"library", [](Report& r) { r.question.libraries.clear(); }},
      {"process", [](Report& r) { r.question.exec = "python3 kernel.py"; }},
      {"products", [](Report& r) { r.question.products.clear(); }},
      {"operators", [](Report& r) { r.question.operators.clear(); }},
      {"properties", [](Report& r) { r.question.properties.clear(); }},
      {"number of cases", [](Report& r) { r.question.cases = 1; }},
      {"seconds", [](Report& r) { r.question.seconds = 1; }},
      {"threads", [](Report& r) { r.question.threads = 1; }},
      {"profile", [](Report& r) { r.question.profile = "float-coordinates"; }},
      {"case files", [](Report& r) { r.question.files = {"f"}; }},
      {"number of shards", [](Report& r) { r.shards = 5; }},
  };
  for (const auto& [what, change] : changes) {
    Report other = sample(2, 2);
    change(other);
    EXPECT_EQ(error_of({{"a", sample(1, 2)}, {"b", other}}, true),
              "b: from another campaign than a: different " + what);
  }
  Report elsewhere = sample(2, 2);
  elsewhere.question.libraries[0].path = "/another/place.so";
  EXPECT_EQ(error_of({{"a", sample(1, 2)}, {"b", elsewhere}}), "");
}

}  // namespace
}  // namespace gradproof::report
