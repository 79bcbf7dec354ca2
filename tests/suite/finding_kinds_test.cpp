// Kinds of findings: each that the suite has is in the table.
#include "props/profiles/finding_kinds.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "props/profiles/known.h"

namespace gradproof::profiles {
namespace {

/// The kinds that the sources of the suite name: in verdicts, and as groups of questions.
std::set<std::string> kinds_of_the_sources() {
  const std::regex name(R"re(violated\(\s*"([^"]*)"|\{"([a-z ]+)", \[&\] \{ return ask_)re");
  std::set<std::string> kinds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PROPS)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i)
      kinds.insert((*i)[1].matched ? (*i)[1] : (*i)[2]);
  }
  return kinds;
}

TEST(FindingKinds, HaveThoseThatTheSuiteNames) {
  const std::set<std::string> kinds = kinds_of_the_sources();
  EXPECT_GT(kinds.size(), 50u);
  for (const std::string& kind : kinds) {
    const bool begins_a_compound = kind.ends_with(' ');  // "misuse " + its name
    EXPECT_TRUE(begins_a_compound || is_kind(kind)) << kind;
  }
}

TEST(FindingKinds, CanBeSilencedUnlessMemoryIsDamaged) {
  for (const std::string_view kind : kinds_of_one_word()) {
    const auto list = [&] {
      return KnownList::parse(
          R"({"known": [{"kind": ")" + std::string(kind) +
              R"(", "when": {"operator": "replication_pad2d"}, "reason": "r"}]})",
          "k.json", {});
    };
    if (is_damage(kind))
      EXPECT_ANY_THROW(list()) << kind;
    else
      EXPECT_EQ(list().list().size(), 1u) << kind;
  }
}

TEST(FindingKinds, HaveAGravity) {
  EXPECT_EQ(gravity_of("trespass"), Gravity::memory);
  EXPECT_EQ(gravity_of("memory"), Gravity::other);  // a status of aclrtMalloc
  EXPECT_EQ(gravity_of("version"), Gravity::other);
  EXPECT_EQ(gravity_of("bits"), Gravity::wrong_result);
  EXPECT_EQ(gravity_of("status kernel-value"), Gravity::wrong_status);
  EXPECT_EQ(gravity_of("sequence synchronise"), Gravity::other);
  EXPECT_EQ(gravity_of("sequence values"), Gravity::wrong_result);
  EXPECT_EQ(gravity_of("of another version"), Gravity::wrong_result);
  EXPECT_EQ(name(Gravity::memory), "memory or crash");
}

}  // namespace
}  // namespace gradproof::profiles
