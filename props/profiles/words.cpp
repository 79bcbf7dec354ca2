// Checks of JSON members, and the lists of names.
#include "props/profiles/words.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "props/cases/text/text_error.h"
#include "ref/rules.h"

namespace gradproof::profiles {

void Words::members(const Value& object, std::span<const std::string_view> known,
                    std::initializer_list<std::string_view> needed) const {
  if (object.kind != Value::Kind::object) fail(object, "must be an object");
  for (const Value& member : object.members) {
    Value at = member;
    at.kind = Value::Kind::text;
    at.text = member.name;
    one_of(at, "a known member", known);
  }
  for (const std::string_view name : needed) {
    if (object.find(name) == nullptr) fail(object, "needs '" + std::string(name) + "'");
  }
}

const std::string& Words::text(const Value& value) const {
  if (value.kind != Value::Kind::text || value.text.empty())
    fail(value, "must be a non-empty string");
  return value.text;
}

bool Words::flag(const Value& value) const {
  if (value.kind != Value::Kind::boolean) fail(value, "must be true or false");
  return value.boolean;
}

std::int64_t Words::whole(const Value& value) const {
  if (value.kind != Value::Kind::number || value.number != std::floor(value.number) ||
      std::fabs(value.number) > 1e15)
    fail(value, "must be a whole number");
  return static_cast<std::int64_t>(value.number);
}

std::size_t Words::one_of(const Value& value, const std::string& what,
                          std::span<const std::string_view> known) const {
  const std::string& word = text(value);
  const auto found = std::find(known.begin(), known.end(), word);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  try {
    props::fail_unknown({word, 1}, what, known);
  } catch (const props::TextError& error) {
    fail(value, error.message);
  }
}

std::vector<const Value*> Words::list(const Value& value) const {
  std::vector<const Value*> items;
  if (value.kind != Value::Kind::array) return {&value};
  if (value.items.empty()) fail(value, "must not be an empty list");
  for (const Value& item : value.items) items.push_back(&item);
  return items;
}

std::vector<std::string_view> operator_names() {
  std::vector<std::string_view> names;
  for (int i = 0; i < ref::kOperatorCount; ++i)
    names.push_back(ref::signature(static_cast<ref::Operator>(i)).stem);
  return names;
}

std::vector<std::string_view> product_names() {
  std::vector<std::string_view> names;
  for (int i = 0; i < ref::kProductCount; ++i)
    names.push_back(ref::name(static_cast<ref::Product>(i)));
  return names;
}

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> names = {"none"};
  for (const ref::Rule& rule : ref::rules()) names.push_back(rule.id);
  return names;
}

std::vector<std::string_view> argument_names() {
  std::set<std::string_view> names = {"workspaceSize", "executor"};
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    for (const ref::Parameter& p : ref::signature(static_cast<ref::Operator>(i)).parameters)
      names.insert(p.name);
  }
  return {names.begin(), names.end()};
}

std::vector<std::string_view> misuse_names() {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(props::Misuse::dead_stream); ++i)
    names.push_back(props::name(static_cast<props::Misuse>(i)));
  return names;
}

}  // namespace gradproof::profiles
