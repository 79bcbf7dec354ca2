// Which charts a campaign gives. Wrong results are in none.
#include <algorithm>
#include <map>
#include <set>

#include "bench/chart.h"
#include "bench/write.h"
#include "ref/element.h"

namespace gradproof::bench {
namespace {

using Plots = std::vector<std::pair<std::string, std::string>>;

const std::vector<std::string> kEntrants = {"gradproof", "aten", "onednn_best", "onednn"};

std::string in_words(int threads) {
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

bool in_table(const Result& result) {
  return !result.configuration.size && !result.configuration.tiny &&
         result.find("gradproof") != nullptr && result.find("limit") != nullptr;
}

/// Those that were timed in one of the results and computed it right, in the order of kEntrants.
std::vector<std::string> present(const std::vector<const Result*>& group) {
  std::vector<std::string> names;
  for (const std::string& name : kEntrants) {
    if (std::any_of(group.begin(), group.end(),
                    [&](const Result* result) { return result->find_right(name) != nullptr; }))
      names.push_back(name);
  }
  return names;
}

/// Of one type and number of threads: everybody's speed as a multiple of the limit's.
void add_bars(const std::vector<Result>& results, Plots& plots) {
  std::map<std::pair<std::int32_t, int>, std::vector<const Result*>> groups;
  for (const Result& result : results) {
    if (in_table(result)) groups[{result.type, result.threads}].push_back(&result);
  }
  for (const auto& [key, group] : groups) {
    const std::string type = ref::dtype_name(key.first);
    Bars chart{
        "Speed as a multiple of a copy's of the same bytes: " + type + ", " + in_words(key.second),
        "times the copy's speed (logarithmic); longer is faster",
        {},
        present(group),
        {},
        1,
        {1.0}};
    for (const Result* result : group) {
      chart.categories.push_back(result->configuration.name);
      std::vector<double>& row = chart.values.emplace_back();
      for (const std::string& name : chart.series) {
        const bool right = result->find_right(name) != nullptr;
        row.push_back(right ? result->ratio("limit", name).value_or(0) : 0);
        if (row.back() > 0) chart.from = std::min(chart.from, row.back() / 1.5);
      }
    }
    plots.emplace_back("bars_" + type + "_" + std::to_string(key.second) + ".svg", bars(chart));
  }
}

/// Operations a byte against operations a second; the roof is what the limit's bandwidth allows.
void add_roofline(const std::vector<Result>& results, Plots& plots) {
  std::set<int> counts;
  for (const Result& result : results) counts.insert(result.threads);
  for (const int threads : counts) {
    std::vector<Series> series;
    series.reserve(kEntrants.size() + 1);  // and the roof
    for (const std::string& name : kEntrants) series.push_back({name, {}, Series::Style::dots});
    std::vector<double> bandwidths;
    double least = 1e30, most = 0;
    for (const Result& result : results) {
      if (!in_table(result) || result.threads != threads ||
          result.configuration.caches != Caches::flushed)
        continue;
      const double intensity = result.additions / result.bytes;
      least = std::min(least, intensity);
      most = std::max(most, intensity);
      bandwidths.push_back(result.bytes / result.find("limit")->median() / 1e9);
      for (std::size_t i = 0; i < kEntrants.size(); ++i) {
        if (const Timing* timing = result.find_right(kEntrants[i]))
          series[i].points.emplace_back(intensity, result.additions / timing->median() / 1e9);
      }
    }
    if (bandwidths.empty()) continue;
    std::erase_if(series, [](const Series& one) { return one.points.empty(); });
    const double bandwidth = quantile(bandwidths, 0.5);
    series.push_back(
        {"copy: " + std::to_string(static_cast<int>(bandwidth)) + " GB/s (median)",
         {{least / 1.5, least / 1.5 * bandwidth}, {most * 1.5, most * 1.5 * bandwidth}},
         Series::Style::line});
    plots.emplace_back("roofline_" + std::to_string(threads) + ".svg",
                       curves("Roofline, beyond the caches, " + in_words(threads),
                              {"additions and multiplications a byte", true},
                              {"billions of them a second", true}, series));
  }
}

std::string operator_name(const Result& result) {
  return std::string(ref::signature(result.configuration.op).stem);
}

/// Speed with n threads in times of that with one: geometric mean an operator.
void add_threads(const std::vector<Result>& results, Plots& plots) {
  std::map<std::pair<std::string, std::int32_t>, double> single;
  for (const Result& result : results) {
    if (in_table(result) && result.threads == 1)
      single[{result.configuration.name, result.type}] = result.find("gradproof")->median();
  }
  std::map<std::string, std::map<int, std::vector<double>>> speedups;
  for (const Result& result : results) {
    const auto alone = single.find({result.configuration.name, result.type});
    if (!in_table(result) || alone == single.end() ||
        result.configuration.caches != Caches::flushed)
      continue;
    speedups[operator_name(result)][result.threads].push_back(alone->second /
                                                              result.timings.front().median());
  }
  std::vector<Series> series;
  for (const auto& [name, counts] : speedups) {
    if (counts.size() < 2) continue;
    Series& one = series.emplace_back(Series{name, {}});
    for (const auto& [threads, all] : counts) one.points.emplace_back(threads, geometric_mean(all));
  }
  if (series.empty()) return;
  plots.emplace_back("threads.svg", curves("Speed with more threads, beyond the caches",
                                           {"threads"}, {"times that of one thread"}, series));
}

/// Bandwidth from the smallest call to one beyond the caches.
void add_sizes(const std::vector<Result>& results, Plots& plots) {
  std::map<std::pair<std::string, int>, std::vector<Series>> groups;
  for (const Result& result : results) {
    if (!result.configuration.size) continue;
    double elements = 1;
    for (const std::int64_t extent : result.configuration.input)
      elements *= static_cast<double>(extent);
    auto& group = groups[{operator_name(result), result.threads}];
    for (const Timing& timing : result.timings) {
      if (timing.wrong) continue;
      const auto named = [&](const Series& one) { return one.name == timing.name; };
      auto one = std::find_if(group.begin(), group.end(), named);
      if (one == group.end()) one = group.insert(one, Series{timing.name, {}});
      one->points.emplace_back(elements, result.bytes / timing.median() / 1e9);
    }
  }
  for (const auto& [key, series] : groups) {
    plots.emplace_back("sizes_" + key.first + "_" + std::to_string(key.second) + ".svg",
                       curves(key.first + ", FLOAT, warm caches, " + in_words(key.second),
                              {"elements of gradInput", true},
                              {"GB/s of the bytes that must be moved", true}, series));
  }
}

}  // namespace

Plots plots(const std::vector<Result>& results) {
  Plots all;
  add_bars(results, all);
  add_roofline(results, all);
  add_threads(results, all);
  add_sizes(results, all);
  return all;
}

}  // namespace gradproof::bench
