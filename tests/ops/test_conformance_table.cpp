// Each row of the tables of differences is needed by a test: with the row changed so that it says
// nothing of CANN, some call is judged otherwise than tests expect.
//
// The linker gives the library these functions in place of those of conformance_table.cpp (--wrap).
#include <gtest/gtest.h>

#include <optional>

#include "gradproof/config.h"
#include "opt/ops/conformance.h"
#include "opt/runtime/plan_cache.h"
#include "tests/ops/conformance_rows.h"

namespace gradproof::ops {

std::span<const Difference> real_differences() asm("__real__ZN9gradproof3ops11differencesEv");
std::span<const Difference> changed_differences() asm("__wrap__ZN9gradproof3ops11differencesEv");
std::span<const WayDifference> real_ways() asm("__real__ZN9gradproof3ops4waysEv");
std::span<const WayDifference> changed_ways() asm("__wrap__ZN9gradproof3ops4waysEv");

std::optional<std::vector<Difference>> differences_instead;
std::optional<std::vector<WayDifference>> ways_instead;

std::span<const Difference> changed_differences() {
  return differences_instead ? std::span<const Difference>(*differences_instead)
                             : real_differences();
}
std::span<const WayDifference> changed_ways() {
  return ways_instead ? std::span<const WayDifference>(*ways_instead) : real_ways();
}

}  // namespace gradproof::ops

namespace gradproof::test {
namespace {

/// Whether the call is taken and leaves its output as it was.
bool does_nothing(CallSpec call) {
  std::vector<char> memory(1 << 16, 'x');
  call.tensors.back().data = memory.data();
  return perform(call).ok() && memory == std::vector<char>(memory.size(), 'x');
}

bool judged_as_stated(const Judged& row, const CallSpec& call) {
  gradproof_set_conformance("documented");
  if (probe(call).status != row.documented || (row.nothing && does_nothing(call))) return false;
  gradproof_set_conformance("cann");
  const Phase1 cann = get_workspace_size(call);
  bool same = cann.status == row.cann && (!row.nothing || does_nothing(call));
  if (same && row.later != kOk) same = run(row.op, nullptr, 0, cann.executor, nullptr) == row.later;
  if (cann.executor) aclDestroyAclOpExecutor(cann.executor);
  return same;
}

/// Whether all calls of the product are judged as tests expect.
bool all_as_stated(const char* product) {
  for (const Judged& row : rows()) {
    if (std::string(row.product) == product && !judged_as_stated(row, call_of(row))) return false;
  }
  return true;
}

TEST(ConformanceTable, EachDifferenceIsTested) {
  const std::span<const ops::Difference> table = ops::real_differences();
  std::vector<bool> tested(table.size());
  for (const char* product : {kA1, kInference, kA2}) {
    const AsProduct as(product);
    ASSERT_TRUE(all_as_stated(product)) << product;
    for (std::size_t i = 0; i < table.size(); ++i) {
      ops::differences_instead.emplace(table.begin(), table.end());
      if (table[i].documented.answer != table[i].cann.answer ||
          table[i].documented.status != table[i].cann.status) {
        (*ops::differences_instead)[i].cann = table[i].documented;
      } else {  // both refuse: without it another row decides
        ops::differences_instead->erase(ops::differences_instead->begin() +
                                        static_cast<std::ptrdiff_t>(i));
      }
      tested[i] = tested[i] || !all_as_stated(product);
      ops::differences_instead.reset();
    }
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    // Behind the last row a refusal follows anyway.
    EXPECT_TRUE(tested[i] || i + 1 == table.size())
        << "no test needs the row " << table[i].rule << ", " << table[i].input << ", of "
        << table[i].apis.front();
  }
}

/// What the call computes into its last tensor, and the status that it ends with.
Floats result_of(CallSpec call, Floats gradient, std::vector<std::int32_t> indices,
                 std::size_t size) {
  Floats result(size, -77);
  call.tensors.front().data = gradient.data();
  call.tensors.back().data = result.data();
  if (!indices.empty()) call.tensor("indices").data = indices.data();
  const Performed done = perform(call);
  result.push_back(static_cast<float>(done.phase1 + done.phase2 + done.sync));
  return result;
}

Floats with_mask(std::int64_t offset) {
  CallSpec c = sample_of_mask_pool();
  c.tensor("indices").offset = offset;
  c.tensor("indices").storage = {4096};
  std::vector<std::int32_t> mask(1024, 1);
  mask[0] = 4;
  return result_of(c, {2, 3}, mask, 12);
}

Floats with_way(ops::Way way) {
  switch (way) {
    case ops::Way::mask_positions: return with_mask(0);
    case ops::Way::mask_buffer: return with_mask(4);
    case ops::Way::drops_indices: {
      CallSpec c = valid(kAdaptive);
      c.tensor("gradOutput").shape = c.tensor("indices").shape = {1, 1, 1, 1, 2};
      c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 1, 1, 4};
      return result_of(c, {1, 2}, {3, 2}, 4);
    }
    case ops::Way::fitting_scales: {
      CallSpec c = valid(kUp);
      c.tensor("gradOut").shape = {1, 1, 1, 4};
      c.tensor("out").shape = {1, 1, 1, 2};
      c.array("outputSize").values = {1, 4};
      c.array("inputSize").values = {1, 1, 1, 2};
      c.scale_h = c.scale_w = 1;
      return result_of(c, {1, 2, 3, 4}, {}, 2);
    }
  }
  return {};
}

TEST(ConformanceTable, EachWayOfComputingIsTested) {
  const AsProduct as(kA2, "cann");
  const std::span<const ops::WayDifference> table = ops::real_ways();
  for (const ops::WayDifference& row : table) {
    const Floats with = with_way(row.way);
    ASSERT_FALSE(with.empty());
    ops::ways_instead.emplace(table.begin(), table.end());
    for (ops::WayDifference& other : *ops::ways_instead) {
      if (other.way == row.way) other.products = 0;
    }
    forget_plans();  // made with the real table
    EXPECT_NE(with_way(row.way), with) << row.input;
    ops::ways_instead.reset();
    forget_plans();
    gradproof_set_conformance("documented");
    EXPECT_NE(with_way(row.way), with) << row.input;
    gradproof_set_conformance("cann");
  }
  gradproof_set_option("conformance", nullptr);
}

}  // namespace
}  // namespace gradproof::test
