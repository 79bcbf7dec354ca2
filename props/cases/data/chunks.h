// Splits a loop over elements among threads; the work must not depend on the order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <future>
#include <thread>
#include <vector>

#include "props/cases/processors.h"

namespace gradproof::props {

/// Runs f(begin, end) over [0, count), on several threads if that is worth it.
template <class F>
void in_chunks(std::int64_t count, const F& f) {
  constexpr std::int64_t kWorthAThread = 1 << 18;  // about a millisecond of work, 50 thread starts
  const std::int64_t threads = std::clamp<std::int64_t>(count / kWorthAThread, 1, processors());
  std::vector<std::future<void>> helpers;  // which wait for their threads when they go
  for (std::int64_t t = 1; t < threads; ++t) {
    helpers.push_back(std::async(std::launch::async, [&f, count, threads, t] {
      f(count / threads * t, t + 1 == threads ? count : count / threads * (t + 1));
    }));
  }
  f(std::int64_t{0}, threads == 1 ? count : count / threads);
  for (std::future<void>& helper : helpers) helper.get();
}

}  // namespace gradproof::props
