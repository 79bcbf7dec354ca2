// Options chosen by the program: above file and environment, until they are withdrawn. The log's
// function, and the numbers that programs watch.
#include "opt/runtime/options.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "gradproof/config.h"
#include "gradproof/statistics.h"
#include "gradproof/version.h"
#include "opt/base/declined_runs.h"
#include "opt/runtime/config_source.h"
#include "opt/runtime/stream.h"
#include "tests/runtime/expect_error.h"
#include "tests/runtime/fake_plan.h"
#include "tests/runtime/gate.h"

namespace gradproof::test {
namespace {

class OptionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    clear();
    file_ = ::testing::TempDir() + "gradproof_options_" + std::to_string(getpid());
  }
  void TearDown() override {
    clear();
    EXPECT_EQ(gradproof_set_log(nullptr, nullptr), ACL_SUCCESS);
    std::filesystem::remove(file_);
  }
  static void clear() {
    for (const Option& option : options()) {
      unsetenv(option.variable);
      EXPECT_EQ(gradproof_set_option(option.key, nullptr), ACL_SUCCESS);
    }
    forget_config();
  }
  static std::string in_force(const char* key) {
    const char* const value = gradproof_option(key);
    return value != nullptr ? value : "null";
  }

  std::string file_;
};

struct Values {
  const char *key, *code, *file, *environment;
};
/// The first of the machine's sets: x86-64 has "scalar", aarch64 may have "neon" alone.
const std::string kSets = available_instruction_sets(), kSet = kSets.substr(0, kSets.find(',')),
                  kSetInFile = '"' + kSet + '"';
const Values kValues[] = {
    {"soc", "Ascend910B1", "\"Ascend910B2\"", "Ascend310P3"},
    {"threads", "5", "6", "7"},
    {"instruction_set", kSet.c_str(), kSetInFile.c_str(), kSet.c_str()},
    {"log", "off", "\"debug\"", "info"},
    {"strict", "0", "false", "1"},
    {"conformance", "documented", "\"cann\"", "cann"},
    {"queue_limit", "100", "200", "300"},
    {"statistics", "0", "true", "1"},
};

TEST_F(OptionsTest, CodeWinsOverTheFileWhichWinsOverTheEnvironment) {
  ASSERT_EQ(std::size(kValues) + 1, options().size()) << "and the trace below";
  for (const Values& v : kValues) {
    SCOPED_TRACE(v.key);
    const std::string standard = in_force(v.key);
    forget_config();
    setenv(find_option(v.key)->variable, v.environment, 1);
    EXPECT_EQ(in_force(v.key), v.environment);
    std::ofstream(file_) << '{' << '"' << v.key << "\": " << v.file << '}';
    ASSERT_EQ(aclInit(file_.c_str()), ACL_SUCCESS) << message();
    std::string of_file = v.file;
    std::erase(of_file, '"');
    if (find_option(v.key)->kind == ValueKind::flag) of_file = of_file == "true" ? "1" : "0";
    EXPECT_EQ(in_force(v.key), of_file);
    EXPECT_EQ(gradproof_set_option(v.key, v.code), ACL_SUCCESS);
    EXPECT_EQ(in_force(v.key), v.code);
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    ASSERT_EQ(aclInit(file_.c_str()), ACL_SUCCESS);
    EXPECT_EQ(in_force(v.key), v.code) << "the choice outlives aclFinalize";
    EXPECT_EQ(gradproof_set_option(v.key, nullptr), ACL_SUCCESS);
    EXPECT_EQ(in_force(v.key), of_file);
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    EXPECT_EQ(in_force(v.key), v.environment);
    clear();
    EXPECT_EQ(in_force(v.key), standard);
  }
}

TEST_F(OptionsTest, BeforeInitTheChoiceWaits) {
  ASSERT_EQ(gradproof_set_option("threads", "3"), ACL_SUCCESS);
  setenv("GRADPROOF_NUM_THREADS", "2", 1);  // nothing has read it yet
  setenv("GRADPROOF_SOC", "Ascend310P3", 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(config().threads, 3);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST_F(OptionsTest, WrongOnesAreRefusedWithTheirPlace) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_ERROR(gradproof_set_option("colour", "red"), ACL_ERROR_INVALID_PARAM,
               "gradproof_set_option: unknown key colour; known keys: soc, threads,");
  EXPECT_ERROR(gradproof_set_option(nullptr, "red"), ACL_ERROR_INVALID_PARAM, "unknown key null");
  EXPECT_EQ(gradproof_option("colour"), nullptr);
  EXPECT_NE(message().find("gradproof_option: unknown key colour"), std::string::npos);
  for (const auto& [key, value] :
       std::vector<std::pair<const char*, const char*>>{{"soc", "Ascend7"},
                                                        {"soc", ""},
                                                        {"threads", "0"},
                                                        {"threads", "1025"},
                                                        {"threads", "2 "},
                                                        {"instruction_set", "mmx"},
                                                        {"log", "INFO"},
                                                        {"trace", ""},
                                                        {"strict", "true"},
                                                        {"conformance", "both"},
                                                        {"queue_limit", "0"},
                                                        {"queue_limit", "16777217"},
                                                        {"statistics", "2"}}) {
    const std::string before = in_force(key);
    EXPECT_ERROR(gradproof_set_option(key, value), ACL_ERROR_INVALID_PARAM,
                 std::string("gradproof_set_option: ") + key + " is '" + value + "', ");
    EXPECT_EQ(in_force(key), before);
  }
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  setenv("GRADPROOF_QUEUE_LIMIT", "many", 1);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_INVALID_PARAM,
               "GRADPROOF_QUEUE_LIMIT is 'many', must be a whole number from 1 to 16777216");
  unsetenv("GRADPROOF_QUEUE_LIMIT");
  std::ofstream(file_) << R"({"queue_limit": 1.5})";
  EXPECT_ERROR(aclInit(file_.c_str()), ACL_ERROR_FILE_ATTR_INVALID,
               "\"queue_limit\" is 1.5, must be a whole number");
}

TEST_F(OptionsTest, ATraceBeginsAndEndsAtOnce) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(gradproof_set_option("trace", file_.c_str()), ACL_SUCCESS);
  EXPECT_EQ(in_force("trace"), file_);
  EXPECT_ERROR(gradproof_set_option("trace", "/nowhere/trace.json"), ACL_ERROR_WRITE_FILE,
               "the trace file '/nowhere/trace.json' cannot be written");
  EXPECT_EQ(in_force("trace"), file_);
  ASSERT_EQ(run_on(nullptr, [](const Binding&) { return Status(); }), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  ASSERT_EQ(gradproof_set_option("trace", nullptr), ACL_SUCCESS);
  const auto size = std::filesystem::file_size(file_);
  ASSERT_EQ(run_on(nullptr, [](const Binding&) { return Status(); }), 0);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(std::filesystem::file_size(file_), size);
  std::string text;
  std::getline(std::ifstream(file_), text, '\0');
  EXPECT_NE(text.find("\"ph\":\"X\""), std::string::npos);
  EXPECT_EQ(text.substr(text.size() - 3), "\n]\n");
  // Chosen while nothing is in force, it is aclInit's to refuse.
  ASSERT_EQ(gradproof_set_option("trace", "/nowhere/trace.json"), ACL_SUCCESS);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_WRITE_FILE, "/nowhere/trace.json");
}

TEST_F(OptionsTest, LinesOfTheLogGoToTheProgram) {
  struct Lines {
    std::vector<std::string> all;
    aclError nested = ACL_SUCCESS;
  } lines;
  ASSERT_EQ(gradproof_set_option("log", "debug"), ACL_SUCCESS);
  ASSERT_EQ(gradproof_set_log(
                [](int32_t level, const char* line, void* user) {
                  auto& got = *static_cast<Lines*>(user);
                  got.all.push_back(std::to_string(level) + line);
                  got.nested = gradproof_set_log(nullptr, nullptr);
                  std::uint64_t bytes = 0;
                  aclOpExecutor* executor = nullptr;  // would log, were it not for the log
                  (void)hand_out(call_of([](const Binding&) { return Status(); }), &bytes,
                                 &executor);
                  (void)aclDestroyAclOpExecutor(executor);
                },
                &lines),
            ACL_SUCCESS);
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(run_on(nullptr, [](const Binding&) { return Status(7, "why"); }), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 7);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  ASSERT_EQ(lines.all.size(), 2u);
  EXPECT_EQ(lines.all[0], "2aclnnFake planned: ");
  EXPECT_EQ(lines.all[1].rfind("1kernel on stream ", 0), 0u) << lines.all[1];
  EXPECT_NE(lines.all[1].find("failed: why"), std::string::npos);
  EXPECT_EQ(lines.nested, ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(gradproof_set_log(nullptr, nullptr), ACL_SUCCESS);
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(run_on(nullptr, [](const Binding&) { return Status(); }), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(::testing::internal::GetCapturedStderr().rfind("gradproof debug: ", 0), 0u);
  EXPECT_EQ(lines.all.size(), 2u);
}

TEST_F(OptionsTest, NoThreadIsInTheFunctionThatWasReplaced) {
  static std::atomic<bool> inside, begun;
  begun = false;
  ASSERT_EQ(gradproof_set_option("log", "info"), ACL_SUCCESS);
  ASSERT_EQ(gradproof_set_log(
                [](int32_t, const char*, void*) {
                  inside = begun = true;
                  std::this_thread::sleep_for(std::chrono::milliseconds(50));
                  inside = false;
                },
                nullptr),
            ACL_SUCCESS);
  ASSERT_EQ(run_on(nullptr, [](const Binding&) { return Status(); }), 0);
  std::thread caller([] { (void)aclrtSynchronizeStream(nullptr); });
  while (!begun) std::this_thread::yield();
  ASSERT_EQ(gradproof_set_log(nullptr, nullptr), ACL_SUCCESS);
  EXPECT_FALSE(inside);
  caller.join();
}

TEST_F(OptionsTest, MayChangeWhileOtherThreadsCall) {
  static std::atomic<int> lines;
  lines = 0;
  std::atomic<bool> over{false};
  std::atomic<int> runs{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 2; ++t) {
    callers.emplace_back([&] {
      aclrtStream stream = nullptr;
      EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      while (!over) {
        EXPECT_EQ(run_on(stream,
                         [&](const Binding&) {
                           ++runs;
                           return Status();
                         }),
                  0);
        EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      }
      EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    });
  }
  const auto listen = [](int32_t, const char*, void*) { ++lines; };
  for (int i = 0; i < 200 || runs < 1000 || lines == 0; ++i) {  // ends once a run was logged
    const bool on = i % 2 == 0;
    EXPECT_EQ(gradproof_set_log(listen, nullptr), ACL_SUCCESS);
    for (const auto& [key, value] :
         std::vector<std::pair<const char*, const char*>>{{"threads", "2"},
                                                          {"queue_limit", "10"},
                                                          {"statistics", "1"},
                                                          {"conformance", "cann"},
                                                          {"trace", file_.c_str()},
                                                          {"log", "debug"}}) {
      EXPECT_EQ(gradproof_set_option(key, on ? value : nullptr), ACL_SUCCESS);
      EXPECT_NE(gradproof_option(key), nullptr);
    }
    gradproofStatistics now{};
    EXPECT_EQ(gradproof_get_statistics(&now, sizeof now), ACL_SUCCESS);
    EXPECT_LE(now.runs, now.completed);
  }
  over = true;
  for (std::thread& caller : callers) caller.join();
}

TEST_F(OptionsTest, AQueueHoldsAsManyTasksAsItsLimitSays) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(gradproof_set_option("queue_limit", "3"), ACL_SUCCESS);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  Gate gate, entered;
  std::atomic<int> done{0};
  const auto count = [&](const Binding&) {
    ++done;
    return Status();
  };
  ASSERT_EQ(run_on(stream,
                   [&](const Binding&) {
                     entered.open();
                     gate.wait();
                     return Status();
                   }),
            0);
  entered.wait();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run_on(stream, count), 0);
  aclOpExecutor* const executor = executor_of(call_of(count));
  EXPECT_ERROR(launch(kApi, nullptr, 0, executor, stream), ACLNN_ERR_RUNTIME_ERROR,
               "the stream's queue is full (3 tasks wait); synchronise, or raise queue_limit");
  unsigned char byte = 0;
  EXPECT_ERROR(aclrtMemsetAsync(&byte, 1, 1, 1, stream), ACL_ERROR_RT_QUEUE_FULL, "queue is full");
  gradproofStatistics now{};
  ASSERT_EQ(gradproof_get_statistics(&now, sizeof now), ACL_SUCCESS);
  EXPECT_EQ(now.longest_queue, 3u);
  EXPECT_EQ(now.refused, 2u);
  ASSERT_EQ(gradproof_set_option("queue_limit", "1"), ACL_SUCCESS);
  EXPECT_ERROR(aclrtMemsetAsync(&byte, 1, 1, 1, stream), ACL_ERROR_RT_QUEUE_FULL, "(1 task waits)");
  ASSERT_EQ(gradproof_set_option("queue_limit", "4"), ACL_SUCCESS);  // at once
  EXPECT_EQ(launch(kApi, nullptr, 0, executor, stream), 0) << "the executor was not consumed";
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(done, 4);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST_F(OptionsTest, AChildOfForkCountsDeclinedRunsAnew) {
  const auto declined = [] {
    gradproofStatistics now{};
    return gradproof_get_statistics(&now, sizeof now) == ACL_SUCCESS ? now.declined : 99;
  };
  const std::uint64_t before = declined();
  declined_runs.fetch_add(3);
  EXPECT_EQ(declined(), before + 3);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(static_cast<int>(declined()));
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the child exits with its count";
}

TEST_F(OptionsTest, StatisticsCountWorkAndMemory) {
  gradproofStatistics before{}, now{};
  ASSERT_EQ(gradproof_get_statistics(&before, sizeof before), ACL_SUCCESS);
  const auto work = [](aclrtStream stream) {
    unsigned char byte = 0;
    ASSERT_EQ(run_on(stream,
                     [](const Binding&) {
                       std::this_thread::sleep_for(std::chrono::milliseconds(2));
                       return Status(7, "why");
                     }),
              0);
    ASSERT_EQ(aclrtMemsetAsync(&byte, 1, 1, 1, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream), 7);
  };
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  work(stream);
  ASSERT_EQ(gradproof_get_statistics(&now, sizeof now), ACL_SUCCESS);
  EXPECT_EQ(now.streams, before.streams + 1);
  EXPECT_EQ(now.enqueued, before.enqueued + 2);
  EXPECT_EQ(now.completed, before.completed + 2);
  EXPECT_EQ(now.runs, before.runs + 1);
  EXPECT_EQ(now.failed, before.failed + 1);
  EXPECT_EQ(now.run_nanoseconds, before.run_nanoseconds) << "nobody asked";
  EXPECT_EQ(now.waiting, 0u);
  EXPECT_GE(now.longest_ever, 1u);
  ASSERT_EQ(gradproof_set_option("statistics", "1"), ACL_SUCCESS);
  work(stream);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  ASSERT_EQ(gradproof_get_statistics(&now, sizeof now), ACL_SUCCESS);
  EXPECT_EQ(now.runs, before.runs + 2) << "streams that are gone count";
  EXPECT_GE(now.run_nanoseconds, before.run_nanoseconds + 2000000);
  EXPECT_EQ(now.streams, before.streams);

  void *device = nullptr, *host = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, 1000, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 500), ACL_SUCCESS);
  ASSERT_EQ(gradproof_get_statistics(&now, sizeof now), ACL_SUCCESS);
  EXPECT_EQ(now.device_bytes, before.device_bytes + 1000);
  EXPECT_EQ(now.host_bytes, before.host_bytes + 500);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  ASSERT_EQ(gradproof_get_statistics(&now, sizeof now), ACL_SUCCESS);
  EXPECT_EQ(now.device_bytes + now.host_bytes, before.device_bytes + before.host_bytes);
  EXPECT_GE(now.most_bytes, 1500u);

  std::uint64_t older[2]{};  // a program that knows two members
  ASSERT_EQ(
      gradproof_get_statistics(reinterpret_cast<gradproofStatistics*>(older), sizeof(older[0])),
      ACL_SUCCESS);
  EXPECT_EQ(older[0], before.streams);
  EXPECT_EQ(older[1], 0u);
  EXPECT_ERROR(gradproof_get_statistics(nullptr, 8), ACL_ERROR_INVALID_PARAM, "statistics is null");
}

TEST(Version, IsToldInThreeWays) {
  std::int32_t major = 0, minor = 0, patch = 0;
  EXPECT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
  EXPECT_EQ(major, 1);
  EXPECT_ERROR(aclrtGetVersion(&major, nullptr, &patch), ACL_ERROR_INVALID_PARAM,
               "aclrtGetVersion: minorVersion is null");
  const std::string version = gradproof_version(), build = gradproof_build();
  EXPECT_EQ(std::count(version.begin(), version.end(), '.'), 2) << version;
  EXPECT_EQ(build.rfind("gradproof " + version + ", ", 0), 0u) << build;
  EXPECT_EQ(build.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace gradproof::test
