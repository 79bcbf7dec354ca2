// aclInit, its file and the environment, aclFinalize; the device and its contexts.
#include "opt/runtime/config.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "gradproof/config.h"
#include "opt/runtime/config_source.h"
#include "tests/runtime/expect_error.h"
#include "tests/runtime/fake_plan.h"

namespace gradproof::test {
namespace {

class ConfigTest : public ::testing::Test {
 protected:
  void SetUp() override {
    clear();
    path_ = ::testing::TempDir() + "gradproof_config_" + std::to_string(getpid()) + ".json";
  }
  void TearDown() override {
    if (running_) {
      EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    }
    std::filesystem::remove(path_);
    clear();
  }
  static void clear() {
    unsetenv("GRADPROOF_SOC");
    unsetenv("GRADPROOF_NUM_THREADS");
    unsetenv("GRADPROOF_INSTRUCTION_SET");
    forget_config();
  }
  int init() { return note(aclInit(nullptr)); }
  int init_with(const std::string& text) {
    std::ofstream(path_) << text;
    return note(aclInit(path_.c_str()));
  }
  int note(int status) {
    running_ = status == ACL_SUCCESS;
    return status;
  }

  std::string path_;
  bool running_ = false;
};

TEST_F(ConfigTest, Defaults) {
  ASSERT_EQ(init(), ACL_SUCCESS);
  EXPECT_EQ(config().product, Product::Ascend910B);
  EXPECT_EQ(config().threads, default_threads());
  EXPECT_EQ(config().instruction_set, best_instruction_set());
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B3");
}

TEST_F(ConfigTest, FileWinsOverEnvironment) {
  setenv("GRADPROOF_SOC", "Ascend910", 1);
  setenv("GRADPROOF_NUM_THREADS", "3", 1);
  ASSERT_EQ(init_with(R"({"soc": "Ascend310P", "dump": {"dump_path": "/x"}, "x": [1, 2]})"),
            ACL_SUCCESS);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
  EXPECT_EQ(config().threads, 3);
}

TEST_F(ConfigTest, EveryProductCanBeChosenOneAfterTheOther) {
  // A chip, or a series: the name that programs meet is a chip's, as on hardware.
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"Ascend910", "Ascend910A"},        {"Ascend310P", "Ascend310P3"},
      {"Ascend910B", "Ascend910B3"},      {"Ascend910_93", "Ascend910_9391"},
      {"Ascend910ProB", "Ascend910ProB"}, {"Ascend310P7", "Ascend310P7"},
      {"Ascend910B4-1", "Ascend910B4-1"}, {"Ascend910_9362", "Ascend910_9362"},
  };
  for (const auto& [given, chip] : kNames) {
    ASSERT_EQ(init_with(std::string("{\"threads\": 2, \"soc\": \"") + given + "\"}"), ACL_SUCCESS);
    EXPECT_STREQ(aclrtGetSocName(), chip);
    EXPECT_TRUE(std::string_view(chip).starts_with(name(config().product))) << chip;
    EXPECT_EQ(config().threads, 2);
    ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
  }
  running_ = false;
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B3");  // what the last file said is over
}

TEST_F(ConfigTest, BadFilesAreRefusedWithTheirPlace) {
  EXPECT_ERROR(aclInit("/no/such/file.json"), ACL_ERROR_INVALID_FILE, "/no/such/file.json");
  EXPECT_ERROR(aclInit(::testing::TempDir().c_str()), ACL_ERROR_INVALID_FILE, "cannot be read");
  EXPECT_ERROR(init_with(""), ACL_ERROR_PARSE_FILE, path_);
  EXPECT_ERROR(init_with("{\n  \"soc\": Ascend910\n}"), ACL_ERROR_PARSE_FILE,
               "is not JSON: parse error at line 2");
  EXPECT_ERROR(init_with("[1]"), ACL_ERROR_PARSE_FILE, "array, not an object");
  EXPECT_ERROR(init_with(std::string(11 << 20, ' ')), ACL_ERROR_INVALID_FILE_SIZE, "10 MiB");
  EXPECT_ERROR(init_with("{\"soc\": \"\xff\"}"), ACL_ERROR_PARSE_FILE, "not JSON");
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B3");
}

TEST_F(ConfigTest, BadValuesAreRefusedWithWhatIsKnown) {
  EXPECT_ERROR(
      init_with(R"({"soc": "Ascend911"})"), ACL_ERROR_FILE_ATTR_INVALID,
      "\"Ascend911\", which is not a known product; known: Ascend910, Ascend310P, Ascend910B, "
      "Ascend910_93, and their chips, such as Ascend910B3");
  EXPECT_ERROR(init_with(R"({"soc": "ascend910b"})"), ACL_ERROR_FILE_ATTR_INVALID, "ascend910b");
  EXPECT_ERROR(init_with(R"({"soc": 910})"), ACL_ERROR_FILE_ATTR_INVALID, "910");
  EXPECT_ERROR(init_with(R"({"soc": null})"), ACL_ERROR_FILE_ATTR_INVALID, "null");
  for (const char* threads : {"0", "-1", "1025", "1e9", "2.0", "\"2\"", "true", "null", "{}",
                              "18446744073709551617", "18446744073709551615"}) {
    EXPECT_ERROR(init_with(std::string("{\"threads\": ") + threads + "}"),
                 ACL_ERROR_FILE_ATTR_INVALID, "\"threads\" is");
  }
  EXPECT_ERROR(init_with(R"({"strict": 1})"), ACL_ERROR_FILE_ATTR_INVALID,
               "\"strict\" is 1, must be true or false");
  // Deep enough to overflow the stack of whoever prints it recursively.
  EXPECT_ERROR(
      init_with("{\"soc\": " + std::string(1000000, '[') + std::string(1000000, ']') + "}"),
      ACL_ERROR_FILE_ATTR_INVALID, "an array");
}

TEST_F(ConfigTest, EnvironmentIsReadByInit) {
  setenv("GRADPROOF_SOC", "Ascend910_93", 1);
  setenv("GRADPROOF_NUM_THREADS", "1024", 1);
  ASSERT_EQ(init(), ACL_SUCCESS);
  EXPECT_EQ(config().product, Product::Ascend910_93);
  EXPECT_EQ(config().threads, 1024);
}

TEST_F(ConfigTest, BadEnvironmentIsAnErrorOfInit) {
  setenv("GRADPROOF_SOC", "Ascend", 1);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_INVALID_PARAM, "GRADPROOF_SOC is 'Ascend'");
  setenv("GRADPROOF_SOC", "", 1);  // empty is unset
  for (const char* threads : {"0", "-2", "1025", "two", "2 ", "99999999999999999999"}) {
    setenv("GRADPROOF_NUM_THREADS", threads, 1);
    EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_INVALID_PARAM, threads);
  }
  unsetenv("GRADPROOF_NUM_THREADS");
  EXPECT_EQ(init(), ACL_SUCCESS);
}

TEST_F(ConfigTest, EveryInstructionSetOfTheMachineCanBeChosenAndNoOther) {
  int known = 0;
  for (const char* set : {"scalar", "sse4", "avx2", "avx512", "neon", "sve"}) {
    const std::string file = std::string("{\"instruction_set\": \"") + set + "\"}";
    setenv("GRADPROOF_INSTRUCTION_SET", set, 1);
    if (find_instruction_set(set)) {
      ++known;
      ASSERT_EQ(init(), ACL_SUCCESS);
      EXPECT_STREQ(name(config().instruction_set), set);
      EXPECT_EQ(config().threads, default_threads());
      ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
      unsetenv("GRADPROOF_INSTRUCTION_SET");
      ASSERT_EQ(init_with(file), ACL_SUCCESS);
      EXPECT_STREQ(name(config().instruction_set), set);
      ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
      running_ = false;
    } else {
      EXPECT_ERROR(
          init(), ACL_ERROR_INVALID_PARAM,
          std::string("GRADPROOF_INSTRUCTION_SET is '") + set +
              "', which this machine does not support; supported: " + available_instruction_sets());
      unsetenv("GRADPROOF_INSTRUCTION_SET");
      EXPECT_ERROR(init_with(file), ACL_ERROR_FILE_ATTR_INVALID,
                   std::string("\"instruction_set\" is \"") + set +
                       "\", which this machine does not support");
    }
  }
  EXPECT_GE(known, 1);
  EXPECT_ERROR(init_with(R"({"instruction_set": 512})"), ACL_ERROR_FILE_ATTR_INVALID, "is 512,");
}

/// What the log tells of GRADPROOF_THREADS.
const char* const kUnknown =
    "unknown environment variable GRADPROOF_THREADS; known variables: GRADPROOF_SOC, "
    "GRADPROOF_NUM_THREADS, GRADPROOF_INSTRUCTION_SET, GRADPROOF_LOG, GRADPROOF_TRACE, "
    "GRADPROOF_STRICT, GRADPROOF_CONFORMANCE, GRADPROOF_QUEUE_LIMIT, GRADPROOF_STATISTICS";

/// Variables and keys that nothing reads, most of them misspelt.
class Misspelt : public ConfigTest {
 protected:
  void SetUp() override {
    ConfigTest::SetUp();
    setenv("GRADPROOF_THREADS", "2", 1);
    setenv("GRADPROOF_EMPTY", "", 1);
    setenv("GRADPROOF_CLIENTS", "/of/a/tool", 1);
    setenv("GRADPROOF", "/the/program", 1);
  }
  void TearDown() override {
    for (const char* name : {"GRADPROOF_THREADS", "GRADPROOF_EMPTY", "GRADPROOF_CLIENTS",
                             "GRADPROOF", "GRADPROOF_LOG"})
      unsetenv(name);
    ConfigTest::TearDown();
  }
};

TEST_F(Misspelt, NamesAreLogged) {
  const char* const file = R"({"Threads": 2, "threads": 1, "LOG": "debug", "dump": {"Soc": 1}})";
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(init_with(file), ACL_SUCCESS);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "the log is off";
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  setenv("GRADPROOF_LOG", "info", 1);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(init_with(file), ACL_SUCCESS);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            std::string("gradproof info: ") + kUnknown + "\ngradproof info: configuration file '" +
                path_ +
                "': unknown key \"Threads\"; the option is \"threads\"\n"
                "gradproof info: configuration file '" +
                path_ + "': unknown key \"LOG\"; the option is \"log\"\n");
  EXPECT_EQ(config().threads, 1);
}

TEST_F(Misspelt, NamesAreLoggedByTheFirstCall) {
  setenv("GRADPROOF_LOG", "info", 1);
  ::testing::internal::CaptureStderr();
  EXPECT_STREQ(gradproof_option("log"), "info");
  EXPECT_STREQ(gradproof_option("log"), "info");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            std::string("gradproof info: ") + kUnknown + '\n');
}

TEST_F(Misspelt, TheFunctionThatTakesTheLineMayCallTheLibrary) {
  setenv("GRADPROOF_LOG", "info", 1);
  std::vector<std::string> lines;
  const auto take = [](std::int32_t, const char* line, void* user) {
    static_cast<std::vector<std::string>*>(user)->emplace_back(line);
    EXPECT_EQ(gradproof_set_option("queue_limit", "7"), ACL_SUCCESS);
    EXPECT_NE(aclInit("/no/such/file.json"), ACL_SUCCESS);
  };
  EXPECT_EQ(gradproof_set_log(take, &lines), ACL_SUCCESS);
  EXPECT_EQ(config().threads, default_threads()) << "the first call";
  EXPECT_STREQ(gradproof_option("queue_limit"), "7");
  EXPECT_EQ(init(), ACL_SUCCESS);
  EXPECT_EQ(lines, (std::vector<std::string>{kUnknown, kUnknown}));
  EXPECT_EQ(gradproof_set_log(nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(gradproof_set_option("queue_limit", nullptr), ACL_SUCCESS);
}

TEST_F(ConfigTest, WithoutInitTheFirstCallReadsTheEnvironment) {
  setenv("GRADPROOF_SOC", "Ascend310P", 1);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
  setenv("GRADPROOF_SOC", "Ascend910", 1);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
}

TEST_F(ConfigTest, WithoutInitABadEnvironmentIsAnErrorOfEveryPhaseOne) {
  setenv("GRADPROOF_SOC", "Nonsense", 1);
  EXPECT_EQ(config().product, Product::Ascend910B);
  std::uint64_t bytes = 7;
  aclOpExecutor* executor = nullptr;
  const auto phase1 = [&] {
    return hand_out(call_of([](const Binding&) { return Status(); }), &bytes, &executor);
  };
  EXPECT_ERROR(phase1(), ACLNN_ERR_RUNTIME_ERROR, "GRADPROOF_SOC is 'Nonsense'");
  EXPECT_EQ(bytes, 7u);
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(aclrtGetSocName(), nullptr);
  EXPECT_NE(message().find("Nonsense"), std::string::npos);
  EXPECT_ERROR(init_with("{}"), ACL_ERROR_INVALID_PARAM, "Nonsense");  // aclInit sees it too
  unsetenv("GRADPROOF_SOC");
  ASSERT_EQ(init(), ACL_SUCCESS);
  EXPECT_EQ(phase1(), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
}

TEST_F(ConfigTest, InitAndFinalizeAlternate) {
  ASSERT_EQ(init(), ACL_SUCCESS);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE, "again");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_ERROR(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE, "again");
  EXPECT_EQ(init(), ACL_SUCCESS);
}

TEST_F(ConfigTest, FinalizeFinishesTheWork) {
  ASSERT_EQ(init(), ACL_SUCCESS);
  bool done = false;
  ASSERT_EQ(run_on(nullptr,
                   [&](const Binding&) {
                     done = true;
                     return Status(507035, "unheard");
                   }),
            ACLNN_SUCCESS);
  EXPECT_ERROR(aclFinalize(), 507035, "unheard");
  EXPECT_TRUE(done);
  running_ = false;
  EXPECT_ERROR(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE, "again");
}

TEST(Aclnn, InitAndFinalizeAreAccepted) {
  EXPECT_EQ(aclnnInit(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclnnFinalize(), ACLNN_SUCCESS);
}

TEST(Device, ThereIsOne) {
  std::uint32_t count = 0;
  std::int32_t device = 5;
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(aclrtGetRunMode(&mode), ACL_SUCCESS);
  EXPECT_EQ(mode, ACL_HOST);
  for (const std::int32_t other : {-1, 1, 1 << 30}) {
    EXPECT_ERROR(aclrtSetDevice(other), ACL_ERROR_INVALID_DEVICE, "the only device is 0");
    EXPECT_ERROR(aclrtResetDevice(other), ACL_ERROR_INVALID_DEVICE, "aclrtResetDevice");
  }
  EXPECT_ERROR(aclrtGetDeviceCount(nullptr), ACL_ERROR_INVALID_PARAM, "count is null");
  EXPECT_ERROR(aclrtGetDevice(nullptr), ACL_ERROR_INVALID_PARAM, "deviceId is null");
  EXPECT_ERROR(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM, "runMode is null");
}

TEST(Device, ResetFinishesTheWorkAndTheDefaultStreamComesBack) {
  for (int i = 0; i < 2; ++i) {
    bool done = false;
    ASSERT_EQ(run_on(nullptr,
                     [&](const Binding&) {
                       done = true;
                       return Status();
                     }),
              ACLNN_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    EXPECT_TRUE(done);
  }
}

TEST(Context, IsPerThreadAndChecked) {
  aclrtContext context = nullptr;
  aclrtContext current = nullptr;
  EXPECT_ERROR(aclrtGetCurrentContext(&current), ACL_ERROR_INVALID_RESOURCE_HANDLE, "no context");
  EXPECT_ERROR(aclrtCreateContext(nullptr, 0), ACL_ERROR_INVALID_PARAM, "context is null");
  EXPECT_ERROR(aclrtCreateContext(&context, 1), ACL_ERROR_INVALID_DEVICE, "the only device is 0");
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, context);
  EXPECT_ERROR(aclrtGetCurrentContext(nullptr), ACL_ERROR_INVALID_PARAM, "context is null");
  std::thread([&] {
    aclrtContext theirs = nullptr;
    EXPECT_ERROR(aclrtGetCurrentContext(&theirs), ACL_ERROR_INVALID_RESOURCE_HANDLE, "no context");
    EXPECT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    EXPECT_EQ(aclrtGetCurrentContext(&theirs), ACL_SUCCESS);
    EXPECT_EQ(theirs, context);
  }).join();
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  EXPECT_ERROR(aclrtGetCurrentContext(&current), ACL_ERROR_INVALID_RESOURCE_HANDLE, "no context");
  EXPECT_ERROR(aclrtDestroyContext(context), ACL_ERROR_INVALID_RESOURCE_HANDLE, "destroyed");
  EXPECT_ERROR(aclrtSetCurrentContext(context), ACL_ERROR_INVALID_RESOURCE_HANDLE, "destroyed");
  EXPECT_ERROR(aclrtSetCurrentContext(nullptr), ACL_ERROR_INVALID_PARAM, "context is null");
}

TEST(SysParamOpt, ValuesAreKeptForProcessAndContext) {
  std::int64_t value = -1;
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 2), ACL_SUCCESS);
  const auto of_context = [] {
    std::int64_t now = -1;
    EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &now), ACL_SUCCESS);
    return now;
  };
  std::thread([&] {
    EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
    EXPECT_EQ(of_context(), 2) << "threads without a context share theirs";
    aclrtContext context = nullptr;
    ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
    EXPECT_EQ(of_context(), 0);
    EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 7), ACL_SUCCESS);
    EXPECT_EQ(of_context(), 7);
    EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  }).join();
  EXPECT_EQ(value, 1);
  EXPECT_EQ(of_context(), 2);
  EXPECT_ERROR(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr), ACL_ERROR_INVALID_PARAM,
               "aclrtGetSysParamOpt: value is null");
  for (const int number : {-1, 3}) {
    const auto opt = static_cast<aclSysParamOpt>(number);
    EXPECT_ERROR(aclrtSetSysParamOpt(opt, 0), ACL_ERROR_INVALID_PARAM, "not an aclSysParamOpt");
    EXPECT_ERROR(aclrtCtxGetSysParamOpt(opt, &value), ACL_ERROR_INVALID_PARAM,
                 "not an aclSysParamOpt");
  }
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 0), ACL_SUCCESS);
}

}  // namespace
}  // namespace gradproof::test
