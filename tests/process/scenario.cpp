// Scenarios: children, and the call that they make.
#include "tests/process/scenario.h"

#include <chrono>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace gradproof::test {
namespace {

constexpr std::int64_t kSide = 128;

}  // namespace

std::string outcome_of(int child, int seconds) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > give_up) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "no end";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit " + std::to_string(WEXITSTATUS(status));
}

std::string outcome_of(const char* scenario, int seconds) {
  const int child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    execl("/proc/self/exe", "process_program", scenario, nullptr);
    _exit(127);
  }
  return outcome_of(child, seconds);
}

void all_exit_well(const char* scenario, int children, int seconds) {
  int bad = 0;
  for (int i = 0; i < children; ++i) {
    const std::string outcome = outcome_of(scenario, seconds);
    if (outcome == "exit 0") continue;
    ++bad;
    std::fprintf(stderr, "%s, child %d of %d: %s\n", scenario, i + 1, children, outcome.c_str());
    if (bad == 5 || outcome == "no end") break;
  }
  REQUIRE(bad == 0);
}

PadCall::PadCall(std::int64_t planes)
    : gradient_(static_cast<std::size_t>(planes * (kSide + 2) * (kSide + 2)), 1.0f),
      result_(static_cast<std::size_t>(planes * kSide * kSide)),
      workspace_(1 << 20) {
  const std::int64_t padded[]{planes, kSide + 2, kSide + 2}, plain[]{planes, kSide, kSide};
  const std::int64_t ones[]{1, 1, 1, 1};
  const auto tensor = [](const std::int64_t* shape, void* data) {
    return aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 3, data);
  };
  gradient_tensor_ = tensor(padded, gradient_.data());
  self_ = tensor(plain, nullptr);
  result_tensor_ = tensor(plain, result_.data());
  padding_ = aclCreateIntArray(ones, 4);
}

PadCall::~PadCall() {
  aclDestroyTensor(gradient_tensor_);
  aclDestroyTensor(self_);
  aclDestroyTensor(result_tensor_);
  aclDestroyIntArray(padding_);
}

int PadCall::launch(aclrtStream stream, void* workspace) {
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  const int planned = aclnnReplicationPad2dBackwardGetWorkspaceSize(
      gradient_tensor_, self_, padding_, result_tensor_, &bytes, &executor);
  if (planned != 0) return planned;
  REQUIRE(bytes <= workspace_.size());
  if (workspace == nullptr) workspace = workspace_.data();
  return aclnnReplicationPad2dBackward(workspace, bytes, executor, stream);
}

bool PadCall::done() const {
  for (std::size_t i = 0; i < result_.size(); ++i) {
    const auto y = static_cast<std::int64_t>(i) / kSide % kSide,
               x = static_cast<std::int64_t>(i) % kSide;
    const bool edge_y = y == 0 || y == kSide - 1, edge_x = x == 0 || x == kSide - 1;
    if (result_[i] != (edge_y ? 2.0f : 1.0f) * (edge_x ? 2.0f : 1.0f)) return false;
  }
  return true;
}

void PadCall::clear() { std::fill(result_.begin(), result_.end(), -1.0f); }

}  // namespace gradproof::test
