// What a call of replication_pad2d_backward takes: phase 1, phase 2 and the synchronisation.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_pad2d_backward.h"

namespace gradproof::bench {

using Phase1 = decltype(&aclnnReplicationPad2dBackwardGetWorkspaceSize);
using Phase2 = decltype(&aclnnReplicationPad2dBackward);

/// The least of 15 rounds of `calls` calls each, in nanoseconds a call.
/// @param n  of the tensors, [n, 1, 3, 3] and [n, 1, 2, 2] of FLOAT; at 0 nothing is computed
inline double nanoseconds(Phase1 prepare, Phase2 enqueue, int calls, std::int64_t n) {
  std::vector<float> gradient(static_cast<std::size_t>(9 * n + 1)), result(gradient);
  std::vector<std::byte> workspace(static_cast<std::size_t>(64 * n + 4096));
  const std::array<std::int64_t, 4> large{n, 1, 3, 3}, small{n, 1, 2, 2}, amounts{1, 0, 0, 1};
  const auto describe = [](const std::array<std::int64_t, 4>& shape, float* data) {
    return aclCreateTensor(shape.data(), 4, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape.data(), 4,
                           data);
  };
  aclTensor* const grad_output = describe(large, gradient.data());
  aclTensor* const grad_input = describe(small, result.data());
  aclIntArray* const padding = aclCreateIntArray(amounts.data(), 4);
  double least = 1e9;
  for (int round = 0; round < 15; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call) {
      std::uint64_t bytes = 0;
      aclOpExecutor* executor = nullptr;
      int status = prepare(grad_output, grad_input, padding, grad_input, &bytes, &executor);
      if (status == 0)
        status = enqueue(workspace.data(), std::min(bytes, workspace.size()), executor, nullptr);
      if (status == 0) status = aclrtSynchronizeStream(nullptr);
      if (status != 0) {
        std::fprintf(stderr, "%d %s\n", status, aclGetRecentErrMsg());
        std::exit(1);
      }
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    least = std::min(least, spent.count() / calls);
  }
  aclDestroyTensor(grad_output);
  aclDestroyTensor(grad_input);
  aclDestroyIntArray(padding);
  return least;
}

}  // namespace gradproof::bench
