// See case_target.h.
#include "fuzz/case_target.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "props/cases/case.h"
#include "props/cases/shrink/simpler.h"

extern "C" [[gnu::weak]] int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void*, std::size_t),
    void (*free_hook)(const volatile void*));

namespace gradproof::fuzz {
namespace {

std::atomic<std::size_t> largest{0};

void note_allocation(const volatile void*, std::size_t bytes) {
  std::size_t before = largest.load(std::memory_order_relaxed);
  while (bytes > before && !largest.compare_exchange_weak(before, bytes)) {
  }
}

void ignore_free(const volatile void*) {}

/// Takes simpler variants as long as they are wrong in the same way, but not for long: a window of
/// 131072 that can only become smaller by one would make a time-out of the finding.
props::Case shrink(props::Case c, const std::string& kind, Check check, Domain domain) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (props::Case& variant : props::simpler(c)) {
      if (std::chrono::steady_clock::now() > end) return c;
      if (!domain(variant)) continue;
      const props::Verdict verdict = check(variant);
      if (verdict.held || verdict.kind != kind) continue;
      c = std::move(variant);
      smaller = true;
      break;
    }
  }
  return c;
}

}  // namespace

props::Session& session(ref::Product product) {
  // Never destroyed: streams end with the library.
  static const std::string itself;
  static auto& library = *new props::Library({&itself, 1});
  static auto& session = *new props::Session(library);
  session.select(product, 1);
  return session;
}

void demand(const props::Case& c, Check check, Domain domain) {
  static const bool show = std::getenv("GRADPROOF_FUZZ_SHOW") != nullptr;
  if (show) std::fprintf(stderr, "case: %s\n", props::to_text(c).c_str());
  const props::Verdict verdict = check(c);
  if (verdict.held) return;
  std::fprintf(stderr, "finding (%s): %s\ncase: %s\n", verdict.kind.c_str(),
               verdict.finding.c_str(), props::to_text(c).c_str());
  std::fprintf(stderr, "repro: gradproof repro '%s'\n",
               props::to_text(shrink(c, verdict.kind, check, domain)).c_str());
  std::abort();
}

std::size_t largest_allocation() {
  static const bool hooked =
      __sanitizer_install_malloc_and_free_hooks != nullptr &&
      __sanitizer_install_malloc_and_free_hooks(note_allocation, ignore_free) != 0;
  return hooked ? largest.exchange(0) : 0;
}

}  // namespace gradproof::fuzz
