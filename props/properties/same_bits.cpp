// Bitwise comparison of two runs.
#include "props/properties/same_bits.h"

#include <cmath>
#include <utility>

#include "props/cases/data/data.h"
#include "props/judge/repeats.h"
#include "ref/element.h"

namespace gradproof::props {

namespace {

/// Entries that allow for differences which did not show.
void note_unused(const profiles::Terms& terms, const Outcome& run, profiles::Dependence changed,
                 profiles::Use* use) {
  if (const profiles::Entry* entry = terms.lets_depend(changed)) use->unused(*entry);
  if (terms.nan_bits == nullptr) return;
  for (const ref::Dense& output : run.outputs) {
    if (!ref::is_floating(output.dtype)) continue;
    const std::int32_t type = ref::component_type(output.dtype);
    const auto count = static_cast<std::int64_t>(output.bytes.size()) / ref::dtype_size(type);
    for (std::int64_t i = 0; i < count; ++i) {
      if (!std::isnan(ref::load(output.bytes.data(), type, i))) continue;
      use->unused(*terms.nan_bits);
      return;
    }
  }
}

/// The library's words for what failed after phase 1, on a line of their own.
std::string told(const Outcome& run) {
  return run.message.empty() ? "" : "\n  message: " + run.message;
}

}  // namespace

Verdict call_succeeded(const Outcome& run) {
  if (Verdict memory = judge_memory(run); !memory.held) return memory;
  if (run.phase1.status == 0 && run.ran && run.phase2 == 0 && run.sync == 0) return {};
  if (!run.exception.empty())
    return Verdict::not_checked("the kernel failed\n  message: " + run.exception);
  if (run.phase1.status == 0 && !run.ran) return Verdict::not_checked("phase 2 was not called");
  const auto [step, status] = run.phase1.status != 0 ? std::pair("phase 1", run.phase1.status)
                              : run.phase2 != 0      ? std::pair("phase 2", run.phase2)
                                                     : std::pair("synchronisation", run.sync);
  return Verdict::not_checked("a valid call failed: " + std::string(step) + " returned " +
                              std::to_string(status) + "\n  message: " + run.phase1.message +
                              run.message);
}

Verdict same_bits(const Case& c, const Outcome& first, const Outcome& second,
                  const std::string& manner, profiles::Use* use, profiles::Dependence changed) {
  for (const Outcome* run : {&first, &second}) {
    if (!run->phase1.failure.empty()) return Verdict::violated("runtime", run->phase1.failure);
    if (Verdict memory = judge_memory(*run); !memory.held) return memory;
  }
  if (first.phase1.status != second.phase1.status || first.phase2 != second.phase2 ||
      first.sync != second.sync) {
    return Verdict::violated(
        "status", "statuses differ " + manner + ": phase 1 " + std::to_string(first.phase1.status) +
                      " and " + std::to_string(second.phase1.status) + ", phase 2 " +
                      std::to_string(first.phase2) + " and " + std::to_string(second.phase2) +
                      ", synchronisation " + std::to_string(first.sync) + " and " +
                      std::to_string(second.sync) + told(first) + told(second));
  }
  if (Verdict nothing = call_succeeded(first); !nothing.checked) return nothing;
  const profiles::Terms terms = use != nullptr ? use->terms(c.call) : profiles::Terms{};
  bool other_nans = false;
  for (std::size_t slot = 0; slot < first.outputs.size(); ++slot) {
    const ref::Dense& a = first.outputs[slot];
    const ref::Dense& b = second.outputs[slot];
    if (a.bytes == b.bytes) continue;
    if (terms.nan_bits != nullptr && differ_in_nans_alone(a, b)) {
      use->met(*terms.nan_bits);
      other_nans = true;
      continue;
    }
    if (const profiles::Entry* entry = terms.lets_depend(changed)) {
      use->met(*entry);
      const std::vector<ref::Dense> data = make_data(c);
      Verdict verdict = judge_outcome(c, data, first, use);
      return verdict.held ? judge_outcome(c, data, second, use) : verdict;
    }
    return Verdict::violated("bits", difference(c.call, static_cast<int>(slot), a, b, manner));
  }
  if (second.other_runs.empty() && !other_nans) note_unused(terms, first, changed, use);
  return judge_repeats(c, second, terms, use);
}

}  // namespace gradproof::props
