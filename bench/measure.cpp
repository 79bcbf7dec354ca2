// The loop that times.
#include "bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "bench/memory.h"

namespace gradproof::bench {
namespace {

/// Long enough for the clock, and for an interrupt to be lost in it.
constexpr double kSampleSeconds = 200e-6;
/// For threads that go on spinning for a while after their work, on the cores of whoever is next.
constexpr std::chrono::milliseconds kPause{2};

double seconds_of(Contestant& contestant, int calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) contestant.run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return took.count() / calls;
}

int calls_a_sample(Contestant& contestant) {
  contestant.run();
  int calls = 1;
  while (seconds_of(contestant, calls) * calls < kSampleSeconds) calls *= 2;
  return calls;
}

double sample(Contestant& contestant, Caches caches, int calls) {
  std::this_thread::sleep_for(kPause);
  if (caches != Caches::warm)
    for (const std::span<std::byte> bytes : contestant.memory()) flush(bytes);
  contestant.start_threads();
  if (caches == Caches::warm) seconds_of(contestant, calls);  // caches and threads are warm then
  const double seconds = seconds_of(contestant, calls);
  contestant.end_threads();
  return seconds;
}

}  // namespace

double quantile(std::vector<double> samples, double part) {
  std::sort(samples.begin(), samples.end());
  const double at = part * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] + (at - static_cast<double>(below)) * (samples[above] - samples[below]);
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

double least_seconds(Contestant& contestant) {
  constexpr int kCalls = 5;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kCalls; ++i) least = std::min(least, seconds_of(contestant, 1));
  return least;
}

double Timing::median() const { return quantile(seconds, 0.5); }
double Timing::lower_quartile() const { return quantile(seconds, 0.25); }
double Timing::upper_quartile() const { return quantile(seconds, 0.75); }

std::vector<Timing> measure(benchmark::State& state, std::vector<Entrant>& entrants,
                            Caches caches) {
  std::vector<Timing> timings;
  std::vector<int> calls;
  for (const Entrant& entrant : entrants) {
    timings.push_back({entrant.name, {}, entrant.contestant->remark(), entrant.wrong});
    calls.push_back(caches == Caches::warm ? calls_a_sample(*entrant.contestant) : 1);
  }
  bool backwards = false;
  for ([[maybe_unused]] auto round : state) {
    double total = 0;
    for (std::size_t turn = 0; turn < entrants.size(); ++turn) {
      const std::size_t i = backwards ? entrants.size() - 1 - turn : turn;
      const double seconds = sample(*entrants[i].contestant, caches, calls[i]);
      timings[i].seconds.push_back(seconds);
      total += seconds;
    }
    state.SetIterationTime(total);
    backwards = !backwards;
  }
  return timings;
}

}  // namespace gradproof::bench
