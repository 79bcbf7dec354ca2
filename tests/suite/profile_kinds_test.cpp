// Each kind of profile entry on a library that needs it: a finding without, none with, what a
// library that does as documented shows of the entry, and a fault planted beside it that is still
// found.
#include "props/cases/input_error.h"
#include "props/report/entries.h"
#include "props/worker/examiner.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

constexpr const char* kHalfPad =
    "replication_pad2d_backward gradOutput=FLOAT16[1,1,4,4]:ND self=FLOAT16[1,1,2,2]:ND "
    "padding=1,1,1,1 gradInput=FLOAT16[1,1,2,2]:ND";
constexpr const char* kPad =
    "replication_pad2d_backward gradOutput=FLOAT[2,3,9,8]:ND:fill(uniform,-1,1) "
    "self=FLOAT[2,3,5,4]:ND "
    "padding=2,2,2,2 gradInput=FLOAT[2,3,5,4]:ND";
constexpr const char* kStridedPad =
    "replication_pad2d_backward "
    "gradOutput=FLOAT[1,1,4,4]:ND:strides(252,252,28,2):fill(uniform,-1,1) "
    "self=FLOAT[1,1,2,2]:ND padding=1,1,1,1 gradInput=FLOAT[1,1,2,2]:ND";
constexpr const char* kStridedNan =
    "replication_pad2d_backward "
    "gradOutput=FLOAT[1,1,9,8]:ND:strides(252,252,28,2):fill(constant,nan) "
    "self=FLOAT[1,1,5,4]:ND padding=2,2,2,2 gradInput=FLOAT[1,1,5,4]:ND";
constexpr const char* kSubnormalPad =
    "replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND:fill(constant,1e-40) "
    "self=FLOAT[1,1,2,2]:ND "
    "padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND";
constexpr const char* kBadShape =
    "replication_pad2d_backward gradOutput=FLOAT[1,1,2,4]:ND self=FLOAT[1,1,2,2]:ND "
    "padding=1,0,0,0 "
    "gradInput=FLOAT[1,1,2,2]:ND";
constexpr const char* kNullExecutor =
    "replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND "
    "padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND misuse=null_executor";
constexpr const char* kUpsample =
    "upsample_bilinear2d_backward gradOut=FLOAT[1,1,70,90]:NCHW:fill(uniform,-1,1) "
    "outputSize=70,90 "
    "inputSize=1,1,33,41 alignCorners=false scalesH=0 scalesW=0 out=FLOAT[1,1,33,41]:NCHW";
constexpr const char* kInfinities =
    "upsample_bilinear2d_backward gradOut=FLOAT[1,1,4,4]:NCHW:fill(constant,inf) outputSize=4,4 "
    "inputSize=1,1,4,4 alignCorners=false scalesH=0 scalesW=0 out=FLOAT[1,1,4,4]:NCHW";
constexpr const char* kNanScale =
    "upsample_bilinear2d_backward gradOut=FLOAT[1,1,4,4]:NCHW outputSize=4,4 inputSize=1,1,2,2 "
    "alignCorners=false scalesH=nan scalesW=0 out=FLOAT[1,1,2,2]:NCHW";
constexpr const char* kTies =
    "adaptive_max_pool3d self=FLOAT[1,2,4,4,6]:NCDHW:fill(constant,3) outputSize=2,2,3 "
    "outputOut=FLOAT[1,2,2,2,3]:NCDHW indicesOut=INT32[1,2,2,2,3]:NCDHW";
constexpr const char* kNans =
    "adaptive_max_pool3d self=FLOAT[1,2,4,4,6]:NCDHW:fill(constant,nan) outputSize=2,2,3 "
    "outputOut=FLOAT[1,2,2,2,3]:NCDHW indicesOut=INT32[1,2,2,2,3]:NCDHW";
constexpr const char* kAnyIndices =
    "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,2,2,2,3]:NCDHW self=FLOAT[1,2,4,4,6]:NCDHW "
    "indices=INT32[1,2,2,2,3]:NCDHW:fill(in_range) kernelSize=2 stride= padding=0 dilation=1 "
    "ceilMode=false gradInput=FLOAT[1,2,4,4,6]:NCDHW";
constexpr const char* kBadIndex =
    "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,2,2,2,3]:NCDHW self=FLOAT[1,2,4,4,6]:NCDHW "
    "indices=INT32[1,2,2,2,3]:NCDHW:fill(one_bad) kernelSize=2 stride= padding=0 dilation=1 "
    "ceilMode=false gradInput=FLOAT[1,2,4,4,6]:NCDHW";
constexpr const char* kMask =
    "max_pool2d_with_mask self=FLOAT[1,2,4,6]:NCHW kernelSize=2,2 stride=2,2 padding=0,0 "
    "dilation=1,1 ceilMode=false out=FLOAT[1,2,2,3]:NCHW indices=INT8[1,2,4,64]:NCHW";
constexpr const char* kMaskGradient =
    "max_pool2d_with_mask_backward gradOutput=FLOAT[1,2,2,3]:NCHW self=FLOAT[1,2,4,6]:NCHW "
    "indices=INT8[1,2,4,64]:NCHW kernelSize=2,2 stride=2,2 padding=0,0 dilation=1,1 ceilMode=false "
    "gradInput=FLOAT[1,2,4,6]:NCHW";
constexpr const char* kDilated =
    "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,1,1,1,2]:NCDHW self=FLOAT[1,1,1,1,6]:NCDHW "
    "indices=INT32[1,1,1,1,2]:NCDHW kernelSize=1,1,2 stride=1,1,2 padding=0 dilation=2 "
    "ceilMode=false gradInput=FLOAT[1,1,1,1,6]:NCDHW";
constexpr const char* kOneScale =
    "upsample_bilinear2d_backward gradOut=FLOAT[1,1,4,4]:NCHW:fill(uniform,-1,1) outputSize=4,4 "
    "inputSize=1,1,2,2 alignCorners=false scalesH=2 scalesW=3 out=FLOAT[1,1,2,2]:NCHW";
constexpr const char* kMaskAtOffset =
    "max_pool2d_with_mask_backward gradOutput=FLOAT[1,2,2,3]:NCHW self=FLOAT[1,2,4,6]:NCHW "
    "indices=INT8[1,2,4,64]:NCHW:offset(5) kernelSize=2,2 stride=2,2 padding=0,0 dilation=1,1 "
    "ceilMode=false gradInput=FLOAT[1,2,4,6]:NCHW";

/// What a library that does as documented shows of the entry.
enum class Shows { contradicted, unused, nothing };

struct Row {
  const char* name;
  const char* when;  ///< beside the operator
  const char* then;
  const char* way;  ///< FAKE_FAULT of the library that does so
  const char* property;
  const char* test;
  const char* planted;          ///< FAKE_FAULT of a fault beside it
  const char* documented = "";  ///< FAKE_FAULT of a library that does as documented
  Shows shows = Shows::contradicted;
  const char* beside = nullptr;  ///< a call under the entry that shows the fault; else `test`
};

const Row kRows[] = {
    {"absent", R"("dtype": "FLOAT16")", R"("absent": true)", "refuses FLOAT16", "error-codes",
     kHalfPad, "computes FLOAT16 wrongly", "", Shows::nothing},
    {"status", R"("rule": "shape")", R"("status": 561103)", "561103 for shapes", "error-codes",
     kBadShape, "answers 1"},
    {"taken", R"("rule": "size-value", "argument": "scalesH")", R"("status": 0)", "takes any scale",
     "error-codes", kNanScale, "answers 1"},
    {"phase2", R"("misuse": "null_executor")", R"("phase2": 507)", "507 for null", "misuse",
     kNullExecutor, "any call"},
    {"phase2_of_a_rule", R"("rule": "shape")", R"("phase2": 561103)", "561103 in phase 2",
     "equivalence", kBadShape, "answers 1"},
    {"computed", R"("rule": "dilation-value")", R"("computed": true)", "takes dilation",
     "equivalence", kDilated, "any call"},
    {"writes", "", R"("writes": "nothing")", "writes nothing", "equivalence", kPad, "but one byte"},
    {"refused_workspace", R"("rule": "shape")", R"("refused_workspace": 0)", "refuses with a size",
     "error-codes", kBadShape, "answers 1"},
    {"scales", "", R"("scales": "both fit")", "scales that both fit", "equivalence", kOneScale,
     "any call"},
    {"mask_view", "", R"("mask_view": "ignored")", "mask without its view", "equivalence",
     kMaskAtOffset, "any call"},
    {"coordinates", "", R"("coordinates": "FLOAT")", "computes in FLOAT", "equivalence", kUpsample,
     "coarse", "", Shows::unused},
    {"accumulation", "", R"("accumulation": "BF16")", "sums in BF16", "equivalence", kPad,
     "any call", "", Shows::unused},
    {"subnormals", "", R"("subnormals": "flushed")", "flushes subnormals", "equivalence",
     kSubnormalPad, "any call"},
    {"zero_times_infinity", "", R"("zero_times_infinity": "NaN")", "zero times infinity",
     "equivalence", kInfinities, "any call", "", Shows::unused, kUpsample},
    {"ties", "", R"("ties": "last")", "last maximum", "equivalence", kTies, "any call"},
    {"ties_any", "", R"("ties": "any")", "last maximum", "equivalence", kTies, "any call", "",
     Shows::unused},
    {"nans", "", R"("nans": "last")", "last NaN", "equivalence", kNans, "any call", "",
     Shows::contradicted, kTies},
    {"nans_any", "", R"("nans": "any")", "last NaN", "equivalence", kNans, "any call", "",
     Shows::unused, kTies},
    {"out_of_window", "", R"("out_of_window_indices": "ignored")",
     "ignores indices out of the window", "equivalence", kAnyIndices, "any call"},
    {"out_of_range", "", R"("out_of_range_indices": "ignored")", "", "equivalence", kBadIndex,
     "any call", "synchronise"},
    {"bits", "", R"("bits": ["layout"])", "other bits when strided", "layout", kStridedPad,
     "strided", "", Shows::unused},
    {"nan_bits", "", R"("nan_bits": "any")", "other NaNs when strided", "layout", kStridedNan,
     "strided", "", Shows::unused, kStridedPad},
    {"mask", "", R"("mask": "INT32 positions")", "positions in the mask", "equivalence", kMask,
     "any call"},
    {"mask_gradient", "", R"("mask": "INT32 positions")", "positions in the mask", "equivalence",
     kMaskGradient, "any call"},
};

std::string profile_of(const Row& row) {
  const std::string text = row.test;
  return R"({"profile": "test", "says": "Of one entry.", "promises": ["phase-2-checks"], "entries": [
    {"id": "the-entry", "when": {"operator": ")" +
         text.substr(0, text.find(' ')) + "\"" + (*row.when != '\0' ? ", " : "") + row.when +
         "}, \"then\": {" + row.then +
         R"(}, "reason": "For the test.", "source": {"repository": "r", "file": "f", "function": "g"}}]})";
}

Answer ask(const Row& row, const std::string& faults, const std::string& profile) {
  const Fault fault(faults.c_str());
  const auto examiner = examine_here(
      {.libraries = {FAKE_REFERENCE}, .profile = profile, .profile_file = "test.json"});
  const Case c = parse_case(row.test);
  const Check check{find_property(row.property), &c};
  EXPECT_TRUE(
      meets(*check.property, c, profiles::Use(profiles::parse_profile(profile_of(row), ""))));
  return examiner->check({&check, 1}).front();
}

/// As documented, but what phase 2 answers is asked for.
const char* const kDocumented =
    R"({"profile": "plain", "says": "No entry.", "promises": ["phase-2-checks", "non-fitting-scales"],
        "entries": []})";

using Entries = std::vector<std::uint16_t>;

class ProfileKinds : public testing::TestWithParam<Row> {};

TEST_P(ProfileKinds, AreAFindingWithoutTheProfileAndNoneWithIt) {
  const Row& row = GetParam();
  EXPECT_FALSE(ask(row, row.way, kDocumented).verdict.held);
  const Answer with = ask(row, row.way, profile_of(row));
  EXPECT_TRUE(with.verdict.held) << with.verdict.finding;
  EXPECT_EQ(with.notes.met, Entries{0});
  EXPECT_EQ(with.notes.contradicted, Entries{});
}

TEST_P(ProfileKinds, AreContradictedByALibraryThatDoesAsDocumented) {
  const Row& row = GetParam();
  const Answer answer = ask(row, row.documented, profile_of(row));
  EXPECT_TRUE(answer.verdict.held) << answer.verdict.finding;
  EXPECT_EQ(answer.notes.met, Entries{});
  EXPECT_EQ(answer.notes.contradicted, row.shows == Shows::contradicted ? Entries{0} : Entries{});
  EXPECT_EQ(answer.notes.unused, row.shows == Shows::unused ? Entries{0} : Entries{});
}

TEST_P(ProfileKinds, HideNoFaultBesideThem) {
  const Row& row = GetParam();
  ASSERT_STRNE(row.planted, "");
  Row planted = row;
  if (row.beside != nullptr) planted.test = row.beside;
  // What is absent is refused; the fault is that now and then it is computed, and wrongly.
  const bool absent = std::string(row.name) == "absent";
  if (absent) planted.property = "equivalence";
  const std::string faults = (absent ? "" : std::string(row.way) + ";") + row.planted;
  EXPECT_FALSE(ask(planted, faults, profile_of(row)).verdict.held) << faults;
}

TEST(ProfileKinds, EachIsTested) {
  for (const profiles::KindRow& kind : profiles::kinds()) {
    const bool tested = std::any_of(std::begin(kRows), std::end(kRows), [&](const Row& row) {
      return std::string(row.then).starts_with("\"" + std::string(kind.name) + "\"");
    });
    EXPECT_TRUE(tested || kind.name == "untested") << kind.name;  // it has a test of its own
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, ProfileKinds, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Profile, AnAbsentThingThatIsRightAfterAllContradictsTheEntry) {
  Row row = kRows[0];
  row.property = "equivalence";
  const Answer answer = ask(row, "", profile_of(row));
  EXPECT_TRUE(answer.verdict.held) << answer.verdict.finding;
  EXPECT_EQ(answer.notes.contradicted, Entries{0});
  const Answer refused = ask(row, "refuses FLOAT16", profile_of(row));
  EXPECT_FALSE(refused.verdict.checked);
  EXPECT_EQ(refused.notes.met, Entries{0});
}

TEST(Profile, WhatIsUntestedIsNotCalled) {
  Row row = kRows[0];
  row.property = "equivalence";
  row.then = R"("untested": true)";
  const Answer answer = ask(row, "computes FLOAT16 wrongly", profile_of(row));
  EXPECT_TRUE(answer.verdict.held);
  EXPECT_FALSE(answer.verdict.checked);
  EXPECT_PRED2(contains, answer.verdict.finding, "the-entry");
  row.test = kPad;  // beside it, everything is
  EXPECT_FALSE(ask(row, "any call", profile_of(row)).verdict.held);
}

TEST(Profile, WhatIsNotPromisedIsNotAsked) {
  Row row = kRows[0];
  row.test = kPad;
  for (const char* property : {"threads", "instruction-sets", "services", "configuration"}) {
    row.property = property;
    const Answer answer = ask(row, "", kDocumented);
    EXPECT_FALSE(answer.verdict.checked) << property;
    EXPECT_PRED2(contains, answer.verdict.finding, "not promised");
  }
  row.property = "threads";
  const char* const promising =
      R"({"profile": "p", "says": "s", "promises": ["thread-counts"], "entries": []})";
  EXPECT_TRUE(ask(row, "", promising).verdict.checked);
  row.property = "misuse";
  row.test = kNullExecutor;
  const char* const silent = R"({"profile": "p", "says": "s", "entries": []})";
  EXPECT_FALSE(ask(row, "507 for null", silent).verdict.checked);
}

TEST(Profile, EntriesThatDisagreeAboutOneCaseAreNamedWhenItComesUp) {
  const char* const two = R"({"profile": "p", "says": "s", "entries": [
    {"id": "one", "when": {"operator": "replication_pad2d_backward", "if": "self.W == 2"},
     "then": {"status": 1}, "reason": "r", "source": {"repository": "r", "file": "f", "function": "g"}},
    {"id": "two", "when": {"operator": "replication_pad2d_backward", "if": "self.H == 2"},
     "then": {"status": 2}, "reason": "r", "source": {"repository": "r", "file": "f", "function": "g"}}]})";
  Row row = kRows[1];
  const Answer answer = ask(row, "", two);
  EXPECT_EQ(answer.verdict.kind, "profile");
  EXPECT_PRED2(contains, answer.verdict.finding, "'one'");
  EXPECT_PRED2(contains, answer.verdict.finding, "'two'");
}

constexpr const char* kDilatedShape =
    "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,1,1,1,3]:NCDHW self=FLOAT[1,1,1,1,6]:NCDHW "
    "indices=INT32[1,1,1,1,3]:NCDHW kernelSize=1,1,2 stride=1,1,2 padding=0 dilation=2 "
    "ceilMode=false gradInput=FLOAT[1,1,1,1,6]:NCDHW";

TEST(Profile, LaterRulesCountWhereOneIsPassed) {
  const char* const taken = R"({"profile": "p", "says": "s", "entries": [
    {"id": "one", "when": {"operator": "max_pool3d_with_argmax_backward", "rule": "dilation-value"},
     "then": {"computed": true}, "reason": "r",
     "source": {"repository": "r", "file": "f", "function": "g"}}]})";
  const profiles::Use use(profiles::parse_profile(taken, "t.json"));
  EXPECT_EQ(use.terms(parse_case(kDilated).call).status, 0);
  EXPECT_TRUE(use.terms(parse_case(kDilated).call).runs());
  const profiles::Terms wrong = use.terms(parse_case(kDilatedShape).call);
  EXPECT_EQ(wrong.status, 161002);
  EXPECT_EQ(wrong.taken.size(), 1U);
  EXPECT_FALSE(wrong.runs());
}

TEST(Profile, AnEntryWinsOverThoseThatItNames) {
  const auto profile = [](const std::string& over) {
    return R"({"profile": "p", "says": "s", "entries": [
    {"id": "one", "when": {"rule": "shape"}, "then": {"status": 1}, "reason": "r",
     "source": {"repository": "r", "file": "f", "function": "g"}},
    {"id": "two", "when": {"rule": "shape"}, "then": {"status": 2}, "reason": "r",)" +
           over + R"(
     "source": {"repository": "r", "file": "f", "function": "g"}}]})";
  };
  EXPECT_THROW(profiles::parse_profile(profile(""), "t.json"), InputError);
  const profiles::Use use(profiles::parse_profile(profile(R"("over": ["one"],)"), "t.json"));
  EXPECT_EQ(use.terms(parse_case(kBadShape).call).status, 2);
  EXPECT_THROW(profiles::parse_profile(profile(R"("over": "none",)"), "t.json"), InputError);
}

// Whichever stands first in the file.
TEST(Profile, OfAnOverruledEntryNothingIsAllowed) {
  const std::string
      narrow =
          R"({"id": "narrow", "when": {"operator": "max_pool3d_with_argmax_backward"},
     "then": {"accumulation": "FLOAT16"}, "reason": "r",
     "source": {"repository": "r", "file": "f", "function": "g"}})",
      wide =
          R"({"id": "wide", "when": {"operator": "max_pool3d_with_argmax_backward", "rank": [5]},
     "then": {"accumulation": "FLOAT"}, "reason": "r", "over": ["narrow"],
     "source": {"repository": "r", "file": "f", "function": "g"}})";
  for (const std::string& both : {narrow + "," + wide, wide + "," + narrow}) {
    const profiles::Use use(profiles::parse_profile(
        R"({"profile": "p", "says": "s", "entries": [)" + both + "]}", "t.json"));
    const profiles::Terms terms = use.terms(parse_case(kDilated).call);
    EXPECT_EQ(terms.numerics.accumulation, ref::kFloat);
    ASSERT_EQ(terms.computing.size(), 1U);
    EXPECT_EQ(terms.computing[0]->id, "wide");
  }
}

TEST(Profile, AnEntryWinsOverWhatIsNotPromised) {
  const char* const text = R"({"profile": "p", "says": "s", "entries": [
    {"id": "one", "when": {"misuse": "null_executor"}, "then": {"phase2": 507}, "reason": "r",
     "source": {"repository": "r", "file": "f", "function": "g"}}]})";
  Row row = kRows[0];
  row.property = "misuse";
  row.test = kNullExecutor;
  EXPECT_EQ(ask(row, "507 for null", text).notes.met, Entries{0});
}

TEST(Profile, OutOfRangeIndicesCanBeUntested) {
  Row row = kRows[0];
  row.property = "equivalence";
  row.test = kBadIndex;
  row.when = "";
  row.then = R"("out_of_range_indices": "untested")";
  const Answer answer = ask(row, "any call", profile_of(row));
  EXPECT_FALSE(answer.verdict.checked);
  EXPECT_PRED2(contains, answer.verdict.finding, "the-entry");
}

TEST(Profile, LibraryNamesItsOwn) {
  const auto ours = examine_here({.libraries = {GRADPROOF_LIBRARY}});
  EXPECT_EQ(ours->profile().name, "gradproof");
  EXPECT_TRUE(ours->profile().promises("strict-mode"));
  const auto other = examine_here({.libraries = {FAKE_REFERENCE}});
  EXPECT_EQ(other->profile().name, "documented");
}

TEST(EntryCounts, EnoughResultsWithoutNeedRefuteAnEntry) {
  report::EntryCount entry;
  entry.unused = report::EntryCount::kEnough - 1;
  EXPECT_FALSE(entry.refuted());
  ++entry.unused;
  EXPECT_TRUE(entry.refuted());
  entry.met = 1;
  EXPECT_FALSE(entry.refuted());
  entry.contradicted = 1;
  EXPECT_TRUE(entry.refuted());
  entry.varies = true;
  EXPECT_FALSE(entry.refuted());
}

}  // namespace
}  // namespace gradproof::props
