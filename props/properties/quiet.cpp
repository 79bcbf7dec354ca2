// Quiet: stdout belongs to the program that calls the library.
#include <cstdio>

#include "props/cases/data/data.h"
#include "props/properties/property.h"
#include "props/subject/capture.h"

namespace gradproof::props {
namespace {

/// Above this, phase 1 has to do.
constexpr std::int64_t kLargestRun = std::int64_t{256} << 20;

}  // namespace

bool quiet_applies(const Case& c) { return c.misuse == Misuse::none; }

Verdict check_quiet(const Case& c, Bench& bench) {
  const bool runs = is_plain(c) && runnable(c, kLargestRun);
  if (!runs && is_behind_kit(bench.session.library())) return phase_1_of_a_kit();
  Capture capture(stdout);
  if (runs) {
    bench.session.perform(c, make_data(c));
  } else {
    bench.session.get_workspace_size(c.call);
  }
  const std::string text = capture.text();
  if (text.empty()) return {};
  return Verdict::violated("stdout", "the library writes to stdout: " + text);
}

}  // namespace gradproof::props
