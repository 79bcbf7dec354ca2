// Reads the member `when`, and writes one.
#include <nlohmann/json.hpp>

#include "props/cases/input_error.h"
#include "props/profiles/predicate.h"
#include "props/profiles/words.h"
#include "ref/element.h"

namespace gradproof::profiles {
namespace {

constexpr std::string_view kMembers[] = {"operator", "product", "rule", "argument",
                                         "dtype",    "format",  "rank", "layout",
                                         "data",     "misuse",  "if"};

/// Reads the list `member`, whose words are the names of an enumeration's values in order.
template <class E>
void enumerators(const Words& words, const Value& object, const char* member,
                 const std::string& what, std::span<const std::string_view> known,
                 std::vector<E>& into) {
  const Value* value = object.find(member);
  if (value == nullptr) return;
  for (const Value* item : words.list(*value))
    into.push_back(static_cast<E>(words.one_of(*item, what, known)));
}

/// Reads the list `member` of names, kept as texts.
void names(const Words& words, const Value& object, const char* member, const std::string& what,
           const std::vector<std::string_view>& known, std::vector<std::string>& into) {
  const Value* value = object.find(member);
  if (value == nullptr) return;
  for (const Value* item : words.list(*value))
    into.emplace_back(known[words.one_of(*item, what, known)]);
}

using FromName = std::optional<std::int32_t> (*)(std::string_view);
void numbers(const Words& words, const Value& object, const char* member, const std::string& what,
             FromName from_name, std::vector<std::int32_t>& into) {
  const Value* value = object.find(member);
  if (value == nullptr) return;
  for (const Value* item : words.list(*value)) {
    const std::optional<std::int32_t> number = from_name(words.text(*item));
    if (!number) words.fail(*item, "'" + item->text + "' is not " + what);
    into.push_back(*number);
  }
}

template <class T, class Name>
void put(nlohmann::ordered_json& json, const char* member, const std::vector<T>& list,
         const Name& name) {
  if (list.size() == 1) json[member] = name(list.front());
  for (std::size_t i = 0; list.size() > 1 && i < list.size(); ++i)
    json[member].push_back(name(list[i]));
}

}  // namespace

std::span<const std::string_view> predicate_members() { return kMembers; }

Predicate parse_predicate(const Value& object, const std::string& file) {
  const Words words(file);
  words.members(object, kMembers, {});
  Predicate p;
  enumerators(words, object, "operator", "the stem of an operator", operator_names(), p.operators);
  enumerators(words, object, "product", "a product", product_names(), p.products);
  names(words, object, "rule", "a rule", rule_names(), p.rules);
  names(words, object, "argument", "a parameter", argument_names(), p.arguments);
  numbers(words, object, "dtype", "an element type", ref::dtype_from_name, p.dtypes);
  numbers(words, object, "format", "a format", ref::format_from_name, p.formats);
  enumerators(words, object, "layout", "a layout", kLayouts, p.layouts);
  enumerators(words, object, "data", "a sort of data", kData, p.data);
  enumerators(words, object, "misuse", "a misuse", misuse_names(), p.misuses);
  if (const Value* ranks = object.find("rank")) {
    for (const Value* item : words.list(*ranks)) p.ranks.push_back(words.whole(*item));
  }
  if (const Value* condition = object.find("if")) {
    if (p.operators.empty())
      words.fail(*condition, "needs 'operator', because it names parameters");
    try {
      p.condition.emplace(words.text(*condition), p.operators);
    } catch (const props::InputError& e) {
      words.fail(*condition, e.what());
    }
  }
  return p;
}

std::string to_json(const Predicate& p) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  const auto same = [](const auto& value) { return value; };
  put(json, "operator", p.operators, [](ref::Operator op) { return ref::signature(op).stem; });
  put(json, "product", p.products, [](ref::Product product) { return ref::name(product); });
  put(json, "rule", p.rules, same);
  put(json, "argument", p.arguments, same);
  put(json, "dtype", p.dtypes, [](std::int32_t dtype) { return ref::dtype_name(dtype); });
  put(json, "format", p.formats, [](std::int32_t format) { return ref::format_name(format); });
  put(json, "rank", p.ranks, same);
  put(json, "layout", p.layouts, [](Shape s) { return kLayouts[static_cast<std::size_t>(s)]; });
  put(json, "data", p.data, [](Datum d) { return kData[static_cast<std::size_t>(d)]; });
  put(json, "misuse", p.misuses, [](props::Misuse m) { return props::name(m); });
  if (p.condition) json["if"] = p.condition->text();
  return json.dump();
}

}  // namespace gradproof::profiles
