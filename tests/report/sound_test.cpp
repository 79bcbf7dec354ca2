// A report whose counts cannot be is refused by file and member.
#include "props/report/sound.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "props/cases/input_error.h"
#include "props/report/json.h"
#include "tests/report/sample.h"

namespace gradproof::report {
namespace {

using Json = nlohmann::ordered_json;

std::string error_of(const std::function<void(Json&)>& edit) {
  Json json = Json::parse(to_json(sample(2, 3)));
  edit(json);
  try {
    from_json(json.dump(), "a/report.json");
  } catch (const props::InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Sound, ARealReportIsNotRefused) {
  EXPECT_EQ(error_of([](Json&) {}), "");
  Report fallen_apart = sample();
  fallen_apart.operators.clear();
  fallen_apart.failures.clear();
  fallen_apart.parts[0].cases = fallen_apart.parts[0].failures = 0;
  EXPECT_NO_THROW(from_json(to_json(fallen_apart), "x"));
}

TEST(Sound, WhatIsNoCountIsRefused) {
  const std::pair<std::string, std::function<void(Json&)>> edits[] = {
      {"operators[0].cases: -40 is not a count", [](Json& j) { j["operators"][0]["cases"] = -40; }},
      {"operators[0].boundary_cases: 9.5 is not a count",
       [](Json& j) { j["operators"][0]["boundary_cases"] = 9.5; }},
      {"operators[0].kernels.rows.BF16 avx2: -2 is not a count",
       [](Json& j) { j["operators"][0]["kernels"]["rows"]["BF16 avx2"] = -2; }},
      {"operators[0].classes.empty: -2 is not a count",
       [](Json& j) { j["operators"][0]["classes"]["empty"] = -2; }},
      {"operators[0].errors[0].bins[0]: -1 is not a count",
       [](Json& j) { j["operators"][0]["errors"][0]["bins"][0] = -1; }},
      {"operators[0].properties[0].runs: \"many\" is not a count",
       [](Json& j) { j["operators"][0]["properties"][0]["runs"] = "many"; }},
      {"failures[0].count: null is not a count",
       [](Json& j) { j["failures"][0]["count"] = nullptr; }},
      {"shards: -3 is not a count", [](Json& j) { j["shards"] = -3; }},
      {"parts[0].seconds: -1.5 is not a non-negative number",
       [](Json& j) { j["parts"][0]["seconds"] = -1.5; }},
  };
  for (const auto& [error, edit] : edits) EXPECT_EQ(error_of(edit), "a/report.json: " + error);
}

TEST(Sound, SumsThatDoNotAddUpAreRefused) {
  const std::string op = "operators.replication_pad2d";
  const std::pair<std::string, std::function<void(Json&)>> edits[] = {
      {op + ".failures: 5, but the failures of its properties add up to 3",
       [](Json& j) { j["operators"][0]["failures"] = j["parts"][0]["failures"] = 5; }},
      {op + ".properties.equivalence.failed: 41, but its runs are 40",
       [](Json& j) {
         j["operators"][0]["properties"][0]["failed"] = 41;
         j["operators"][0]["failures"] = j["parts"][0]["failures"] = 41;
       }},
      {op + ".properties.equivalence.failed: 3, but its findings add up to 4",
       [](Json& j) { j["failures"][0]["count"] = 4; }},
      {op + ".errors: 42, but the runs of equivalence are 40",
       [](Json& j) { j["operators"][0]["errors"][0]["bins"][0] = 40; }},
      {op + ".cells.Ascend910B FLOAT16 rank 3 ND: 41, but its cases are 40",
       [](Json& j) { j["operators"][0]["cells"]["Ascend910B FLOAT16 rank 3 ND"] = 41; }},
      {"parts: cases: 39, but the operators add up to 40",
       [](Json& j) { j["parts"][0]["cases"] = 39; }},
      {"parts: failures: 0, but the operators add up to 3",
       [](Json& j) { j["parts"][0]["failures"] = 0; }},
      {"parts: shard 4 of 3", [](Json& j) { j["parts"][0]["shard"] = 4; }},
      {"parts: shard 2: cases: 40, but its share of the requested cases is 33",
       [](Json& j) { j["question"]["cases"] = 100; }},
      {"failures[0]: no count of checks for layout of replication_pad2d",
       [](Json& j) {
         j["operators"][0]["properties"][0]["failed"] = 0;
         j["operators"][0]["failures"] = j["parts"][0]["failures"] = 0;
         j["failures"][0]["property"] = "layout";
       }},
      {"files: f: failed: 2, but its cases are 1",
       [](Json& j) {
         j["files"].push_back({{"file", "f"},
                               {"cases", 1},
                               {"failed", 2},
                               {"skipped", 0},
                               {"worst_error", 0},
                               {"seconds", 0}});
       }},
      {"totals.cases: 41, but the entries add up to 40",
       [](Json& j) { j["totals"]["cases"] = 41; }},
  };
  for (const auto& [error, edit] : edits) EXPECT_EQ(error_of(edit), "a/report.json: " + error);
}

}  // namespace
}  // namespace gradproof::report
