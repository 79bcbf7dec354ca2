// ATK lists and case files: what they become, and where their errors point.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "props/cases/data.h"
#include "props/cases/input_error.h"
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
  expect_all(broken("{\"id\": 3", "{\"id\": 3,,"), {".txt:2:", "not JSON"});
  expect_all(error_of(written("[1e400]")), {".txt: ", "1e400"});
}

TEST(Atk, AllOfCannsListsAreValid) {
  const char* folder = std::getenv("GRADPROOF_ATK_DIR");
  const std::filesystem::path path =
      folder != nullptr ? folder
                        : std::filesystem::path(GRADPROOF_SOURCE_DIR) / ".." / "shared" / "atk";
  if (!std::filesystem::is_directory(path))
    GTEST_SKIP() << "CANN's case lists are not here (GRADPROOF_ATK_DIR)";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    for (const NamedCase& c : read_case_file(entry.path().string())) {
      ++count;
      EXPECT_EQ(ref::expect(c.test.call).rule, nullptr) << c.where;
      EXPECT_TRUE(runnable(c.test, std::int64_t{16} << 30)) << c.where;
      EXPECT_EQ(to_text(parse_case(to_text(c.test))), to_text(c.test));
    }
  }
  EXPECT_GT(count, 0);
  RecordProperty("cases", count);
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
