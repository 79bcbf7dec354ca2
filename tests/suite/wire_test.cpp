// Cases and verdicts as bytes.
#include <gtest/gtest.h>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"
#include "props/worker/wire.h"

namespace gradproof::props {
namespace {

template <class T>
T over_the_wire(const T& value) {
  Writer writer;
  writer(value);
  return Reader(writer.bytes()).take<T>();
}

TEST(Wire, CasesComeOverWhole) {
  SeededSource source(11);
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const std::vector<CoveragePoint> all = coverage_points(static_cast<ref::Operator>(i));
    const Case c = generate_valid(source, all[source.below(all.size())]);
    // By their text, for a NaN differs from itself.
    EXPECT_EQ(to_text(over_the_wire(c)), to_text(c));
    for (const Mutation& mutation : mutations(c))
      ASSERT_EQ(to_text(over_the_wire(mutation.mutated)), to_text(mutation.mutated));
  }
}

TEST(Wire, VerdictsComeOverWhole) {
  Verdict verdict = Verdict::violated("values", "several\nlines");
  verdict.worst_fraction = 0.25;
  const Verdict got = over_the_wire(verdict);
  EXPECT_FALSE(got.held);
  EXPECT_EQ(got.kind, "values");
  EXPECT_EQ(got.finding, "several\nlines");
  EXPECT_EQ(got.worst_fraction, 0.25);
}

TEST(Wire, WhatEndsTooEarlyIsNoticed) {
  SeededSource source(11);
  Writer writer;
  writer(generate_valid(source, coverage_points(ref::Operator::replication_pad2d)[0]));
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    EXPECT_THROW(Reader(std::string_view(writer.bytes()).substr(0, size)).take<Case>(), Garbled)
        << size;
  }
  const std::string lengths(64, '\xFF');
  EXPECT_THROW(Reader(lengths).take<std::string>(), Garbled);
  EXPECT_THROW(Reader(lengths).take<std::vector<ref::Tensor>>(), Garbled);
}

}  // namespace
}  // namespace gradproof::props
