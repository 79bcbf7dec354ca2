// Prints how two builds compare, from ratios within each round: whatever slowed a round down slowed
// both.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/results.h"
#include "ref/element.h"

namespace gradproof::bench {
namespace {

std::vector<double> ratios(const Timing& a, const Timing& b) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.seconds.size(); ++i) result.push_back(a.seconds[i] / b.seconds[i]);
  return result;
}

/// The median of the rounds, and where it would lie in 95 of 100 repetitions: by the ranks that a
/// fair coin gives, whatever the distribution.
struct Median {
  double value = 1, low = 1, high = 1;
};

Median median_of(const std::vector<double>& samples) {
  const auto count = static_cast<double>(samples.size());
  const double rank = std::max(0.0, std::floor(count / 2 - 0.98 * std::sqrt(count)));
  const double part = rank / std::max(1.0, count - 1);
  return {quantile(samples, 0.5), quantile(samples, part), quantile(samples, 1 - part)};
}

const char* verdict(const Median& ratio) {
  if (ratio.low > 1) return "B is faster";
  if (ratio.high < 1) return "B is slower";
  return "";
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
    const Median ratio = median_of(ratios(a, b));
    const std::string name = result.configuration.name + "/" + ref::dtype_name(result.type) + "/" +
                             std::to_string(result.threads);
    std::snprintf(line, sizeof line, "%-44s %9.4f %9.4f %6.3f  %.3f to %.3f  %s\n", name.c_str(),
                  a.median() * 1e3, b.median() * 1e3, ratio.value, ratio.low, ratio.high,
                  verdict(ratio));
    text += line;
    medians.push_back(ratio.value);
  }
  if (medians.empty()) return text;
  std::snprintf(line, sizeof line, "%-44s %9s %9s %6.3f\n", "geometric mean", "", "",
                geometric_mean(medians));
  return text + line;
}

}  // namespace gradproof::bench
