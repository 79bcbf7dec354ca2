// What a call costs behind the subject kit: phase 1, phase 2 and the synchronisation of a call that
// computes nothing (N is 0), with a kernel that does nothing, and the same call of libgradproof
// itself. Prints nanoseconds a call, the least of some rounds.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <gradproof/subject.hpp>

namespace {

using namespace gradproof::subject;

void nothing(const ReplicationPad2dBackward<float>&) {}

using Phase1 = decltype(&aclnnReplicationPad2dBackwardGetWorkspaceSize);
using Phase2 = decltype(&aclnnReplicationPad2dBackward);

constexpr int kCalls = 20000, kRounds = 15;

double nanoseconds(Phase1 prepare, Phase2 enqueue) {
  std::array<float, 9> gradient{}, result{};
  alignas(64) std::array<std::byte, 4096> workspace{};
  const std::array<std::int64_t, 4> large{0, 1, 3, 3}, small{0, 1, 2, 2}, amounts{1, 0, 0, 1};
  const auto describe = [](const std::array<std::int64_t, 4>& shape, float* data) {
    return aclCreateTensor(shape.data(), 4, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape.data(), 4,
                           data);
  };
  aclTensor* const grad_output = describe(large, gradient.data());
  aclTensor* const grad_input = describe(small, result.data());
  aclIntArray* const padding = aclCreateIntArray(amounts.data(), 4);
  double least = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < kCalls; ++call) {
      std::uint64_t bytes = 0;
      aclOpExecutor* executor = nullptr;
      int status = prepare(grad_output, grad_input, padding, grad_input, &bytes, &executor);
      if (status == 0)
        status = enqueue(workspace.data(), std::min(bytes, workspace.size()), executor, nullptr);
      if (status == 0) status = aclrtSynchronizeStream(nullptr);
      if (status != 0) {
        std::fprintf(stderr, "kit_cost: %d %s\n", status, aclGetRecentErrMsg());
        std::exit(1);
      }
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    least = std::min(least, spent.count() / kCalls);
  }
  aclDestroyTensor(grad_output);
  aclDestroyTensor(grad_input);
  aclDestroyIntArray(padding);
  return least;
}

}  // namespace

GRADPROOF_KERNEL(replication_pad2d_backward, nothing)

int main() {
  const auto own_prepare =
      reinterpret_cast<Phase1>(dlsym(RTLD_NEXT, "aclnnReplicationPad2dBackwardGetWorkspaceSize"));
  const auto own_enqueue =
      reinterpret_cast<Phase2>(dlsym(RTLD_NEXT, "aclnnReplicationPad2dBackward"));
  const double own = nanoseconds(own_prepare, own_enqueue);
  const double kit =
      nanoseconds(aclnnReplicationPad2dBackwardGetWorkspaceSize, aclnnReplicationPad2dBackward);
  std::printf("libgradproof %.0f ns, behind the kit %.0f ns: the kit costs %.0f ns a call\n", own,
              kit, kit - own);
}
