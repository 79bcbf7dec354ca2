// The order in which contestants are timed, where their memory lies, and figures made from samples.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "bench/memory.h"
#include "bench/results.h"
#include "bench/tensors.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::bench {
namespace {

TEST(Measure, QuantilesInterpolate) {
  EXPECT_DOUBLE_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4, 5}, 0.25), 2);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.9), 7);
}

TEST(Measure, TheMeanOfRatiosIsGeometric) {
  EXPECT_DOUBLE_EQ(geometric_mean({0.5, 2}), 1);
  EXPECT_DOUBLE_EQ(geometric_mean({4, 4, 4}), 4);
}

/// Writes its name down for each run.
class Named final : public Contestant {
 public:
  Named(char name, std::string& runs) : name_(name), runs_(runs) {}
  void run() override { runs_ += name_; }
  std::vector<std::span<std::byte>> memory() const override { return {}; }
  std::optional<ref::Dense> take_result() override { return std::nullopt; }

 private:
  char name_;
  std::string& runs_;
};

TEST(Measure, RoundsAreInTurnAndInReverse) {
  std::string runs;
  std::vector<Entrant> entrants;
  for (const char name : {'A', 'B', 'C'})
    entrants.push_back({std::string(1, name), std::make_unique<Named>(name, runs)});
  std::vector<Timing> timings;
  benchmark::RegisterBenchmark(
      "order",
      [&](benchmark::State& state) { timings = measure(state, entrants, Caches::flushed); })
      ->Iterations(3)
      ->UseManualTime();
  std::ostringstream unread;
  benchmark::ConsoleReporter reporter;
  reporter.SetOutputStream(&unread);
  reporter.SetErrorStream(&unread);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  EXPECT_EQ(runs, "ABCCBAABC");
  ASSERT_EQ(timings.size(), 3u);
  for (std::size_t i = 0; i < timings.size(); ++i) {
    EXPECT_EQ(timings[i].name, entrants[i].name);
    EXPECT_EQ(timings[i].seconds.size(), 3u);
  }
}

TEST(Measure, EqualBuffersBeginAtOnePlaceWithinAPage) {
  constexpr std::uintptr_t kPage = 4096;
  const auto place = [](const Buffer& buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer.data()) % kPage;
  };
  const Buffer a0(100, 0), a1(5000, 1), b0(7, 0), b1(100, 1);
  EXPECT_EQ(place(a0), place(b0));
  EXPECT_EQ(place(a1), place(b1));
  EXPECT_NE(place(a0), place(a1));
}

/// A build that writes nothing must not pass with what another one wrote.
TEST(Measure, AResultIsTakenOnce) {
  Configuration configuration;
  configuration.op = ref::Operator::replication_pad2d_backward;
  configuration.input = {1, 1, 2, 2};
  configuration.padding = {1, 1, 1, 1};
  Problem problem{configuration, ref::kFloat, make_call(configuration, ref::kFloat), {}, {}};
  problem.data.resize(problem.call.tensors.size());
  Tensors tensors(problem);
  EXPECT_EQ(ref::load(tensors.take_result().bytes.data(), ref::kFloat, 0), 0);
  EXPECT_TRUE(std::isnan(ref::load(tensors.take_result().bytes.data(), ref::kFloat, 0)));
}

Result pair_of(double a, double b, double spread) {
  Result result;
  result.configuration.name = "pair";
  Timing first{"A", {}, "", false}, second{"B", {}, "", false};
  for (int i = -10; i <= 10; ++i) {
    const double slow = 1 + 0.5 * (i % 3 == 0);  // what meets both in a round
    first.seconds.push_back(a * slow);
    second.seconds.push_back(b * slow * (1 + spread * i));
  }
  result.timings = {first, second};
  return result;
}

TEST(Comparison, SaysWhichBuildIsFasterOnlyWhereRoundsAgree) {
  EXPECT_NE(comparison({pair_of(1e-3, 0.9e-3, 0.001)}).find("B is faster"), std::string::npos);
  EXPECT_NE(comparison({pair_of(1e-3, 1.1e-3, 0.001)}).find("B is slower"), std::string::npos);
  EXPECT_EQ(comparison({pair_of(1e-3, 1e-3, 0.01)}).find("B is"), std::string::npos);
}

}  // namespace
}  // namespace gradproof::bench
