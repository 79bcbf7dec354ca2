// Causes and examples as JSON, in which a job tells them to the process that joins all jobs.
#include <nlohmann/json.hpp>

#include "props/campaign/causes.h"

namespace gradproof::campaign {
namespace {

/// What another process is told of a cause, by name.
template <class Cause, class Visit>
void each_member(Cause& cause, const Visit& visit) {
  visit("operator", cause.op);
  visit("property", cause.property);
  visit("kind", cause.kind);
  visit("look", cause.look);
  visit("small", cause.small);
  visit("needed", cause.needed);
  visit("common", cause.common);
  visit("from_examples", cause.from_examples);
  visit("others", cause.others);
  visit("plainly", cause.plainly);
  visit("entries", cause.entries);
  visit("of_strides", cause.of_strides);
  visit("unneeded", cause.unneeded);
  visit("symptom", cause.symptom);
  visit("calls", cause.calls);
}

}  // namespace

nlohmann::json Causes::to_json() const {
  nlohmann::json causes = nlohmann::json::array(), examples = nlohmann::json::array();
  for (const Cause& one : all_) {
    nlohmann::json& json = causes.emplace_back();
    each_member(one, [&](const char* name, const auto& member) { json[name] = member; });
  }
  for (const auto& [of, judged] : examples_)
    examples.push_back({of.first, of.second, judged.to_json()});
  return {{"causes", causes}, {"examples", examples}};
}

void Causes::add(const nlohmann::json& told) {
  for (const nlohmann::json& json : told.at("causes")) {
    each_member(all_.emplace_back(),
                [&](const char* name, auto& member) { member = json.value(name, member); });
  }
  for (const nlohmann::json& judged : told.at("examples"))
    examples_[{judged.at(0), judged.at(1)}].add(judged.at(2));
}

}  // namespace gradproof::campaign
