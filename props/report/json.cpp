// Writes and reads report.json. docs/report-format.md describes its fields.
#include "props/report/json.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "props/cases/input_error.h"
#include "props/cases/json_reason.h"
#include "props/report/entries_text.h"
#include "props/report/sound.h"
#include "props/report/text.h"

namespace gradproof::report {
namespace {

using Json = nlohmann::ordered_json;

Json words(const std::vector<std::string>& list) {
  Json json = Json::array();
  for (const std::string& word : list) json.push_back(printable(word));
  return json;
}

Json providers(const std::vector<Provider>& list) {
  Json json = Json::array();
  for (const Provider& p : list)
    json.push_back({{"file", printable(p.file)}, {"operators", words(p.operators)}});
  return json;
}

Json question(const Question& q) {
  Json json = {{"command", q.command}, {"libraries", Json::array()}};
  for (const LibraryFile& file : q.libraries) {
    json["libraries"].push_back(
        {{"path", printable(file.path)}, {"bytes", file.bytes}, {"fingerprint", file.fingerprint}});
  }
  json["exec"] = printable(q.exec);
  json["products"] = words(q.products);
  json["why_products"] = printable(q.why_products);
  json["operators"] = words(q.operators);
  json["properties"] = words(q.properties);
  json["seed"] = q.seed;
  json["cases"] = q.cases;
  json["seconds"] = q.seconds;
  json["threads"] = q.threads;
  json["profile"] = q.profile;
  json["files"] = words(q.files);
  json["selected_operators"] = words(q.selected_operators);
  json["selected_properties"] = words(q.selected_properties);
  json["selection"] = printable(q.selection);
  json["phase1_only"] = q.phase1_only;
  json["runtime"] = printable(q.runtime);
  json["conformance"] = printable(q.conformance);
  json["environment"] = words(q.environment);
  json["validation"] = printable(q.validation);
  json["tensors"] = printable(q.tensors);
  json["float_mode"] = printable(q.float_mode);
  json["providers"] = providers(q.providers);
  json["dependencies"] = providers(q.dependencies);
  return json;
}

Json rule(const RuleCount& r) {
  const Sides total = r.total();
  Json json = {{"rule", r.rule},
               {"broken", total.broken},
               {"kept", total.kept},
               {"arguments", Json::array()}};
  for (const auto& [where, sides] : r.arguments) {
    json["arguments"].push_back({{"product", where.first},
                                 {"argument", where.second},
                                 {"broken", sides.broken},
                                 {"kept", sides.kept}});
  }
  return json;
}

Json of_operator(ref::Operator op, const OperatorReport& o) {
  Json json = {{"operator", ref::signature(op).stem},
               {"api", ref::signature(op).api},
               {"cases", o.cases},
               {"left_out", Json::object()},
               {"boundary_cases", o.boundary_cases},
               {"failures", o.failures},
               {"obstacle", printable(o.obstacle)},
               {"share", o.share},
               {"worst_error", o.worst()},
               {"errors", Json::array()},
               {"classes", o.classes},
               {"kernels", o.kernels},
               {"cells", o.points},
               {"declined_cells", o.declined},
               {"borders", o.borders},
               {"transitions", o.transitions},
               {"rules", Json::array()},
               {"properties", Json::array()}};
  for (const auto& [why, count] : o.left_out) json["left_out"][printable(why)] = count;
  for (const auto& [dtype, errors] : o.errors)
    json["errors"].push_back(
        {{"dtype", dtype}, {"worst", errors.worst}, {"case", errors.test}, {"bins", errors.bins}});
  for (const RuleCount& r : o.rules) json["rules"].push_back(rule(r));
  for (const auto& [name, count] : o.properties) {
    json["properties"].push_back({{"property", name},
                                  {"runs", count.runs},
                                  {"failed", count.failed},
                                  {"seconds", count.seconds},
                                  {"not_checked", count.not_checked},
                                  {"why", printable(count.why)}});
  }
  return json;
}

Json failure(const Failure& f) {
  Json also = Json::array();
  for (const AlsoFailed& other : f.also) {
    also.push_back({{"operator", ref::signature(other.op).stem},
                    {"property", other.property},
                    {"count", other.count}});
  }
  return {{"operator", ref::signature(f.op).stem},
          {"property", f.property},
          {"kind", printable(f.kind)},
          {"look", f.look},
          {"symptom", f.symptom},
          {"count", f.count},
          {"also", also},
          {"needed", words(f.needed)},
          {"in_common", words(f.in_common)},
          {"number", f.number},
          {"seconds", f.seconds},
          {"where", printable(f.where)},
          {"case", printable(f.test)},
          {"finding", printable(f.finding)},
          {"repro", printable(f.repro)},
          {"picture", printable(f.picture)},
          {"shrunk", f.shrunk},
          {"hints", words(f.hints)}};
}

/// Reading. Exceptions of nlohmann::json name the wrong key or type.
ref::Operator operator_named(const std::string& stem) {
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    if (ref::signature(static_cast<ref::Operator>(i)).stem == stem)
      return static_cast<ref::Operator>(i);
  }
  throw props::InputError("unknown operator '" + stem + "'");
}

std::vector<Provider> read_providers(const Json& json, const char* member) {
  std::vector<Provider> list;
  for (const Json& p : json.value(member, Json::array()))
    list.push_back({p.at("file"), p.at("operators").get<std::vector<std::string>>()});
  return list;
}

Question read_question(const Json& json) {
  Question q;
  q.command = json.at("command");
  for (const Json& file : json.at("libraries"))
    q.libraries.push_back({file.at("path"), file.at("bytes"), file.at("fingerprint")});
  q.products = json.at("products").get<std::vector<std::string>>();
  q.operators = json.at("operators").get<std::vector<std::string>>();
  q.properties = json.at("properties").get<std::vector<std::string>>();
  q.seed = json.at("seed");
  q.cases = json.at("cases");
  q.seconds = json.at("seconds");
  q.threads = json.at("threads");
  q.profile = json.at("profile");
  q.files = json.at("files").get<std::vector<std::string>>();
  // Reports written before 0.2 lack the rest.
  const std::vector<std::string> none;
  q.selected_operators = json.value("selected_operators", none);
  q.selected_properties = json.value("selected_properties", none);
  q.exec = json.value("exec", "");
  q.selection = json.value("selection", "");
  q.phase1_only = json.value("phase1_only", false);
  q.runtime = json.value("runtime", "");
  q.conformance = json.value("conformance", "");
  q.environment = json.value("environment", none);
  q.validation = json.value("validation", "");
  q.tensors = json.value("tensors", "");
  q.float_mode = json.value("float_mode", "");
  q.providers = read_providers(json, "providers");
  q.dependencies = read_providers(json, "dependencies");
  q.why_products = json.value("why_products", "");
  return q;
}

OperatorReport read_operator(const Json& json) {
  OperatorReport o;
  o.cases = json.at("cases");
  o.boundary_cases = json.at("boundary_cases");
  o.failures = json.at("failures");
  o.left_out = json.value("left_out", o.left_out);  // since 0.3, as the next one
  o.obstacle = json.value("obstacle", "");
  o.share = json.value("share", 0.0);
  for (const Json& e : json.at("errors")) {
    Distribution& errors = o.errors[e.at("dtype")];
    errors.worst = e.at("worst");
    errors.test = e.value("case", "");
    errors.bins = e.at("bins").get<decltype(errors.bins)>();
  }
  o.classes = json.at("classes").get<decltype(o.classes)>();
  o.kernels = json.value("kernels", o.kernels);  // 0.1 did not write them
  o.points = json.at("cells").get<decltype(o.points)>();
  o.declined = json.value("declined_cells", o.declined);
  o.borders = json.at("borders").get<decltype(o.borders)>();
  // Reports written before sequences existed lack it.
  o.transitions = json.value("transitions", decltype(o.transitions){});
  for (const Json& r : json.at("rules")) {
    RuleCount& count = o.rule(r.at("rule").get<std::string>());
    for (const Json& a : r.at("arguments")) {
      count.arguments[{a.at("product"), a.at("argument")}] = {a.at("broken"), a.at("kept")};
    }
  }
  for (const Json& p : json.at("properties"))
    o.properties[p.at("property")] = {p.at("runs"), p.at("failed"), p.at("seconds"),
                                      p.value("not_checked", std::uint64_t{0}), p.value("why", "")};
  return o;
}

Failure read_failure(const Json& json) {
  Failure f{operator_named(json.at("operator")),
            json.at("property"),
            json.at("kind"),
            json.at("count"),
            json.at("number"),
            json.at("where"),
            json.at("case"),
            json.at("finding"),
            json.at("repro"),
            json.at("picture")};
  // Format 1 lacks these.
  f.shrunk = json.value("shrunk", true);
  f.look = json.value("look", "");
  f.symptom = json.value("symptom", "");
  f.seconds = json.value("seconds", 0.0);
  f.in_common = json.value("in_common", f.in_common);
  f.needed = json.value("needed", f.in_common);
  f.hints = json.value("hints", f.hints);
  for (const Json& other : json.value("also", Json::array()))
    f.also.push_back(
        {operator_named(other.at("operator")), other.at("property"), other.at("count")});
  return f;
}

/// Gives a report of format 1 the names of format 2.
void rename_format_1(Json& json) {
  const auto rename = [](Json& object) { object["boundary_cases"] = object.at("attacks"); };
  rename(json.at("totals"));
  for (Json& o : json.at("operators")) rename(o);
}

Report read(Json json) {
  const int format = json.at("format");
  if (format < 1 || format > kFormat) {
    throw props::InputError("format " + std::to_string(format) +
                            " is not supported; this program reads 1 to " +
                            std::to_string(kFormat));
  }
  if (format == 1) rename_format_1(json);
  demand_counts(json);
  Report report;
  report.question = read_question(json.at("question"));
  report.shards = json.at("shards");
  report.replayed = json.value("replayed", std::uint64_t{0});
  for (const Json& p : json.at("parts")) {
    report.parts.push_back({p.at("shard"), p.at("started"), p.at("seconds"), p.at("cases"),
                            p.at("failures"), p.at("interrupted"), p.at("swept")});
  }
  for (const Json& o : json.at("operators"))
    report.operators[operator_named(o.at("operator"))] = read_operator(o);
  for (const Json& f : json.at("failures")) report.failures.push_back(read_failure(f));
  for (const Json& s : json.at("slowest")) {
    report.slowest.push_back(
        {s.at("seconds"), operator_named(s.at("operator")), s.at("property"), s.at("case")});
  }
  report.entries = entries_from_json(json.at("entries"));
  for (const Json& f : json.at("files")) {
    report.files.push_back({f.at("file"), f.at("cases"), f.at("failed"), f.at("skipped"),
                            f.at("worst_error"), f.at("seconds"),
                            f.value("untested", std::vector<std::string>{})});
  }
  demand_sums(report);
  demand_totals(report, json.at("totals"));
  return report;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json = {{"format", kFormat},
               {"gradproof", GRADPROOF_VERSION},
               {"verdict", name(report.result())},
               {"question", question(report.question)},
               {"totals",
                {{"cases", report.cases()},
                 {"boundary_cases", report.boundary_cases()},
                 {"checks", report.checks()},
                 {"failures", report.failed()},
                 {"kinds", report.failures.size()},
                 {"seconds", report.seconds()},
                 {"interrupted", report.interrupted()}}},
               {"replayed", report.replayed},
               {"shards", report.shards},
               {"parts", Json::array()},
               {"operators", Json::array()},
               {"failures", Json::array()},
               {"slowest", Json::array()},
               {"files", Json::array()},
               {"entries", entries_to_json(report.entries)}};
  for (const Part& p : report.parts) {
    json["parts"].push_back({{"shard", p.shard},
                             {"started", p.started},
                             {"seconds", p.seconds},
                             {"cases", p.cases},
                             {"failures", p.failures},
                             {"interrupted", p.interrupted},
                             {"swept", p.swept}});
  }
  for (const auto& [op, o] : report.operators) json["operators"].push_back(of_operator(op, o));
  for (const Failure& f : report.failures) json["failures"].push_back(failure(f));
  for (const SlowCheck& s : report.slowest) {
    json["slowest"].push_back({{"seconds", s.seconds},
                               {"operator", ref::signature(s.op).stem},
                               {"property", s.property},
                               {"case", s.test}});
  }
  for (const FileCount& f : report.files) {
    json["files"].push_back({{"file", printable(f.file)},
                             {"cases", f.cases},
                             {"failed", f.failed},
                             {"skipped", f.skipped},
                             {"worst_error", f.worst},
                             {"seconds", f.seconds},
                             {"untested", words(f.untested)}});
  }
  return json.dump(1) + "\n";
}

Report from_json(const std::string& text, const std::string& path) {
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    throw props::InputError(path +
                            ": not a report.json of gradproof: " + props::json_reason(e.what()));
  } catch (const props::InputError& e) {
    throw props::InputError(path + ": " + e.what());
  }
}

Report read_report(const std::string& path) {
  const std::string file = std::filesystem::is_directory(path)
                               ? (std::filesystem::path(path) / "report.json").string()
                               : path;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw props::InputError(file + ": cannot be read");
  return from_json(text.str(), file);
}

}  // namespace gradproof::report
