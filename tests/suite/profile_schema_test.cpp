// docs/profile.schema.json says what the reader of profiles takes, no more and no less; the pages
// list its promises.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <sstream>

#include "props/cases/input_error.h"
#include "props/profiles/profile.h"
#include "props/profiles/words.h"

namespace gradproof::profiles {
namespace {

using Json = nlohmann::json;
using Set = std::set<std::string>;

const Json& schema() {
  static const Json json = Json::parse(std::ifstream(PROFILE_SCHEMA));
  return json;
}

/// Members of an object of the schema.
Set members(const Json& object) {
  Set names;
  for (const auto& [name, value] : object.at("properties").items()) names.insert(name);
  return names;
}

/// All words that a value may be, alone or in a list.
Set words(const Json& value) {
  Set all;
  if (value.contains("const") && value.at("const").is_string()) all.insert(value.at("const"));
  if (value.contains("enum")) all.insert(value.at("enum").begin(), value.at("enum").end());
  if (value.contains("items")) all.merge(words(value.at("items")));
  if (value.contains("oneOf")) {
    for (const Json& one : value.at("oneOf")) all.merge(words(one));
  }
  return all;
}

bool allows(const Json& value, const char* type) {
  if (value.value("type", "") == type) return true;
  if (!value.contains("oneOf")) return false;
  const Json& any = value.at("oneOf");
  return std::any_of(any.begin(), any.end(), [&](const Json& one) { return allows(one, type); });
}

Set set_of(std::span<const std::string_view> list) { return {list.begin(), list.end()}; }

TEST(ProfileSchema, HasTheKindsOfTheReaderAndTheirValues) {
  const Json& then = schema().at("$defs").at("then");
  Set names;
  for (const KindRow& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    names.emplace(kind.name);
    ASSERT_TRUE(then.at("properties").contains(kind.name));
    const Json& value = then.at("properties").at(std::string(kind.name));
    EXPECT_EQ(words(value), set_of(kind.words));
    EXPECT_EQ(allows(value, "integer"), kind.number);
    EXPECT_EQ(allows(value, "array"), kind.list);
    EXPECT_EQ(value == Json({{"const", true}}), kind.flag);
  }
  EXPECT_EQ(members(then), names);
}

TEST(ProfileSchema, HasTheNamesOfTheReader) {
  const Json& when = schema().at("$defs").at("when");
  EXPECT_EQ(members(when), set_of(predicate_members()));
  const Json& of = when.at("properties");
  EXPECT_EQ(words(of.at("operator")), set_of(operator_names()));
  EXPECT_EQ(words(of.at("product")), set_of(product_names()));
  EXPECT_EQ(words(of.at("layout")), set_of(kLayouts));
  EXPECT_EQ(words(of.at("data")), set_of(kData));
  Set promised = {"all"};
  for (const Promise& promise : promises()) promised.emplace(promise.name);
  EXPECT_EQ(words(schema().at("properties").at("promises")), promised);
  EXPECT_EQ(words(schema().at("properties").at("extends")), set_of(shipped_profiles()));
}

/// What the reader says to a file that has every member which the schema names.
TEST(ProfileSchema, HasTheMembersOfTheReader) {
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      parse_profile(text, "x.json");
    } catch (const props::InputError& e) {
      return e.what();
    }
    return "";
  };
  const Set of_file = members(schema());
  EXPECT_EQ(of_file, (Set{"$schema", "profile", "says", "extends", "promises", "entries"}));
  const Json& item = schema().at("properties").at("entries").at("items");
  EXPECT_EQ(members(item), (Set{"id", "when", "then", "reason", "source", "varies", "over"}));
  EXPECT_EQ(error_of(R"({"$schema": "s", "profile": "p", "says": "s", "promises": [], "entries": [
      {"id": "a", "when": {}, "then": {"untested": true}, "reason": "r", "varies": true, "over": ["a"],
       "source": {"repository": "r", "file": "f", "function": "g"}}]})"),
            "");
  for (const Json& required : item.at("required")) {
    const auto name = required.get<std::string>();
    Json entry = {{"id", "a"},
                  {"when", Json::object()},
                  {"then", {{"untested", true}}},
                  {"reason", "r"},
                  {"source", {{"repository", "r"}, {"file", "f"}, {"function", "g"}}}};
    entry.erase(name);
    const Json file = {{"profile", "p"}, {"says", "s"}, {"entries", Json::array({entry})}};
    EXPECT_NE(error_of(file.dump()).find("needs '" + name + "'"), std::string::npos) << name;
  }
}

/// The contract marks what goes beyond the operators' documents with the promises of the reader.
TEST(Pages, ListAllPromises) {
  for (const char* page : {"contract.md", "profile-format.md"}) {
    SCOPED_TRACE(page);
    std::stringstream text;
    text << std::ifstream(std::string(PAGES) + '/' + page).rdbuf();
    ASSERT_FALSE(text.str().empty());
    for (const Promise& promise : promises()) {
      const std::string name = '`' + std::string(promise.name) + '`';
      EXPECT_NE(text.str().find(name), std::string::npos) << name;
    }
  }
}

}  // namespace
}  // namespace gradproof::profiles
