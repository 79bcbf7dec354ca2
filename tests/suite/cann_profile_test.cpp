// The profile `cann` against this library in the conformance `cann`: each entry is met by some
// case, and that case is a finding without the profile.
#include <map>
#include <set>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/describe/promises.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"
#include "props/judge/conduct.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kBases = 12;  // of an operator on a product
constexpr std::int64_t kMostBytes = 1 << 20;

/// What CANN does and this library does not (docs/conformance.md, "What is not followed").
const std::set<std::string> kNotFollowed = {"argmax/atomic-sums", "adaptive/atomic-sums",
                                            "mask/atomic-sums"};

/// As the documents say too; what differs is that the executor is gone then.
const std::set<std::string> kAsDocumented = {"phase2/null-workspace"};

/// The library, and cases put to it under a profile.
class Judged {
 public:
  Judged()
      : library_(std::vector<std::string>{GRADPROOF_LIBRARY}),
        session_(library_, {true, false, false}) {}

  void select(ref::Product product) { ASSERT_TRUE(session_.select(product)); }

  /// The first verdict that is a finding, if there is one, of phase 1 and of the call.
  Verdict ask(const Case& c, profiles::Use& use) {
    for (const std::string_view promise : promises_asked(c)) {
      if (!use.promises(promise) && !use.decides(promise, c.call)) return {};
    }
    ProfileConduct conduct(use, false);
    session_.follow(&conduct);
    Bench bench{session_, &use};
    Verdict verdict;
    for (const char* name : {"error-codes", "equivalence", "misuse"}) {
      const Property& property = *find_property(name);
      if (!meets(property, c, use) || (property.runs && !runnable(c, kMostBytes))) continue;
      try {
        verdict = property.check(c, bench);
      } catch (const profiles::NotJudged&) {
      }
      if (!verdict.held) break;
    }
    session_.follow(nullptr);
    return verdict;
  }

 private:
  const Library library_;
  Session session_;
};

/// Valid cases of the operator on the product, and their boundary cases.
template <class F>
void each_case(ref::Operator op, ref::Product product, const F& f) {
  SeededSource source(static_cast<std::uint64_t>(op) * 16 + static_cast<std::uint64_t>(product));
  std::vector<CoveragePoint> among = coverage_points(op);
  std::erase_if(among, [&](const CoveragePoint& point) { return point.product != product; });
  for (std::size_t i = 0; i < kBases && !among.empty(); ++i) {
    Case valid = generate_valid(source, among[i * among.size() / kBases], {.max_elements = 256});
    f(valid);
    for (const Mutation& edit : mutations(valid)) {
      if (edit.mutated.call.product == product) f(edit.mutated);
    }
    valid.misuse = Misuse::null_workspace;
    f(valid);
  }
}

TEST(CannProfile, EachEntryIsMetAndItsCaseIsAFindingWithoutTheProfile) {
  setenv("GRADPROOF_CONFORMANCE", "cann", 1);
  profiles::Use cann(profiles::find_profile("cann")),
      documented(profiles::find_profile("gradproof"));
  const std::vector<profiles::Entry>& entries = cann.profile().entries;
  Judged judged;
  std::map<std::string, int> met, found;
  for (int p = 0; p < ref::kProductCount; ++p) {
    const auto product = static_cast<ref::Product>(p);
    judged.select(product);
    for (int o = 0; o < ref::kOperatorCount; ++o) {
      each_case(static_cast<ref::Operator>(o), product, [&](const Case& c) {
        const Verdict verdict = judged.ask(c, cann);
        EXPECT_TRUE(verdict.held) << verdict.finding << "\n" << to_text(c);
        const profiles::Notes notes = cann.take_notes();
        EXPECT_TRUE(notes.contradicted.empty()) << entries[notes.contradicted.front()].id << "\n"
                                                << to_text(c);
        for (const std::uint16_t place : notes.met) {
          const std::string& id = entries[place].id;
          if (++met[id] > 1 && found[id] > 0) continue;
          found[id] += judged.ask(c, documented).held ? 0 : 1;
        }
      });
      if (HasFailure()) return;
    }
  }
  unsetenv("GRADPROOF_CONFORMANCE");
  std::size_t total = 0;
  for (const profiles::Entry& entry : entries) {
    if (entry.implied || entry.kind == profiles::Kind::untested || entry.word == "untested")
      continue;
    ++total;
    if (kNotFollowed.count(entry.id) > 0) {
      EXPECT_EQ(met[entry.id], 0) << entry.id;
      continue;
    }
    EXPECT_GT(met[entry.id], 0) << entry.id << " was not met";
    EXPECT_EQ(found[entry.id] > 0, kAsDocumented.count(entry.id) == 0)
        << entry.id << ": whether it is a finding without the profile";
  }
  std::erase_if(met, [](const auto& entry) { return entry.second == 0; });
  for (const auto& [id, count] : met) std::printf("%-45s met %6d\n", id.c_str(), count);
  std::printf("%zu entries, %zu met\n", total, met.size());
}

}  // namespace
}  // namespace gradproof::props
