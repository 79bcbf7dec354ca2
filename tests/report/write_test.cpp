// Files that a report is written to.
#include "props/report/write.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/report/sample.h"

namespace gradproof::report {
namespace {

constexpr const char* kSmall =
    "replication_pad2d_backward gradOutput=FLOAT[1,1,1]:ND self=FLOAT[1,1,1]:ND padding=0,0,0,0 "
    "gradInput=FLOAT[1,1,1]:ND";
constexpr const char* kWide =
    "replication_pad2d_backward gradOutput=FLOAT[1,1,3]:ND self=FLOAT[1,1,2]:ND padding=0,1,0,0 "
    "gradInput=FLOAT[1,1,2]:ND";
constexpr const char* kHalf =
    "replication_pad2d_backward gradOutput=FLOAT16[1,1,1]:ND self=FLOAT16[1,1,1]:ND "
    "padding=0,0,0,0 gradInput=FLOAT16[1,1,1]:ND";

TEST(Write, KnownFindingsAreListedOnce) {
  Report report = sample();
  const Failure one = report.failures.front();
  report.failures.clear();
  for (const char* test : {kSmall, kWide, kHalf}) {
    report.failures.push_back(one);
    report.failures.back().op = ref::Operator::replication_pad2d_backward;
    report.failures.back().test = test;
  }
  report.failures[0].in_common = {"rank 3", "FLOAT"};
  report.failures[0].add(ref::Operator::replication_pad2d, "misuse", 1);
  const auto file = std::filesystem::temp_directory_path() /
                    ("gradproof-known-" + std::to_string(getpid()) + ".json");
  const auto known = profiles::KnownList::parse(
      R"({"known": [{"kind": "leak", "when": {"operator": "max_pool3d_with_argmax"}, "reason": "r"}]})",
      "k.json", {});
  write_known(report, known, file.string());
  const auto json = nlohmann::json::parse(std::ifstream(file));
  std::filesystem::remove(file);
  ASSERT_EQ(json["known"].size(), 3u);  // what was known, that of FLOAT alone, and the others
  EXPECT_EQ(json["known"][0]["kind"], "leak");
  EXPECT_EQ(json["known"][1]["features"], (std::vector<std::string>{"FLOAT", "rank 3"}));
  EXPECT_EQ(json["known"][1]["when"]["operator"],
            (std::vector<std::string>{"replication_pad2d_backward", "replication_pad2d"}));
  EXPECT_FALSE(json["known"][2].contains("features"));
}

TEST(Write, ASymptomOfRefusedCallsIsKnownWhateverRuleIsBroken) {
  Report report = sample();
  report.failures.resize(1);
  Failure& failure = report.failures.front();
  failure.kind = "leak";
  failure.property = "no-leak";
  failure.symptom = "48 bytes leak";
  failure.op = ref::Operator::replication_pad2d_backward;
  failure.test =
      "replication_pad2d_backward gradOutput=FLOAT[1,1,9]:ND self=FLOAT[1,1,1]:ND padding=0,0,0,0 "
      "gradInput=FLOAT[1,1,1]:ND";
  const auto file = std::filesystem::temp_directory_path() /
                    ("gradproof-known-" + std::to_string(getpid()) + ".json");
  write_known(report, {}, file.string());
  const auto known = profiles::KnownList::read(file.string(), {{"no-leak"}});
  std::filesystem::remove(file);
  const props::Case other = props::parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,1,1]:ND self=FLOAT[1,1,1]:ND padding=0,0 "
      "gradInput=FLOAT[1,1,1]:ND");
  EXPECT_NE(known.find("leak", "no-leak", other), nullptr);
  EXPECT_EQ(known.find("leak", "no-leak", props::parse_case(kSmall)), nullptr) << "a valid call";
}

}  // namespace
}  // namespace gradproof::report
