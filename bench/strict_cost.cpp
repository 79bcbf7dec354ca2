// What strict device mode costs (docs/diagnosis.md): medians of allocations and of small calls,
// first without it, then with it. Argument: how many rounds, 31 by default.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gradproof/aclnn.hpp"

namespace {

using namespace gradproof::aclnn;

struct Row {
  const char* name;
  double microseconds[2];  // off, strict
};

/// The median of rounds of `calls` calls, in microseconds a call.
template <class Function>
double median(int rounds, int calls, const Function& function) {
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {  // the first one warms up
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) function();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    if (round > 0) times.push_back(time.count() / calls);
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<std::size_t>(rounds / 2)];
}

double allocation(int rounds, int calls, std::size_t bytes) {
  return median(rounds, calls, [&] { Buffer<std::byte>::allocate(bytes)->free().value(); });
}

/// The gradient of padding an n×n image by one on each side: both phases and the synchronisation.
double gradient(int rounds, int calls, std::int64_t n) {
  const Stream stream = Stream::create().value();
  const auto count = [](std::int64_t side) { return static_cast<std::size_t>(side * side); };
  const auto from = Buffer<float>::copy_of(std::vector<float>(count(n + 2), 1)).value();
  const auto to = Buffer<float>::allocate(count(n)).value();
  const Tensor grad_output = Tensor::over(from, {1, n + 2, n + 2}).value();
  const Tensor self = Tensor::described<float>({1, n, n}).value();
  const Tensor grad_input = Tensor::over(to, {1, n, n}).value();
  const IntArray padding = IntArray::of({1, 1, 1, 1}).value();
  auto planned = replication_pad2d_backward(grad_output, self, padding, grad_input).value();
  const auto workspace =
      Buffer<std::byte>::allocate(std::max<std::size_t>(planned.workspace_size(), 1)).value();
  return median(rounds, calls, [&] {
    auto call = replication_pad2d_backward(grad_output, self, padding, grad_input).value();
    call.launch(stream, workspace.data(), workspace.bytes()).value();
    stream.synchronize().value();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 31;
  Row rows[] = {{"aclrtMalloc and aclrtFree of 4 KiB", {}},
                {"aclrtMalloc and aclrtFree of 1 MiB", {}},
                {"padding gradient 2x2", {}},
                {"padding gradient 512x512", {}}};
  setenv("GRADPROOF_NUM_THREADS", "1", 1);
  for (const int strict : {0, 1}) {  // in this order: a protection key is kept once there is one
    setenv("GRADPROOF_STRICT", strict == 1 ? "1" : "0", 1);
    const Library library = Library::start().value();
    rows[0].microseconds[strict] = allocation(rounds, 100, 4 << 10);
    rows[1].microseconds[strict] = allocation(rounds, 20, 1 << 20);
    rows[2].microseconds[strict] = gradient(rounds, 200, 2);
    rows[3].microseconds[strict] = gradient(rounds, 20, 512);
  }
  std::printf("%-36s %10s %10s\n", "microseconds", "off", "strict");
  for (const Row& row : rows)
    std::printf("%-36s %10.2f %10.2f\n", row.name, row.microseconds[0], row.microseconds[1]);
}
