// Logging and tracing: who asks for them, what a line says, and that the trace file has the form
// that Chrome's trace event format asks for.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "acl/acl.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "gradproof/config.h"
#include "opt/runtime/config_source.h"
#include "tests/runtime/expect_error.h"
#include "tests/runtime/fake_plan.h"

namespace gradproof::test {
namespace {

class ObserveTest : public ::testing::Test {
 protected:
  void SetUp() override {
    clear();
    trace_ = ::testing::TempDir() + "gradproof_trace_" + std::to_string(getpid()) + ".json";
  }
  void TearDown() override {
    clear();
    std::filesystem::remove(trace_);
  }
  static void clear() {
    for (const char* name : {"GRADPROOF_LOG", "GRADPROOF_TRACE", "GRADPROOF_STRICT"})
      unsetenv(name);
    forget_config();
  }

  /// One operator's run, one fill and one event on a stream of its own; what stderr got meanwhile.
  static std::string work() {
    ::testing::internal::CaptureStderr();
    float small[2]{1, 2};
    float large[4]{};
    const std::int64_t shape[]{1, 1, 2}, padded[]{1, 1, 4}, pads[]{1, 1, 0, 0};
    aclTensor* self =
        aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 3, small);
    aclTensor* out =
        aclCreateTensor(padded, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, padded, 3, large);
    aclIntArray* padding = aclCreateIntArray(pads, 4);
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnReplicationPad2dGetWorkspaceSize(self, padding, out, &bytes, &executor), 0);
    EXPECT_EQ(aclnnReplicationPad2d(nullptr, 0, executor, stream), 0);
    EXPECT_EQ(aclrtMemsetAsync(small, sizeof small, 0, sizeof small, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclDestroyIntArray(padding), 0);
    EXPECT_EQ(aclDestroyTensor(out), 0);
    EXPECT_EQ(aclDestroyTensor(self), 0);
    return ::testing::internal::GetCapturedStderr();
  }

  std::string trace_;
};

TEST_F(ObserveTest, SaysNothingUnasked) { EXPECT_EQ(work(), ""); }

TEST_F(ObserveTest, InfoTellsEachRunInFull) {
  setenv("GRADPROOF_LOG", "info", 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  const std::string log = work();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(log.rfind("gradproof info: aclnnReplicationPad2d on stream ", 0), 0u) << log;
  for (const char* part : {" us: kernel ", ", instruction set ", ", threads at most ",
                           ", workspace 0 bytes", "self FLOAT[1,1,2], out FLOAT[1,1,4]\n"}) {
    EXPECT_NE(log.find(part), std::string::npos) << "no '" << part << "' in: " << log;
  }
  EXPECT_EQ(log.find("debug"), std::string::npos) << log;
  unsetenv("GRADPROOF_LOG");
  EXPECT_EQ(work(), "") << "the log outlives aclFinalize";
}

TEST_F(ObserveTest, DebugTellsEveryPieceOfWork) {
  setenv("GRADPROOF_LOG", "debug", 1);
  const std::string log = work();  // without aclInit: the first call reads the environment
  for (const char* part : {"debug: aclnnReplicationPad2d planned: self FLOAT[1,1,2]",
                           "info: aclnnReplicationPad2d on stream", "debug: fill on stream",
                           ": 8 bytes", "debug: record event on stream"}) {
    EXPECT_NE(log.find(part), std::string::npos) << "no '" << part << "' in: " << log;
  }
}

TEST_F(ObserveTest, FailuresOfWorkAreTold) {
  setenv("GRADPROOF_LOG", "info", 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(run_on(nullptr, [](const Binding&) { return Status(507035, "a bad index"); }), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 507035);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("; failed: a bad index"),
            std::string::npos);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST_F(ObserveTest, RefusesWhatIsNoLevelAndNoFile) {
  setenv("GRADPROOF_LOG", "loud", 1);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_INVALID_PARAM, "GRADPROOF_LOG is 'loud'");
  unsetenv("GRADPROOF_LOG");
  setenv("GRADPROOF_TRACE", "/no/such/folder/trace.json", 1);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_WRITE_FILE, "/no/such/folder/trace.json");
  unsetenv("GRADPROOF_TRACE");
  setenv("GRADPROOF_STRICT", "yes", 1);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_INVALID_PARAM, "GRADPROOF_STRICT is 'yes'");
  unsetenv("GRADPROOF_STRICT");
  const std::string file = trace_ + ".config";
  for (const char* text : {"{\"log\": 1}", "{\"log\": \"\"}", "{\"trace\": \"\"}", "{\"trace\": 1}",
                           "{\"strict\": 1}"}) {
    std::ofstream(file) << text;
    EXPECT_ERROR(aclInit(file.c_str()), ACL_ERROR_FILE_ATTR_INVALID, "\" is ");
  }
  std::filesystem::remove(file);
}

TEST_F(ObserveTest, ATraceThatLosesEventsSaysSoOnce) {
  setenv("GRADPROOF_TRACE", trace_.c_str(), 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{300, before.rlim_max};  // room for the beginning alone
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string told = work();
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(told.rfind("gradproof trace: '" + trace_ + "' cannot be written (", 0), 0u) << told;
  EXPECT_EQ(told.find('\n'), told.size() - 1) << told;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(ObserveTest, TheTraceIsARegularFileOfThatName) {
  setenv("GRADPROOF_TRACE", trace_.c_str(), 1);
  const std::string target = trace_ + ".target";
  std::ofstream(target) << "precious";
  ASSERT_EQ(symlink(target.c_str(), trace_.c_str()), 0);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_WRITE_FILE, "it is a symbolic link");
  EXPECT_EQ(std::filesystem::file_size(target), 8u);
  std::filesystem::remove(target);
  std::filesystem::remove(trace_);
  ASSERT_EQ(mkfifo(trace_.c_str(), 0600), 0);  // without a reader, opening it would wait
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_WRITE_FILE, "it is not a regular file");
  const int reader = open(trace_.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_WRITE_FILE, "it is not a regular file");
  close(reader);
  setenv("GRADPROOF_TRACE", "/dev/null", 1);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_WRITE_FILE, "it is not a regular file");
}

TEST_F(ObserveTest, ASecondTraceFollowsAFailedOne) {
  setenv("GRADPROOF_TRACE", trace_.c_str(), 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  setenv("GRADPROOF_TRACE", "/no/such/folder/trace.json", 1);
  EXPECT_ERROR(aclInit(nullptr), ACL_ERROR_WRITE_FILE, "No such file");
  setenv("GRADPROOF_TRACE", trace_.c_str(), 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(work(), "");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST_F(ObserveTest, ASecondInitialisationContinuesTheTrace) {
  setenv("GRADPROOF_TRACE", trace_.c_str(), 1);
  const auto events = [&] { return nlohmann::json::parse(std::ifstream(trace_)); };
  EXPECT_EQ(work(), "");                     // without aclInit: the trace begins here
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);  // and goes on
  EXPECT_EQ(work(), "");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(events().size(), 9u)
      << "the process, and a row and three pieces of work for each stream";
  const std::string other = trace_ + ".other";
  setenv("GRADPROOF_TRACE", other.c_str(), 1);  // another file between them
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(work(), "");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  std::filesystem::remove(other);
  setenv("GRADPROOF_TRACE", trace_.c_str(), 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(work(), "");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  const nlohmann::json all = events();
  ASSERT_EQ(all.size(), 13u);
  double last = 0;
  for (const nlohmann::json& event : all) {
    if (event["ph"] != "X") continue;
    EXPECT_GE(event["ts"].get<double>(), last) << "one clock for all";
    last = event["ts"];
  }
  std::ofstream(trace_, std::ios::app) << " ";  // no longer as it was left
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(work(), "");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(events().size(), 5u);
}

TEST_F(ObserveTest, ATraceThatAnotherProcessWritesIsLeftToIt) {
  const int theirs = open(trace_.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(flock(theirs, LOCK_EX), 0);
  ASSERT_EQ(write(theirs, "precious", 8), 8);
  const std::string own = trace_ + '.' + std::to_string(getpid());
  const auto events = [&] { return nlohmann::json::parse(std::ifstream(own)).size(); };
  setenv("GRADPROOF_TRACE", trace_.c_str(), 1);
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(
      ::testing::internal::GetCapturedStderr(),
      "gradproof trace: another process writes '" + trace_ + "'; this one writes '" + own + "'\n");
  EXPECT_EQ(work(), "");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(events(), 5u) << "the process, and a row and three pieces of work";
  // Theirs ends, but is no file of this process all the same.
  ASSERT_EQ(close(theirs), 0);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(work(), "");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(events(), 9u);
  EXPECT_EQ(std::filesystem::file_size(trace_), 8u);
  const int locked = open(own.c_str(), O_WRONLY);  // by a process of that number elsewhere
  ASSERT_EQ(flock(locked, LOCK_EX), 0);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(events(), 9u);
  close(locked);
  EXPECT_TRUE(std::filesystem::remove(own));
  EXPECT_TRUE(std::filesystem::remove(own + '.' + std::to_string(getpid())));
}

TEST_F(ObserveTest, ATraceStaysLockedWhileOptionsChange) {
  const auto locked = [&] {
    const int other = open(trace_.c_str(), O_WRONLY);
    const bool is = flock(other, LOCK_EX | LOCK_NB) != 0;
    close(other);
    return is;
  };
  setenv("GRADPROOF_TRACE", trace_.c_str(), 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(gradproof_set_option("queue_limit", "7"), ACL_SUCCESS);
  EXPECT_EQ(work(), "");
  EXPECT_TRUE(locked());
  std::filesystem::remove(trace_);  // by the user: a new one follows
  EXPECT_EQ(gradproof_set_option("queue_limit", nullptr), ACL_SUCCESS);
  EXPECT_EQ(work(), "");
  EXPECT_TRUE(locked());
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_FALSE(locked());
  EXPECT_EQ(nlohmann::json::parse(std::ifstream(trace_)).size(), 5u);
}

TEST_F(ObserveTest, ANameMayHaveTheProcessNumber) {
  const std::string number = std::to_string(getpid()), folder = ::testing::TempDir();
  setenv("GRADPROOF_TRACE", (folder + "%p-%d-%p%").c_str(), 1);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(gradproof_option("trace"), folder + "%p-%d-%p%");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_TRUE(std::filesystem::remove(folder + number + "-%d-" + number + "%"));
}

TEST_F(ObserveTest, TheTraceHasChromesFormat) {
  const std::string file = trace_ + ".config";
  std::ofstream(file) << "{\"trace\": \"" << trace_ << "\"}";
  ASSERT_EQ(aclInit(file.c_str()), ACL_SUCCESS);
  std::filesystem::remove(file);
  EXPECT_EQ(work(), "") << "a trace is no log";
  EXPECT_EQ(work(), "");
  // A program that crashes now leaves a file that lacks the bracket alone.
  std::ostringstream unfinished;
  unfinished << std::ifstream(trace_).rdbuf();
  EXPECT_EQ(nlohmann::json::parse(unfinished.str() + "]").size(), 9u) << unfinished.str();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);

  const nlohmann::json events = nlohmann::json::parse(std::ifstream(trace_));
  ASSERT_TRUE(events.is_array());
  ASSERT_EQ(events.size(), 9u) << "the process, and a row and three pieces of work for each stream";
  std::map<int, double> ended;  // by row
  std::map<int, std::vector<std::string>> told;
  int rows_named = 0;
  for (const nlohmann::json& event : events) {
    ASSERT_TRUE(event.at("name").is_string() && event.at("pid") == getpid() &&
                event.at("tid").is_number_integer() && event.at("args").is_object())
        << event;
    EXPECT_NE(event.at("name"), "");
    if (event.at("ph") == "M") {
      rows_named += event.at("name") == "thread_name";
      EXPECT_TRUE(event.at("args").at("name").is_string());
      continue;
    }
    ASSERT_EQ(event.at("ph"), "X") << "only complete events: nothing to balance";
    ASSERT_TRUE(event.at("ts").is_number() && event.at("dur").is_number()) << event;
    const int row = event.at("tid");
    const double begin = event.at("ts");
    const double duration = event.at("dur");
    EXPECT_GE(begin, ended[row]) << "a stream does one thing at a time: " << event;
    EXPECT_GE(duration, 0);
    ended[row] = begin + duration - 0.002;  // both are rounded to a thousandth
    told[row].push_back(event.at("name"));
    if (event.at("cat") == "kernel") {
      EXPECT_EQ(event.at("args").at("tensors"), "self FLOAT[1,1,2], out FLOAT[1,1,4]");
      EXPECT_TRUE(event.at("args").at("kernel").is_string());
      EXPECT_TRUE(event.at("args").at("threads").is_number_integer());
      EXPECT_EQ(event.at("args").at("workspace_bytes"), 0);
    }
  }
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(rows_named, 2);
  for (const auto& [row, names] : told) {
    EXPECT_EQ(names, (std::vector<std::string>{"aclnnReplicationPad2d", "fill", "record event"}));
  }
}

}  // namespace
}  // namespace gradproof::test
