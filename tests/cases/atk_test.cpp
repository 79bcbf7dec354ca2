// ATK lists and case files: what they become, and where their errors point.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <string>

#include "props/cases/data/data.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/input_error.h"
#include "props/cases/shapes.h"
#include "props/cases/text/case_file.h"
#include "ref/rules.h"
#include "ref/types.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

std::string data_file(const char* name) {
  return std::string(GRADPROOF_SOURCE_DIR) + "/tests/cases/data/" + name;
}

std::string written(const std::string& text) {
  const std::string path = testing::TempDir() + "cases_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string error_of(const std::string& path) {
  try {
    read_case_file(path);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Atk, OneCaseOfEachOperatorBecomesAValidCall) {
  const std::vector<NamedCase> cases = read_case_file(data_file("atk.json"));
  ASSERT_EQ(cases.size(), 6u);
  for (const NamedCase& c : cases) {
    EXPECT_EQ(ref::expect(c.test.call).rule, nullptr) << c.where << "\n" << to_text(c.test);
    EXPECT_NE(c.where.find("atk.json: case "), std::string::npos);
    EXPECT_EQ(to_text(parse_case(to_text(c.test))), to_text(c.test));
  }
  const Case& mask = cases[1].test;
  EXPECT_EQ(ref::tensor(mask.call, "indices").shape, (std::vector<std::int64_t>{1, 3, 4, 64}));
  EXPECT_EQ(ref::tensor(mask.call, "indices").dtype, ref::kInt8);
  EXPECT_EQ(mask.fills[ref::slot(mask.call.op, "indices")].kind, Fill::Kind::forward);

  const Case& image = cases[2].test;
  EXPECT_EQ(ref::tensor(image.call, "gradOut").shape, (std::vector<std::int64_t>{1, 2, 7, 9}));
  EXPECT_EQ(ref::tensor(image.call, "out").shape, (std::vector<std::int64_t>{1, 2, 3, 5}));
  EXPECT_EQ(image.call.reals, (std::vector<double>{0, 0}));
  EXPECT_EQ(image.call.flags, (std::vector<std::uint8_t>{1}));
  EXPECT_EQ(image.fills[0].kind, Fill::Kind::normal);
  EXPECT_GE(image.fills[0].a, -100);
  EXPECT_LE(image.fills[0].a, 100);
  EXPECT_GE(image.fills[0].b, 1);
  EXPECT_LE(image.fills[0].b, 25);

  EXPECT_EQ(cases[4].test.call.tensors[2].dtype, ref::kInt32)
      << "whatever the list says of indices";
  EXPECT_EQ(cases[5].test.fills[0],
            (Fill{Fill::Kind::constant, -std::numeric_limits<double>::infinity(), 0}));
}

TEST(Atk, ErrorsNameFileCaseAndField) {
  std::ifstream file(data_file("atk.json"));
  const std::string good((std::istreambuf_iterator<char>(file)), {});
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return error_of(written(text));
  };
  const auto expect_all = [](const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  };
  expect_all(broken("\"fp32\"", "\"fp31\""), {".txt: case 3", "gradOutput", "dtype", "fp31"});
  expect_all(broken("\"gradOutput\"", "\"gradOut\""), {"case 3", "'gradOutput' is missing"});
  expect_all(broken("[1, 2, 2, 2, 2]", "[1, 2, 2, 2, 3]"), {"case 3", "gradOutput", "shape"});
  expect_all(broken("\"ceilMode\"", "\"seilMode\""), {"case 3", "ceilMode"});
  expect_all(broken("MaxPool3dWithArgmaxBackward", "MaxPool4d"),
             {"case 3", "aclnn_name", "MaxPool4d"});
  expect_all(broken("\"range_values\": [-5, 5]", "\"range_values\": [1, 2, 3]"),
             {"case 3", "range_values"});
  expect_all(broken("{\"id\": 3", "{\"id\": 3,,"), {".txt:2:", "not JSON: syntax error"});
  expect_all(error_of(written("[1e400]")), {".txt: ", "1e400"});
}

/// What of the format a list uses: names, numbers, switches, and values of the given tensor.
std::set<std::string> used_of(const Case& c, const std::string& where) {
  std::set<std::string> used;
  used.insert(where.find(": case number ") != std::string::npos ? "no id" : "id");
  for (std::uint8_t flag : c.call.flags) used.insert(flag != 0 ? "on" : "off");
  const Fill& given = c.fills[output_side(c.call.op)];
  switch (given.kind) {
    case Fill::Kind::uniform: used.insert("interval"); break;
    case Fill::Kind::normal: used.insert("normal"); break;
    default:
      used.insert(std::isnan(given.a)      ? "nan"
                  : std::isfinite(given.a) ? "number"
                  : given.a > 0            ? "inf"
                                           : "-inf");
  }
  return used;
}

TEST(Atk, AListOfEachOperatorUsesTheWholeFormat) {
  for (const ref::Operator op : all_operators()) {
    if (!ref::is_backward(op)) continue;
    SCOPED_TRACE(stem(op));
    const std::string path = data_file(("atk/" + stem(op) + ".json").c_str());
    std::set<std::string> used;
    std::set<std::int32_t> types;
    std::set<std::size_t> ranks;
    for (const NamedCase& c : read_case_file(path)) {
      EXPECT_EQ(c.test.call.op, op) << c.where;
      EXPECT_EQ(ref::expect(c.test.call).rule, nullptr) << c.where;
      EXPECT_TRUE(runnable(c.test, std::int64_t{1} << 20)) << c.where;
      EXPECT_EQ(to_text(parse_case(to_text(c.test))), to_text(c.test));
      used.merge(used_of(c.test, c.where));
      const ref::Tensor& given = c.test.call.tensors[output_side(op)];
      types.insert(given.dtype);
      ranks.insert(given.shape.size());
    }
    std::set<std::string> all = {"id",   "no id", "number", "inf",
                                 "-inf", "nan",   "normal", "interval"};
    if (!blank_case(op).call.flags.empty()) all.insert({"on", "off"});
    EXPECT_EQ(used, all);

    const std::vector<std::int32_t> dtypes = accepted_dtypes(op, ref::Product::Ascend910B);
    EXPECT_EQ(types, std::set<std::int32_t>(dtypes.begin(), dtypes.end()));
    const std::vector<int> accepted = accepted_ranks(op);
    EXPECT_EQ(ranks, std::set<std::size_t>(accepted.begin(), accepted.end()));

    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(text.find("\"aclnn_name\": \"aclnn"), std::string::npos) << "a name with its prefix";
    EXPECT_NE(text.find("\"aclnn_name\": \"" + std::string(ref::signature(op).api.substr(5))),
              std::string::npos)
        << "a name without its prefix";
  }
}

TEST(CaseFile, ReadsLinesAndNamesTheirPlace) {
  const std::string line =
      "replication_pad2d self=FLOAT[1,2,2]:ND padding=0,0,0,0 out=FLOAT[1,2,2]:ND";
  const auto cases =
      read_case_file(written("# comment\n\n  \t\r\n" + line + "\n" + line + " seed=9"));
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[1].test.seed, 9u);
  EXPECT_NE(cases[1].where.find(".txt:5"), std::string::npos);
  EXPECT_NE(error_of(written(line + "\n" + line + " sead=9")).find(".txt:2:76: 'sead'"),
            std::string::npos)
      << error_of(written(line + "\n" + line + " sead=9"));
  EXPECT_NE(error_of(written("# nothing\n")).find("no cases"), std::string::npos);
  EXPECT_NE(error_of("no/such/file").find("no/such/file: cannot be opened"), std::string::npos);
  EXPECT_NE(error_of(testing::TempDir()).find("cannot be read"), std::string::npos)
      << error_of(testing::TempDir());
}

}  // namespace
}  // namespace gradproof::props
