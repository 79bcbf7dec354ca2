// Reads catalogue.json.
#include "props/cli/catalogue.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "props/cases/input_error.h"
#include "props/cases/json_reason.h"
#include "props/cli/options.h"

namespace gradproof::cli {

std::vector<Fault> read_catalogue(const std::string& folder) {
  const std::string path = folder + "/catalogue.json";
  std::ifstream file(path);
  if (!file)
    throw props::InputError("cannot read " + path +
                            "; build the target `faulty`, which creates it");
  std::vector<Fault> faults;
  try {
    const nlohmann::json list = nlohmann::json::parse(file);
    for (const nlohmann::json& entry : list) {
      Fault fault;
      entry.at("name").get_to(fault.name);
      entry.at("tracker").get_to(fault.tracker);
      entry.at("defect").get_to(fault.defect);
      entry.at("operator").get_to(fault.op);
      entry.at("expected").get_to(fault.expected);
      entry.at("library").get_to(fault.library);
      entry.at("alone").get_to(fault.alone);
      entry.at("reason").get_to(fault.reason);
      fault.conformance = entry.value("conformance", "");
      const std::string elements = entry.at("elements");
      fault.elements = elements == "huge" ? props::kHuge : std::stoll(elements);
      if (!fault.library.starts_with('/')) fault.library = folder + "/" + fault.library;
      parse_operator(fault.op);
      faults.push_back(std::move(fault));
    }
  } catch (const std::exception& e) {
    throw props::InputError(path + ": entry " + std::to_string(faults.size()) + ": " +
                            props::json_reason(e.what()));
  }
  if (faults.empty()) throw props::InputError(path + ": contains no fault");
  return faults;
}

}  // namespace gradproof::cli
