// What a call costs behind the subject kit: phase 1, phase 2 and the synchronisation of a call that
// computes nothing (N is 0), with a kernel that does nothing, and the same call of libgradproof
// itself. Prints nanoseconds a call, the least of some rounds.
#include <cstdio>
#include <gradproof/subject.hpp>

#include "bench/pad_call.h"

namespace {

using namespace gradproof::bench;

void nothing(const gradproof::subject::ReplicationPad2dBackward<float>&) {}

constexpr int kCalls = 20000;

}  // namespace

GRADPROOF_KERNEL(replication_pad2d_backward, nothing)

int main() {
  const auto own_prepare =
      reinterpret_cast<Phase1>(dlsym(RTLD_NEXT, "aclnnReplicationPad2dBackwardGetWorkspaceSize"));
  const auto own_enqueue =
      reinterpret_cast<Phase2>(dlsym(RTLD_NEXT, "aclnnReplicationPad2dBackward"));
  if (own_prepare == nullptr || own_enqueue == nullptr) {
    std::fprintf(stderr, "no libgradproof is loaded behind the kit\n");
    return 2;
  }
  const double own = nanoseconds(own_prepare, own_enqueue, kCalls, 0);
  const double kit = nanoseconds(aclnnReplicationPad2dBackwardGetWorkspaceSize,
                                 aclnnReplicationPad2dBackward, kCalls, 0);
  std::printf("libgradproof %.0f ns, behind the kit %.0f ns: the kit costs %.0f ns a call\n", own,
              kit, kit - own);
}
