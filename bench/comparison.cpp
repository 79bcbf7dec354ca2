// Prints how two builds compare, from ratios within each round: whatever slowed a round down slowed
// both.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "bench/results.h"
#include "ref/element.h"

namespace gradproof::bench {
namespace {

std::vector<double> ratios(const Timing& a, const Timing& b) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.seconds.size(); ++i) result.push_back(a.seconds[i] / b.seconds[i]);
  return result;
}

/// How many samples, from each end, an interval around the median may leave out and still hold the
/// median in 95 of 100 repetitions, whatever the distribution: each sample is below the median with
/// probability 1/2. Nothing where even all samples are too few.
std::optional<std::size_t> left_out_at_each_end(std::size_t count) {
  const auto n = static_cast<double>(count);
  double outcome = -n * std::log(2.0);  // logarithm of the probability of i samples below it
  double tail = std::exp(outcome);      // probability of at most i
  std::optional<std::size_t> most;
  for (std::size_t i = 0; 2 * tail <= 0.05; ++i) {
    most = i;
    const auto below = static_cast<double>(i);
    outcome += std::log((n - below) / (below + 1));
    tail += std::exp(outcome);
  }
  return most;
}

/// The 95 % interval of the median ratio, and what it says.
std::string interval(std::vector<double> ratios) {
  const std::optional<std::size_t> out = left_out_at_each_end(ratios.size());
  if (!out) return "none: too few rounds";
  std::sort(ratios.begin(), ratios.end());
  const double low = ratios[*out], high = ratios[ratios.size() - 1 - *out];
  char text[64];
  std::snprintf(text, sizeof text, "%.3f to %.3f  %s", low, high,
                low > 1    ? "B is faster"
                : high < 1 ? "B is slower"
                           : "");
  return text;
}

}  // namespace

std::string comparison(const std::vector<Result>& results) {
  char line[160];
  std::snprintf(line, sizeof line, "%-44s %9s %9s %6s  %s\n", "configuration", "A ms", "B ms",
                "A/B", "95 % interval");
  std::string text = line;
  std::vector<double> medians;
  for (const Result& result : results) {
    const Timing &a = result.timings.at(0), &b = result.timings.at(1);
    const std::vector<double> all = ratios(a, b);
    const double ratio = quantile(all, 0.5);
    const std::string name = result.configuration.name + "/" + ref::dtype_name(result.type) + "/" +
                             std::to_string(result.threads);
    std::snprintf(line, sizeof line, "%-44s %9.4f %9.4f %6.3f  %s\n", name.c_str(),
                  a.median() * 1e3, b.median() * 1e3, ratio, interval(all).c_str());
    text += line;
    medians.push_back(ratio);
  }
  if (medians.empty()) return text;
  std::snprintf(line, sizeof line, "%-44s %9s %9s %6.3f\n", "geometric mean", "", "",
                geometric_mean(medians));
  return text + line;
}

}  // namespace gradproof::bench
