// Kinds of findings: each that the suite has is in the table.
#include "props/profiles/finding_kinds.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "props/profiles/known.h"

namespace gradproof::profiles {
namespace {

/// What stands in quotes after each `before`, if `after` follows the quotes.
void collect(const std::string& text, const std::string& before, const std::string& after,
             std::set<std::string>& kinds) {
  for (std::size_t at = 0; (at = text.find(before, at)) != text.npos;) {
    at = text.find_first_not_of(" \n", at + before.size());
    if (at == text.npos || text[at] != '"') continue;
    const std::size_t end = text.find('"', at + 1);
    if (text.compare(end + 1, after.size(), after) == 0)
      kinds.insert(text.substr(at + 1, end - at - 1));
  }
}

/// The kinds that the sources of the suite name: in verdicts, and as groups of questions.
std::set<std::string> kinds_of_the_sources() {
  std::set<std::string> kinds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PROPS)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    collect(text, "violated(", "", kinds);
    collect(text, "{", ", [&] { return ask_", kinds);
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

TEST(FindingKinds, AreExplained) {
  std::ifstream file(PAGES "/report-format.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const std::string_view kind : kinds_of_one_word())
    EXPECT_NE(page.find('`' + std::string(kind) + '`'), std::string::npos) << kind;
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
