// Writes the files of a campaign.
#include "bench/write.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/machine.h"
#include "props/cases/input_error.h"
#include "ref/element.h"

namespace gradproof::bench {
namespace {

using Json = nlohmann::ordered_json;

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw props::InputError(path.string() + ": cannot be written");
}

Json to_json(const Result& result) {
  Json timings = Json::object();
  for (const Timing& timing : result.timings) {
    Json& one = timings[timing.name];
    one = {{"median", timing.median()},
           {"quartiles", {timing.lower_quartile(), timing.upper_quartile()}},
           {"samples", timing.seconds.size()}};
    if (!timing.remark.empty()) one["remark"] = timing.remark;
    if (timing.wrong) one["wrong"] = true;
  }
  return {{"configuration", result.configuration.name},
          {"network", result.configuration.network},
          {"type", ref::dtype_name(result.type)},
          {"threads", result.threads},
          {"caches", result.configuration.caches == Caches::flushed ? "flushed" : "warm"},
          {"bytes", result.bytes},
          {"additions", result.additions},
          {"kernel", result.kernel},
          {"seconds", timings}};
}

}  // namespace

void write_results(const std::string& folder, const std::vector<Result>& results,
                   const std::string& command) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path into = folder;
  Json document = {{"command", command}, {"machine", Json::object()}, {"results", Json::array()}};
  std::string text = command + "\n\n";
  for (const auto& [name, value] : machine()) {
    document["machine"][name] = value;
    text += name + ": " + value + "\n";
  }
  for (const Result& result : results) document["results"].push_back(to_json(result));
  write(into / "results.json", document.dump(1) + "\n");
  write(into / "table.txt", text + "\n" + table(results));
  for (const auto& [name, svg] : plots(results)) write(into / name, svg);
}

}  // namespace gradproof::bench
