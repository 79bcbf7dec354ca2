// Latency and rate of small calls from several threads, each with a stream of its own: phase 1,
// phase 2 and the synchronisation of ReplicationPad2dBackward. A Google Benchmark program; the
// counters are microseconds a call (p50, p99: the mean of the threads') and calls a second of all
// threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "gradproof/aclnn.hpp"
#include "gradproof/config.h"

namespace {

using namespace gradproof::aclnn;
using Clock = std::chrono::steady_clock;

/// What one thread calls with: the gradient of padding an image of side × side by one.
class Caller {
 public:
  explicit Caller(std::int64_t side)
      : gradient_(Buffer<float>::copy_of(std::vector<float>(area(side + 2), 1)).value()),
        result_(Buffer<float>::allocate(area(side)).value()),
        grad_output_(Tensor::over(gradient_, {1, side + 2, side + 2}).value()),
        self_(Tensor::described<float>({1, side, side}).value()),
        grad_input_(Tensor::over(result_, {1, side, side}).value()) {}

  void call() {
    auto planned = replication_pad2d_backward(grad_output_, self_, padding_, grad_input_).value();
    if (workspace_.bytes() < planned.workspace_size())
      workspace_ = Buffer<std::byte>::allocate(planned.workspace_size()).value();
    planned.launch(stream_, workspace_.data(), workspace_.bytes()).value();
    stream_.synchronize().value();
  }

 private:
  static std::size_t area(std::int64_t side) { return static_cast<std::size_t>(side * side); }

  Stream stream_ = Stream::create().value();
  Buffer<float> gradient_, result_;
  Buffer<std::byte> workspace_ = Buffer<std::byte>::allocate(1).value();
  IntArray padding_ = IntArray::of({1, 1, 1, 1}).value();
  Tensor grad_output_, self_, grad_input_;
};

double percentile(std::vector<double>& times, double part) {
  const auto at =
      times.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

void calls(benchmark::State& state) {
  Caller caller(state.range(0));
  for (int i = 0; i < 100; ++i) caller.call();
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(state.max_iterations));
  auto begin = Clock::now();
  for (auto _ : state) {
    caller.call();
    const auto end = Clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(end - begin).count());
    begin = end;
  }
  state.counters["calls/s"] =
      benchmark::Counter(static_cast<double>(times.size()), benchmark::Counter::kIsRate);
  state.counters["p50_us"] =
      benchmark::Counter(percentile(times, 0.5), benchmark::Counter::kAvgThreads);
  state.counters["p99_us"] =
      benchmark::Counter(percentile(times, 0.99), benchmark::Counter::kAvgThreads);
}

// FLOAT; the greatest one is beyond what a stream computes in the call that enqueues it.
BENCHMARK(calls)->ArgName("side")->Arg(2)->Arg(32)->Arg(160)->ThreadRange(1, 16)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  gradproof_set_option("threads", "1");  // of a call; more would not help at these sizes
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const Library library = Library::start().value();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
