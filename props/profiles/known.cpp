// Reads, matches and writes lists of known findings.
#include "props/profiles/known.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "props/cases/input_error.h"
#include "props/cases/listed.h"
#include "props/profiles/finding_kinds.h"
#include "props/profiles/words.h"
#include "ref/rules.h"

namespace gradproof::profiles {
namespace {

/// Whether a finding of this kind is what an entry of that kind is about.
bool stands_for(std::string_view entry, std::string_view kind) {
  if (entry == kind) return true;
  // Wrong results also differ from each other.
  return entry == "values" && (is_of_values(kind) || kind == "bits");
}

Known read_entry(const Words& words, const Value& value, const std::string& file,
                 std::span<const std::string_view> properties) {
  static constexpr std::string_view kMembers[] = {"kind", "property", "when", "features", "reason"};
  words.members(value, kMembers, {"kind", "when", "reason"});
  Known known;
  known.line = value.line;
  const Value& kind = *value.find("kind");
  known.kind = words.text(kind);
  if (is_damage(known.kind)) words.fail(kind, "memory damage cannot be accepted as known");
  if (!is_kind(known.kind)) words.one_of(kind, "a kind of finding", kinds_of_one_word());
  if (const Value* property = value.find("property"))
    known.property = properties[words.one_of(*property, "a property", properties)];
  const Value& when = *value.find("when");
  known.when = parse_predicate(when, file);
  if (known.when.operators.empty()) words.fail(when, "needs 'operator'");
  if (!known.when.data.empty()) words.fail(when, "'data' is allowed only in profiles");
  if (const Value* features = value.find("features")) {
    std::vector<std::string> names;
    for (const ref::Operator op : known.when.operators) {
      for (std::string& name : props::all_features(op)) names.push_back(std::move(name));
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    for (const Value* feature : words.list(*features))
      known.features.insert(names[words.one_of(*feature, "a feature", views)]);
  }
  known.reason = words.text(*value.find("reason"));
  return known;
}

}  // namespace

KnownList KnownList::parse(std::string_view text, const std::string& file,
                           std::span<const std::string_view> properties) {
  const Words words(file);
  const Value root = parse_json(text, file);
  static constexpr std::string_view kMembers[] = {"$schema", "known"};
  words.members(root, kMembers, {"known"});
  const Value& entries = *root.find("known");
  if (entries.kind != Value::Kind::array) words.fail(entries, "must be a list");
  KnownList list;
  for (const Value& entry : entries.items)
    list.list_.push_back(read_entry(words, entry, file, properties));
  return list;
}

KnownList KnownList::read(const std::string& file, std::span<const std::string_view> properties) {
  std::ifstream in(file);
  if (!in) throw props::InputError(file + ": cannot be read");
  return parse(std::string{std::istreambuf_iterator<char>(in), {}}, file, properties);
}

const Known* KnownList::find(std::string_view kind, std::string_view property,
                             const props::Case& c) const {
  if (is_damage(kind)) return nullptr;
  const auto found = std::find_if(list_.begin(), list_.end(), [&](const Known& known) {
    return stands_for(known.kind, kind) && (known.property.empty() || known.property == property) &&
           known.when.holds(c.call, c.misuse) &&
           (known.features.empty() || props::has_all(props::features(c), known.features));
  });
  return found == list_.end() ? nullptr : &*found;
}

Known known_of(std::string_view kind, std::string_view property, const props::Case& c,
               std::string_view finding, const props::Features& features) {
  Known known;
  // The other properties that a wrong result fails would be findings of their own.
  const bool values = is_of_values(kind);
  known.kind = values ? "values" : kind;
  if (!values && !is_loss(kind)) known.property = property;
  known.when.operators = {c.call.op};
  const ref::Expectation expected = ref::expect(c.call);
  if (expected.rule != nullptr) {
    known.when.rules = {std::string(expected.rule->id)};
    if (!expected.violation.argument.empty()) known.when.arguments = {expected.violation.argument};
  } else {
    known.when.rules = {"none"};
    if (c.sequence.empty()) known.features = features;
    if (c.misuse != props::Misuse::none) known.when.misuses = {c.misuse};
  }
  known.reason = finding.substr(0, std::min(finding.find('\n'), finding.find("; the first:")));
  return known;
}

std::string Known::calls() const {
  std::vector<std::string_view> operators;
  for (const ref::Operator op : when.operators) operators.push_back(ref::signature(op).stem);
  std::string text = props::listed(operators);
  for (const std::string& feature : features)
    text += (feature == *features.begin() ? " with " : ", ") + feature;
  if (!property.empty()) text += " (property " + property + ")";
  return text;
}

bool Known::silences_as(const Known& other) const {
  return kind == other.kind && property == other.property && features == other.features &&
         to_json(when) == to_json(other.when);
}

std::string to_json(const std::vector<Known>& list) {
  nlohmann::ordered_json known = nlohmann::ordered_json::array();
  for (const Known& entry : list) {
    nlohmann::ordered_json json;
    json["kind"] = entry.kind;
    if (!entry.property.empty()) json["property"] = entry.property;
    json["when"] = nlohmann::ordered_json::parse(to_json(entry.when));
    if (!entry.features.empty()) json["features"] = entry.features;
    json["reason"] = entry.reason;
    known.push_back(std::move(json));
  }
  return nlohmann::ordered_json{{"known", known}}.dump(2, ' ', false,
                                                       nlohmann::json::error_handler_t::replace) +
         "\n";
}

}  // namespace gradproof::profiles
