// The text form: every case reads back as itself, and errors say where and what.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"
#include "props/cases/input_error.h"
#include "tests/cases/common.h"

namespace gradproof::props {
namespace {

std::int64_t any_int(Source& s) {
  switch (s.below(6)) {
    case 0: return std::numeric_limits<std::int64_t>::min();
    case 1: return std::numeric_limits<std::int64_t>::max();
    case 2: return static_cast<std::int64_t>(s.below(~std::uint64_t{0}));
    default: return static_cast<std::int64_t>(s.below(9)) - 2;
  }
}

std::vector<std::int64_t> any_ints(Source& s, std::size_t count) {
  std::vector<std::int64_t> values(count);
  for (std::int64_t& v : values) v = any_int(s);
  return values;
}

double any_real(Source& s) {
  switch (s.below(3)) {
    case 0: return std::bit_cast<double>(s.below(~std::uint64_t{0}));
    case 1:
      return std::bit_cast<double>(0x7FF0000000000000u + s.below(3) + (s.below(2) << 63) +
                                   (s.below(2) << 51));
    default: return static_cast<double>(s.below(100)) / 7;
  }
}

/// Any case at all: every field anything that it can hold.
Case any_case(Source& s) {
  Case c = blank_case(static_cast<ref::Operator>(s.below(ref::kOperatorCount)));
  c.call.product = static_cast<ref::Product>(s.below(ref::kProductCount));
  for (ref::Tensor& t : c.call.tensors) {
    if (s.below(8) == 0) {
      t.null = true;
      continue;
    }
    t.null = s.below(8) == 0;
    t.dtype = static_cast<std::int32_t>(s.below(3) == 0 ? s.below(1u << 31) : s.below(40)) - 3;
    t.format = static_cast<std::int32_t>(s.below(60)) - 3;
    t.shape = any_ints(s, s.below(7));
    t.strides = s.below(2) == 0 ? ref::contiguous_strides(t.shape) : any_ints(s, t.shape.size());
    t.null_strides = s.below(4) == 0;
    if (t.null_strides && s.below(2) == 0) t.strides = any_ints(s, s.below(5));
    t.offset = s.below(2) == 0 ? 0 : any_int(s);
    t.storage = s.below(3) == 0 ? default_storage(t) : any_ints(s, s.below(5));
    t.null_data = s.below(4) == 0;
    t.shares = static_cast<std::int32_t>(s.below(c.call.tensors.size() + 1)) - 1;
    t.shares_at = s.below(2) == 0 ? 0 : any_int(s);
  }
  for (ref::IntArray& array : c.call.arrays) array = {s.below(4) == 0, any_ints(s, s.below(9))};
  for (std::uint8_t& flag : c.call.flags)
    flag = static_cast<std::uint8_t>(s.below(4) == 0 ? s.below(256) : s.below(2));
  for (double& real : c.call.reals) real = any_real(s);
  for (Fill& fill : c.fills) {
    fill.kind = static_cast<Fill::Kind>(s.below(10));
    if (s.below(2) == 0) fill.a = any_real(s);
    if (s.below(2) == 0) fill.b = any_real(s);
  }
  c.call.null_workspace_size = s.below(4) == 0;
  c.call.null_executor = s.below(4) == 0;
  c.seed = s.below(2) == 0 ? 0 : s.below(~std::uint64_t{0});
  c.misuse = static_cast<Misuse>(s.below(10));
  return c;
}

/// Equality by bits, so that a NaN equals itself and −0 does not equal 0.
void expect_same(Case a, Case b) {
  const auto bits_and_clear = [](double& x, double& y) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y));
    x = y = 0;
  };
  ASSERT_EQ(a.call.reals.size(), b.call.reals.size());
  for (std::size_t i = 0; i < a.call.reals.size(); ++i)
    bits_and_clear(a.call.reals[i], b.call.reals[i]);
  ASSERT_EQ(a.fills.size(), b.fills.size());
  for (std::size_t i = 0; i < a.fills.size(); ++i) {
    bits_and_clear(a.fills[i].a, b.fills[i].a);
    bits_and_clear(a.fills[i].b, b.fills[i].b);
  }
  EXPECT_TRUE(a == b) << to_text(a) << "\n" << to_text(b);
}

TEST(Text, ArbitraryCasesReadBackAsThemselves) {
  SeededSource source(11);
  for (int i = 0; i < 20000; ++i) {
    const Case c = any_case(source);
    const std::string text = to_text(c);
    ASSERT_EQ(text.find_first_of("'\n"), std::string::npos);
    ASSERT_NO_THROW(expect_same(parse_case(text), c)) << text;
    if (testing::Test::HasFailure()) FAIL() << text;
  }
}

TEST(Text, GeneratedCasesReadBackAsThemselvesAndAreShort) {
  for (ref::Operator op : all_operators()) {
    each_valid(op, 20, [](const CoveragePoint&, const Case& c) {
      const std::string text = to_text(c);
      expect_same(parse_case(text), c);
      EXPECT_LT(text.size(), 800u) << text;
    });
  }
}

constexpr const char* kLine =
    "replication_pad2d self=FLOAT[1,2,2]:ND padding=0,0,0,0 out=FLOAT[1,2,2]:ND";

TEST(Text, DefaultsAreLeftOut) { EXPECT_EQ(to_text(parse_case(kLine)), kLine); }

struct Bad {
  std::string text;
  const char* message;
};

TEST(Text, ErrorsNameColumnAndToken) {
  const std::string line = kLine;
  const Bad kBad[] = {
      {"", "column 1: expected an operator"},
      {"  replication_pad2",
       "column 3: 'replication_pad2' is not an operator; did you mean 'replication_pad2d'?"},
      {"nonsense", "expected one of adaptive_max_pool3d, adaptive_max_pool3d_backward, max"},
      {line + " seed", "column 76: expected key=value, got 'seed'"},
      {line + " sed=1", "column 76: 'sed' is not a key of replication_pad2d; did you mean 'seed'?"},
      {line + " seed=1 seed=2", "column 83: 'seed' is given twice"},
      {line + " seed=-1", "column 81: seed: expected a whole number, got '-1'"},
      {line + " seed=18446744073709551616", "does not fit"},
      {line + " soc=Ascend910C",
       "column 80: 'Ascend910C' is not a product; did you mean 'Ascend910'?"},
      {line + " misuse=null_stream", "is not a misuse of phase 2"},
      {line + " executor=7", "only value"},
      {"replication_pad2d self=FLOAT[1,2,2]:ND padding=0,0,0,0", "'out' is missing"},
      {"replication_pad2d self=FLOATS[1]:ND", "column 24: 'FLOATS' is not a data type"},
      {line + ":", "column 75: nothing follows ':'"},
      {"replication_pad2d self=FLOAT[1,]:ND", "column 31: nothing follows ','"},
      {"replication_pad2d self=FLOAT[1]:ND:fill(uniform,0,)", "nothing follows ','"},
      {"replication_pad2d self=FLOAT[1]:ND:memory(own,)", "nothing follows ','"},
      {"replication_pad2d padding=null:", "nothing follows ':'"},
      {"replication_pad2d self=FLOAT[1:ND", "column 24: expected DTYPE[dims]:FORMAT"},
      {"replication_pad2d self=FLOAT[1,x]:ND", "column 32: dims: expected a whole number, got 'x'"},
      {"replication_pad2d self=FLOAT[1]:NDD", "column 33: 'NDD' is not a format"},
      {"replication_pad2d self=FLOAT[1]:ND:ofset(3)",
       "column 36: 'ofset' is not an attribute of a tensor; did you mean 'offset'?"},
      {"replication_pad2d self=FLOAT[1]:ND:offset", "expected arguments"},
      {"replication_pad2d self=FLOAT[1]:ND:null(1)", "takes no arguments"},
      {"replication_pad2d self=FLOAT[1]:ND:offset(1):offset(2)",
       "column 46: 'offset' is given twice"},
      {"replication_pad2d self=FLOAT[1]:ND:strides(1,2)", "strides: 2 for 1 dimensions"},
      {"replication_pad2d self=FLOAT[1]:ND:memory(padding)", "is not a tensor of this operator"},
      {"replication_pad2d self=FLOAT[1]:ND:fill(uniforn)", "did you mean 'uniform'?"},
      {"replication_pad2d self=FLOAT[1]:ND:fill(uniform,1,2,3)", "more than two numbers"},
      {"replication_pad2d self=FLOAT[1]:ND:fill(constant,1e999)", "does not fit a double"},
      {"upsample_bilinear2d alignCorners=yes", "expected true or false, got 'yes'"},
      {"upsample_bilinear2d alignCorners=256", "expected true or false"},
      {"upsample_bilinear2d scalesH=--1", "expected a number"},
      {"upsample_bilinear2d scalesH=nan#0000000000000000", "expected a number"},
      {std::string(70000, 'a'), "longer than"},
      {"\x01\xff", "'\\x01\\xff' is not an operator"},
  };
  for (const Bad& bad : kBad) {
    try {
      parse_case(bad.text);
      ADD_FAILURE() << "accepted: " << bad.text;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(bad.message), std::string::npos) << bad.text << "\n"
                                                                            << e.what();
    }
  }
}

// A parser that met a fuzzer: damaged lines either parse or throw InputError, nothing else.
TEST(Text, DamagedLinesAreCasesOrErrors) {
  SeededSource source(12);
  int parsed = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = to_text(any_case(source));
    for (std::uint64_t damage = source.below(3) + 1; damage-- > 0;) {
      const std::size_t at = source.below(text.size());
      switch (source.below(3)) {
        case 0: text[at] = static_cast<char>(source.below(256)); break;
        case 1: text.erase(at, source.below(4)); break;
        default: text.insert(at, 1, "0,:()[]=- "[source.below(10)]); break;
      }
    }
    try {
      const Case c = parse_case(text);
      expect_same(parse_case(to_text(c)), c);
      ++parsed;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(parsed, 100);
}

}  // namespace
}  // namespace gradproof::props
