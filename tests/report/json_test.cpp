// report.json: what is written reads back, and what is no report is refused by name.
#include "props/report/json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "props/cases/input_error.h"
#include "tests/report/sample.h"

namespace gradproof::report {
namespace {

std::string error_of(const std::string& text) {
  try {
    from_json(text, "some/report.json");
  } catch (const props::InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(ReportJson, ReadsBackToTheSameText) {
  Report report = sample(2, 3);
  report.question.exec = "python3 kernel.py";
  const std::string text = to_json(report);
  EXPECT_EQ(to_json(from_json(text, "x")), text);
}

TEST(ReportJson, ReadsFormat1) {
  const std::string text = to_json(sample(2, 3));
  nlohmann::json json = nlohmann::json::parse(text);
  json["format"] = 1;
  const auto rename = [](nlohmann::json& object) {
    object["attacks"] = object.at("boundary_cases");
    object.erase("boundary_cases");
  };
  rename(json["totals"]);
  for (nlohmann::json& o : json["operators"]) rename(o);
  EXPECT_EQ(to_json(from_json(json.dump(), "x")), text);
}

TEST(ReportJson, SaysWhatWasNotMadeSmall) {
  Report report = sample();
  report.failures[0].shrunk = false;
  nlohmann::json json = nlohmann::json::parse(to_json(report));
  EXPECT_FALSE(from_json(json.dump(), "x").failures[0].shrunk);
  json["failures"][0].erase("shrunk");  // as reports were before
  EXPECT_TRUE(from_json(json.dump(), "x").failures[0].shrunk);
}

TEST(ReportJson, SaysWhoAnswersAndWhatAKernelIsNotFor) {
  Report report = sample();
  report.question.validation = "by the kit";
  report.question.tensors = "contiguous copies";
  report.operators.begin()->second.declined = {"Ascend910B BF16 rank 3 ND"};
  report.entries.declined["FLOAT alone"] = 12;
  nlohmann::json json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["question"]["validation"], "by the kit");
  EXPECT_EQ(json["entries"]["declined"]["FLOAT alone"], 12);
  const Report read = from_json(json.dump(), "x");
  EXPECT_EQ(read.question.validation, "by the kit");
  EXPECT_EQ(read.question.tensors, "contiguous copies");
  EXPECT_EQ(read.operators.begin()->second.declined.size(), 1u);
  EXPECT_EQ(read.entries.declined, report.entries.declined);
  json["question"].erase("validation");  // as reports were before
  json["entries"].erase("declined");
  EXPECT_EQ(from_json(json.dump(), "x").entries.declined.size(), 0u);
  Entries sum = report.entries;
  add(sum, read.entries);
  EXPECT_EQ(sum.declined["FLOAT alone"], 24u);
}

TEST(ReportJson, HasTheDocumentedNumbers) {
  const nlohmann::json json = nlohmann::json::parse(to_json(sample()));
  EXPECT_EQ(json["format"], 2);
  EXPECT_EQ(json["verdict"], "failed");
  EXPECT_EQ(json["totals"]["cases"], 40);
  EXPECT_EQ(json["totals"]["checks"], 40);
  EXPECT_EQ(json["totals"]["failures"], 3);
  EXPECT_EQ(json["totals"]["kinds"], 1);
  const nlohmann::json& o = json["operators"][0];
  EXPECT_EQ(o["operator"], "replication_pad2d");
  EXPECT_EQ(o["worst_error"], 0.5);
  ASSERT_EQ(o["errors"][0]["bins"].size(), 22u);
  EXPECT_EQ(o["errors"][0]["bins"][0], 1);
  EXPECT_EQ(o["errors"][0]["bins"][10], 1);  // (0.45, 0.5]
  EXPECT_EQ(o["errors"][0]["bins"][21], 1);
  EXPECT_EQ(o["rules"][0]["broken"], 3);
  EXPECT_EQ(o["rules"][0]["kept"], 40);
  EXPECT_EQ(json["failures"][0]["finding"], "answers <\"1\" & '\\x01'>\n]]> \\xff");
  EXPECT_EQ(json["failures"][0]["number"], 17);
}

TEST(ReportJson, RefusesWhatIsNoReport) {
  EXPECT_NE(error_of("nonsense").find("some/report.json: not a report.json of gradproof: "),
            std::string::npos);
  EXPECT_NE(error_of("{}").find("format"), std::string::npos);
  nlohmann::json json = nlohmann::json::parse(to_json(sample()));
  json["format"] = 3;
  EXPECT_NE(error_of(json.dump()).find("some/report.json: format 3 is not supported"),
            std::string::npos);
  json["format"] = kFormat;
  json["operators"][0]["operator"] = "nothing";
  EXPECT_NE(error_of(json.dump()).find("'nothing'"), std::string::npos);
  json.erase("question");
  EXPECT_NE(error_of(json.dump()).find("question"), std::string::npos);
  EXPECT_THROW(read_report("/nowhere"), props::InputError);
}

TEST(ReportJson, BinsFractionsByTheirUpperEnd) {
  Distribution d;
  for (const double fraction : {0.0, 1e-9, 0.05, 0.051, 1.0}) d.add(fraction, true);
  d.add(0, false);  // a failure that is no error of a value
  EXPECT_EQ(d.bins[0], 1u);
  EXPECT_EQ(d.bins[1], 2u);
  EXPECT_EQ(d.bins[2], 1u);
  EXPECT_EQ(d.bins[20], 1u);
  EXPECT_EQ(d.bins[21], 1u);
  EXPECT_EQ(d.worst, 1.0);
  d.add(250, false);
  EXPECT_EQ(worst_text(d.worst), "250");
  d.add(std::numeric_limits<double>::infinity(), false);
  EXPECT_EQ(worst_text(d.worst), "> 1e6");
  EXPECT_EQ(d.bins[21], 3u);
}

TEST(Report, SortsFindingsBySeverity) {
  Report report;
  for (const char* kind : {"leak", "status rank", "values", "hang", "message rank", "trespass"}) {
    Failure failure;
    failure.kind = kind;
    report.failures.push_back(failure);
  }
  report.sort_failures();
  std::vector<std::string> kinds;
  for (const Failure& failure : report.failures) kinds.push_back(failure.kind);
  EXPECT_EQ(kinds.front(), "trespass");
  const auto place = [&](const char* kind) {
    return std::find(kinds.begin(), kinds.end(), kind) - kinds.begin();
  };
  EXPECT_LT(place("hang"), place("values"));
  EXPECT_LT(place("values"), place("status rank"));
  EXPECT_LT(place("status rank"), place("message rank"));
  EXPECT_LT(place("status rank"), place("leak"));
}

TEST(Report, KeepsTheSlowestInOrder) {
  Report report;
  for (int i = 0; i < 50; ++i) report.add_slow({i * 7 % 50 * 1.0, {}, "", ""});
  ASSERT_EQ(report.slowest.size(), Report::kSlowest);
  EXPECT_EQ(report.slowest.front().seconds, 49);
  EXPECT_EQ(report.slowest.back().seconds, 30);
}

}  // namespace
}  // namespace gradproof::report
