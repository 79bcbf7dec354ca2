// Prints what was measured.
#include "bench/results.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "ref/element.h"

namespace gradproof::bench {
namespace {

/// Contestants that have a column of their own, in this order.
const std::vector<std::string> kPeers = {"aten", "onednn", "onednn_best", "ref", "contiguous"};

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string milliseconds(double seconds) {
  return number(seconds * 1e3, seconds < 1e-5 ? 6 : seconds < 1e-3 ? 4 : seconds < 0.1 ? 2 : 1);
}

std::string padded(const std::string& text, std::size_t width, bool left = false) {
  const std::string space(width > text.size() ? width - text.size() : 0, ' ');
  return left ? text + space : space + text;
}

/// "× limit" is gradproof in times of it; other columns are a peer in times of gradproof.
std::string row(const Result& result) {
  const Timing& own = result.timings.front();
  std::string line =
      padded(result.configuration.name, 30, true) + padded(ref::dtype_name(result.type), 8, true) +
      padded(std::to_string(result.threads), 4) + padded(milliseconds(own.median()), 10) +
      padded(number(result.bytes / own.median() / 1e9, 1), 8);
  const std::optional<double> limit = result.ratio(own.name, "limit");
  line += padded(limit ? number(*limit, 2) : "-", 9);
  for (const std::string& peer : kPeers) {
    const std::optional<double> ratio = result.ratio(peer, own.name);
    const bool wrong = ratio && result.find(peer)->wrong;
    line += padded(ratio ? (wrong ? "*" : "") + number(*ratio, *ratio < 10 ? 2 : 1) : "-", 12);
  }
  return line + "  " + result.kernel + "\n";
}

struct Means {
  std::vector<double> limit;
  std::map<std::string, std::vector<double>> peers;
};

std::string group_of(const Result& result) {
  const Configuration& c = result.configuration;
  const bool view = result.find("contiguous") != nullptr;
  return std::string(c.tiny                        ? "tiny"
                     : view                        ? "views"
                     : c.caches == Caches::flushed ? "beyond the caches"
                                                   : "in the caches") +
         ", " + ref::dtype_name(result.type) + ", " + std::to_string(result.threads) +
         (result.threads == 1 ? " thread" : " threads");
}

}  // namespace

const Timing* Result::find(const std::string& name) const {
  for (const Timing& timing : timings) {
    if (timing.name == name && !timing.seconds.empty()) return &timing;
  }
  return nullptr;
}

std::optional<double> Result::ratio(const std::string& first, const std::string& second) const {
  const Timing *one = find(first), *other = find(second);
  if (one == nullptr || other == nullptr) return std::nullopt;
  return one->median() / other->median();
}

std::string table(const std::vector<Result>& results) {
  std::string text = padded("configuration", 30, true) + padded("type", 8, true) +
                     padded("thr", 4) + padded("ms", 10) + padded("GB/s", 8) + padded("x limit", 9);
  for (const std::string& peer : kPeers) text += padded(peer, 12);
  text += "  kernel\n";
  std::map<std::string, Means> groups;
  for (const Result& result : results) {
    text += row(result);
    if (result.configuration.size) continue;
    Means& means = groups[group_of(result)];
    const std::string& own = result.timings.front().name;
    if (const auto limit = result.ratio(own, "limit")) means.limit.push_back(*limit);
    for (const std::string& peer : kPeers) {
      if (const auto ratio = result.ratio(peer, own)) means.peers[peer].push_back(*ratio);
    }
  }
  text +=
      "\ngeometric means (and the largest multiple of the limit, the smallest lead over a peer)\n";
  for (const auto& [name, means] : groups) {
    text += padded(name, 52, true);
    text += means.limit.empty()
                ? padded("-", 9)
                : padded(number(geometric_mean(means.limit), 2), 9) + " (" +
                      number(*std::max_element(means.limit.begin(), means.limit.end()), 2) + ")";
    for (const auto& [peer, ratios] : means.peers)
      text += "   " + peer + " " + number(geometric_mean(ratios), 2) + " (" +
              number(*std::min_element(ratios.begin(), ratios.end()), 2) + ")";
    text += "\n";
  }
  return text;
}

}  // namespace gradproof::bench
