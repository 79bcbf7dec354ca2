// Prints what each kernel gains: the time of calls without the kernel that they run, as a multiple
// of their time with it.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <tuple>

#include "bench/machine.h"
#include "bench/results.h"
#include "ref/call.h"
#include "ref/element.h"

namespace gradproof::bench {
namespace {

/// What a kernel has to gain somewhere to be worth its code (docs/kernels.md).
constexpr double kWorthwhile = 1.3;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

/// The median of ratios within each round: whatever slowed a round down slowed both.
double gain(const Result& result) {
  std::vector<double> ratios;
  const std::vector<double>&with = result.timings.at(0).seconds,
        &without = result.timings.at(1).seconds;
  for (std::size_t i = 0; i < with.size(); ++i) ratios.push_back(without[i] / with[i]);
  return quantile(ratios, 0.5);
}

std::string call_of(const Result& result) {
  std::string name = result.configuration.name + ' ' + ref::dtype_name(result.type);
  if (result.threads > 1) name += ", " + std::to_string(result.threads) + " threads";
  return name;
}

/// A gradient's kernel with an instruction set.
using Key = std::tuple<std::string, std::string, std::string>;

struct Gains {
  std::vector<double> all;
  double most = 0;
  std::string where;
};

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += ' ' + cell + " |";
  return text + '\n';
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16] = "";
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

std::string introduction(const std::string& command) {
  std::string text =
      "# What each kernel gains\n\n"
      "Each call of the file after `--configurations`, which has the shapes, runs in turn with the "
      "kernel that the library chooses, "
      "and with the one\n"
      "that it chooses if that kernel is left out. *gain* is the second time as a multiple of the "
      "first, the median of\n"
      "the rounds. A kernel is worth its code if it gains " +
      number(kWorthwhile) + " or more on some calls ([kernels](../kernels.md)). Command:\n`" +
      command + "`, " + today() + ".\n\n";
  for (const auto& [name, value] : machine()) text += "- " + name + ": " + value + '\n';
  return text + '\n';
}

}  // namespace

std::string ablation(const std::vector<Result>& results, const std::string& command) {
  std::map<Key, Gains> kernels;
  std::string calls =
      row({"call", "instruction set", "kernel", "without it", "gain"}) + "|---|---|---|---|---|\n";
  for (const Result& result : results) {
    if (result.timings.empty()) continue;  // no other kernel serves the call
    const double ratio = gain(result);
    calls +=
        row({call_of(result), result.instruction_set, result.kernel, result.next, number(ratio)});
    const std::string stem(ref::signature(result.configuration.op).stem);
    Gains& gains = kernels[{stem, result.kernel, result.instruction_set}];
    gains.all.push_back(ratio);
    if (ratio > gains.most) gains.most = ratio, gains.where = call_of(result);
  }
  std::string text = introduction(command) +
                     row({"gradient", "kernel", "instruction set", "calls",
                          number(kWorthwhile) + " or more", "mean", "most", "where"}) +
                     "|---|---|---|---|---|---|---|---|\n";
  for (const auto& [key, gains] : kernels) {
    const auto& [stem, kernel, set] = key;
    const auto worthwhile = std::count_if(gains.all.begin(), gains.all.end(),
                                          [](double ratio) { return ratio >= kWorthwhile; });
    text += row({stem, kernel, set, std::to_string(gains.all.size()), std::to_string(worthwhile),
                 number(geometric_mean(gains.all)), number(gains.most), gains.where});
  }
  return text + '\n' + calls;
}

}  // namespace gradproof::bench
