// Profiles and lists of known findings as files: what is refused, and where the error points.
#include <gtest/gtest.h>

#include "props/cases/input_error.h"
#include "props/profiles/known.h"
#include "props/profiles/profile.h"
#include "ref/rules.h"

namespace gradproof::profiles {
namespace {

/// Line 3 has one entry; `when` and `then` are its members' contents.
std::string with_entry(const std::string& when, const std::string& then,
                       const std::string& rest = "") {
  return "{\"profile\": \"p\", \"says\": \"s\",\n \"entries\": [\n  {\"id\": \"a\", \"when\": {" +
         when + "},\n   \"then\": {" + then +
         "}, \"reason\": \"r\",\n   \"source\": {\"repository\": \"r\", \"file\": \"f\", "
         "\"function\": \"g\"}}" +
         rest + "]}";
}

std::string error_of(const std::string& text) {
  try {
    parse_profile(text, "x.json");
  } catch (const props::InputError& e) {
    return e.what();
  }
  return "no error";
}

struct Bad {
  std::string text, error;
};

TEST(ProfileFile, ErrorsNameFileLineAndMember) {
  const Bad rows[] = {
      {"{", "x.json:1: not JSON"},
      {"{\n\"profile\": 7,\n\"says\": \"s\", \"entries\": []}",
       "x.json:2: profile: must be a non-empty string"},
      {"{\"says\": \"s\", \"entries\": []}", "needs 'profile'"},
      {"{\"profile\": \"p\", \"says\": \"s\", \"entries\": [],\n \"entriess\": []}",
       "x.json:2: entriess: 'entriess' is not a known member; did you mean 'entries'?"},
      {"{\"profile\": \"p\", \"says\": \"s\",\n\n \"promises\": [\"mesages\"], \"entries\": []}",
       "x.json:3: promises[0]: 'mesages' is not a promise; did you mean 'messages'?"},
      {with_entry("\"operator\": \"replication_pad2\"", "\"absent\": true"),
       "x.json:3: entries[0].when.operator: 'replication_pad2' is not the stem of an operator; did "
       "you mean 'replication_pad2d'?"},
      {with_entry("\"rule\": [\"shape\",\n \"shapes\"]", "\"status\": 0"),
       "x.json:4: entries[0].when.rule[1]: 'shapes' is not a rule; did you mean 'shape'?"},
      {with_entry("\"dtype\": \"FLOTA\"", "\"absent\": true"), "'FLOTA' is not an element type"},
      {with_entry("\"product\": \"Ascend950\"", "\"absent\": true"), "is not a product"},
      {with_entry("", "\"accumulation\": \"INT8\""),
       "x.json:4: entries[0].then.accumulation: 'INT8' is not a value of this member"},
      {with_entry("", "\"statuss\": 0"),
       "entries[0].then.statuss: 'statuss' is not a known member"},
      {with_entry("", "\"status\": \"0\""), "must be a whole number"},
      {with_entry("", "\"absent\": true, \"untested\": true"), "must have exactly one member"},
      {with_entry("", "\"status\": 0"), "'status' needs 'rule' or 'if'"},
      {with_entry("\"if\": \"self.W > 1\"", "\"absent\": true"), "needs 'operator'"},
      {with_entry("\"operator\": \"replication_pad2d_backward\", \"if\": \"self.W > \"",
                  "\"absent\": true"),
       "x.json:3: entries[0].when.if: column 10 of \"self.W > \": expected a number or a name"},
      {with_entry("\"operator\": \"replication_pad2d_backward\", \"if\": \"kernelSize[0] > 1\"",
                  "\"absent\": true"),
       "replication_pad2d_backward has no such parameter 'kernelSize'; its parameters are "
       "gradInput, gradOutput"},
      {with_entry("\"data\": \"NaN\"", "\"absent\": true"), "only 'untested' may depend on data"},
      {with_entry("", "\"ties\": \"first\""), "'first' is not a value of this member"},
      {with_entry("", "\"phase2\": 507"), "'phase2' needs 'misuse', 'rule' or 'if'"},
  };
  for (const Bad& row : rows)
    EXPECT_NE(error_of(row.text).find(row.error), std::string::npos)
        << row.text << "\n"
        << error_of(row.text) << "\nlacks: " << row.error;
}

TEST(ProfileFile, EntriesThatContradictEachOtherAreNamed) {
  const std::string other =
      ",\n  {\"id\": \"b\", \"when\": {\"rule\": \"shape\"}, \"then\": {\"status\": 0}, "
      "\"reason\": "
      "\"r\",\n   \"source\": {\"repository\": \"r\", \"file\": \"f\", \"function\": \"g\"}}";
  const std::string error =
      error_of(with_entry("\"rule\": [\"shape\", \"rank\"]", "\"status\": 1", other));
  EXPECT_NE(error.find("x.json:6: entry 'b' contradicts entry 'a' (x.json:3)"), std::string::npos)
      << error;
  EXPECT_EQ(error_of(with_entry("\"rule\": \"rank\"", "\"status\": 1", other)), "no error");
  EXPECT_EQ(error_of(with_entry("\"rule\": \"shape\"", "\"status\": 0", other)), "no error");
  EXPECT_EQ(error_of(with_entry("", "\"coordinates\": \"FLOAT\"", other)), "no error");
}

TEST(ProfileFile, OneThatExtendsAnotherHasItsEntriesAndPromises) {
  const auto extending = [](const std::string& base, const std::string& more) {
    return "{\"profile\": \"p\", \"says\": \"s\", \"extends\": \"" + base + "\",\n" + more + "}";
  };
  const Profile mine =
      parse_profile(extending("cann", "\"promises\": [\"kernels\"], \"entries\": []"), "x.json");
  const Profile cann = find_profile("cann");
  EXPECT_TRUE(mine.promises("kernels"));
  EXPECT_FALSE(mine.promises("messages"));
  ASSERT_GT(cann.entries.size(), 10u);
  EXPECT_EQ(mine.entries.front().place(), "cann.json:" + std::to_string(cann.entries.front().line));
  EXPECT_TRUE(
      parse_profile(extending("gradproof", "\"entries\": []"), "x.json").promises("messages"));
  EXPECT_NE(error_of(extending("none", "\"entries\": []"))
                .find("x.json:1: extends: 'none' is not a shipped profile"),
            std::string::npos);
  // An entry of the same name, and one that says something else.
  std::string again = with_entry("\"rule\": \"alias\"", "\"status\": 1");
  again.insert(1, "\"extends\": \"cann\", ");
  EXPECT_NE(error_of(again).find("contradicts entry 'alias' (cann.json:"), std::string::npos)
      << error_of(again);
}

TEST(ProfileFile, ShippedOnesAreReadAndPromiseWhatTheySay) {
  for (const std::string_view name : shipped_profiles())
    EXPECT_EQ(find_profile(std::string(name)).name, name);
  EXPECT_TRUE(find_profile("gradproof").promises("messages"));
  EXPECT_TRUE(find_profile("cann").promised.empty());
  EXPECT_FALSE(find_profile("documented").promises("messages"));
  EXPECT_TRUE(find_profile("documented").promises(""));
  EXPECT_TRUE(find_profile("float-coordinates").promised.empty());
  EXPECT_FALSE(find_profile("documented").entries.empty());  // what it does not promise
  EXPECT_TRUE(find_profile("gradproof").entries.empty());
  EXPECT_THROW(find_profile("no-such-profile"), props::InputError);
}

bool holds(const std::string& condition, const ref::Call& call) {
  const ref::Operator op[] = {call.op};
  return Expression(condition, op).holds(call, "self");
}

TEST(Expression, RoundsProductsBeforeFloor) {
  const props::Case c = props::parse_case(
      "upsample_bilinear2d self=FLOAT[1,3,1,1]:NHWC outputSize=2,1 alignCorners=false "
      "scalesH=0.6666666666666666 scalesW=1.25 out=FLOAT[1,2,1,1]:NHWC");
  EXPECT_TRUE(holds("floor(self.H * scalesH) == 2", c.call));
  EXPECT_TRUE(holds("floor(self.W * scalesW) == 1", c.call));
}

TEST(Expression, SpeaksAboutTheCall) {
  const props::Case c = props::parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[2,3,6,7]:ND self=FLOAT[2,3,5,4]:ND "
      "padding=1,2,0,1 gradInput=FLOAT[2,3,5,4]:ND");
  for (const char* true_one :
       {"self.W == 4", "self.N * self.C == 6", "padding[0] + padding[1] == gradOutput.W - self.W",
        "len(padding) == 4 && self.rank == 4", "self[-1] == 4 && self[0] == 2", "!(self.H < 5)",
        "elements(self) == 120", "floor(7 / 2) == 3", "min(1, 2) == 1 && max(1, 2) == 2",
        "same(self, gradInput) && !same(self, gradOutput)",
        "least(padding) == 0 && most(self) == 5", "self.format == ND && self.dtype == FLOAT",
        "dense(self) && inside(self)", "argument.W == 4 && argument.H == 5",
        "padding[2] == 0 || padding[9] == 0", "7 % 4 == 3", "-padding[0] == -1"})
    EXPECT_TRUE(holds(true_one, c.call)) << true_one;
  for (const char* false_one :
       {"self.W == 5", "padding[4] == 0", "padding[-5] < 1", "self.D == 1",
        "self.W > 4 || self.H > 5", "self.format == NCHW", "self.dtype == BF16"})
    EXPECT_FALSE(holds(false_one, c.call)) << false_one;
  const ref::Operator op[] = {c.call.op};
  EXPECT_FALSE(Expression("argument.W == 4 || 1", op).holds(c.call));  // no rule is broken
  EXPECT_FALSE(Expression("argument.W == 4 || 1", op).holds(c.call, "padding"));
  props::Case moved = c;
  moved.call.tensors[1].offset = 1;
  EXPECT_FALSE(holds("inside(self)", moved.call));
  moved.call.tensors[1].offset = 3;
  moved.call.tensors[1].strides.back() = -1;
  EXPECT_TRUE(holds("inside(self) && !dense(self)", moved.call));
}

constexpr std::string_view kProperties[] = {"equivalence", "error-codes", "layout"};

TEST(KnownList, SilencesByOperatorKindAndPredicate) {
  const KnownList list = KnownList::parse(
      R"({"known": [{"kind": "values", "property": "equivalence",
        "when": {"operator": "replication_pad2d_backward", "dtype": "FLOAT16"}, "reason": "slow fix"}]})",
      "k.json", kProperties);
  props::Case c = props::parse_case(
      "replication_pad2d_backward gradOutput=FLOAT16[1,1,2,3]:ND self=FLOAT16[1,1,2,2]:ND "
      "padding=1,0,0,0 gradInput=FLOAT16[1,1,2,2]:ND");
  EXPECT_NE(list.find("values", "equivalence", c), nullptr);
  EXPECT_EQ(list.find("values", "layout", c), nullptr);
  EXPECT_EQ(list.find("repeat", "equivalence", c), nullptr);
  EXPECT_EQ(list.find("crash", "equivalence", c), nullptr);
  c.call.tensors[0].dtype = 0;
  EXPECT_EQ(list.find("values", "equivalence", c), nullptr);
}

TEST(KnownList, ReadsWhatItWrites) {
  const props::Case c = props::parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,1,2,4]:ND self=FLOAT[1,1,2,2]:ND "
      "padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND");
  const Known known =
      known_of("status shape", "error-codes", c, "phase 1 returned 0\nmore", {"ceil"});
  const KnownList list = KnownList::parse(to_json(std::vector{known}), "k.json", kProperties);
  ASSERT_EQ(list.list().size(), 1U);
  EXPECT_NE(list.find("status shape", "error-codes", c), nullptr);
  EXPECT_EQ(list.list()[0].reason, "phase 1 returned 0");
  EXPECT_TRUE(list.list()[0].features.empty()) << "a call that is refused has a rule";
}

TEST(KnownList, SilencesOnlyCasesThatHaveTheFeatures) {
  props::Case c = props::parse_case(
      "replication_pad2d_backward gradOutput=FLOAT16[1,1,2,3]:ND "
      "self=FLOAT16[1,1,2,2]:ND padding=1,0,0,0 gradInput=FLOAT16[1,1,2,2]:ND");
  const Known known =
      known_of("values", "equivalence", c, "wrong", {"FLOAT16", "padding-asymmetric", "rank 4"});
  const KnownList list = KnownList::parse(to_json(std::vector{known}), "k.json", kProperties);
  EXPECT_NE(list.find("values", "equivalence", c), nullptr);
  c.call.tensors[0].dtype = 0;
  EXPECT_EQ(list.find("values", "equivalence", c), nullptr);
}

TEST(KnownList, OneEntryIsAWrongResultWhicheverPropertyFindsIt) {
  const props::Case c = props::parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND "
      "padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND");
  const std::string finding = "gradInput differs in 1 of 4 values; the first:\n1";
  const Known known = known_of("sum", "layout", c, finding, {});
  EXPECT_EQ(known.reason, "gradInput differs in 1 of 4 values");
  const KnownList list = KnownList::parse(to_json(std::vector{known}), "k.json", kProperties);
  for (const char* kind : {"values", "sum", "transpose", "reach", "bits"})
    EXPECT_NE(list.find(kind, "equivalence", c), nullptr) << kind;
  for (const char* kind : {"repeat", "trespass", "crash", "position"})
    EXPECT_EQ(list.find(kind, "equivalence", c), nullptr) << kind;
}

TEST(KnownList, OneEntryIsALostProcessWhateverWasChecked) {
  const props::Case c = props::parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND "
      "padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND");
  const Known known = known_of("crash", "equivalence", c, "the process died", {});
  const KnownList list = KnownList::parse(to_json(std::vector{known}), "k.json", kProperties);
  EXPECT_NE(list.find("crash", "layout", c), nullptr);
  EXPECT_EQ(list.find("hang", "layout", c), nullptr);
}

TEST(KnownList, RefusesDamageToMemoryAndNamesThatDoNotExist) {
  const auto error = [](const std::string& kind, const std::string& when) -> std::string {
    try {
      KnownList::parse("{\"known\": [\n {\"kind\": \"" + kind + "\", \"when\": {" + when +
                           "}, \"reason\": \"r\"}]}",
                       "k.json", kProperties);
    } catch (const props::InputError& e) {
      return e.what();
    }
    return "no error";
  };
  const std::string op = "\"operator\": \"replication_pad2d\"";
  EXPECT_EQ(error("values", op), "no error");
  EXPECT_EQ(error("status kernel-value", op), "no error");
  EXPECT_EQ(error("crash", op), "no error");
  EXPECT_EQ(error("trespass", op),
            "k.json:2: known[0].kind: memory damage cannot be accepted as known");
  EXPECT_NE(error("sequence memory", op).find("damage"), std::string::npos);
  EXPECT_NE(error("value", op).find("k.json:2: known[0].kind: 'value' is not a kind of finding"),
            std::string::npos);
  EXPECT_NE(error("status kernel", op).find("k.json:2"), std::string::npos);
  EXPECT_NE(error("values", "").find("needs 'operator'"), std::string::npos);
}

}  // namespace
}  // namespace gradproof::profiles
