// Reads the table of configurations.
#include "bench/configuration.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "props/cases/input_error.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::bench {
namespace {

using Json = nlohmann::json;
using Extents = std::vector<std::int64_t>;

const std::map<std::string, Layout> kLayouts = {{"contiguous", Layout::contiguous},
                                                {"channels_last", Layout::channels_last},
                                                {"row_gaps", Layout::row_gaps},
                                                {"gaps", Layout::gaps},
                                                {"mixed", Layout::mixed}};
const std::map<std::string, Caches> kCaches = {{"flushed", Caches::flushed},
                                               {"warm", Caches::warm}};

template <class Value>
Value word(const std::map<std::string, Value>& words, const std::string& given) {
  const auto found = words.find(given);
  if (found == words.end()) throw props::InputError("'" + given + "' means nothing here");
  return found->second;
}

ref::Operator operator_of(const std::string& stem) {
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const auto op = static_cast<ref::Operator>(i);
    if (ref::signature(op).stem == stem && ref::is_backward(op)) return op;
  }
  throw props::InputError("'" + stem + "' is no gradient");
}

Configuration read_row(const Json& row) {
  static const std::vector<std::string> keys = {"name",          "network", "operator", "input",
                                                "output",        "kernel",  "stride",   "padding",
                                                "align_corners", "layout",  "caches",   "types"};
  for (const auto& [key, value] : row.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw props::InputError("unknown key '" + key + "'");
  }
  Configuration c;
  c.name = row.at("name");
  c.network = row.at("network");
  c.op = operator_of(row.at("operator"));
  c.input = row.at("input").get<Extents>();
  c.output = row.value("output", Extents());
  c.kernel = row.value("kernel", Extents());
  c.stride = row.value("stride", Extents());
  c.padding = row.value("padding", Extents());
  c.align_corners = row.value("align_corners", false);
  c.layout = word(kLayouts, row.value("layout", "contiguous"));
  if (c.layout == Layout::mixed && c.op == ref::Operator::upsample_bilinear2d_backward)
    throw props::InputError("the layout 'mixed' is not for upsampling");
  c.caches = word(kCaches, row.value("caches", "flushed"));
  for (const std::string& type : row.value("types", std::vector<std::string>())) {
    const std::optional<std::int32_t> dtype = ref::dtype_from_name(type);
    if (!dtype) throw props::InputError("'" + type + "' is no type");
    c.types.push_back(*dtype);
  }
  if (c.types.empty()) c.types = default_types(c.op);
  return c;
}

}  // namespace

bool Configuration::is_view() const {
  const bool has_format = op == ref::Operator::upsample_bilinear2d_backward;
  return layout != Layout::contiguous && !(has_format && layout == Layout::channels_last);
}

std::vector<std::int32_t> default_types(ref::Operator op) {
  if (op == ref::Operator::replication_pad2d_backward) return {ref::kFloat, ref::kFloat16};
  return {ref::kFloat, ref::kBf16, ref::kFloat16};
}

std::vector<Configuration> read_configurations(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw props::InputError(path + ": cannot be read");
  std::string at;
  try {
    std::vector<Configuration> table;
    const Json document = Json::parse(file);
    for (const char* list : {"configurations", "sizes", "tiny"}) {
      for (const Json& row : document.value(list, Json::array())) {
        at = ": " + row.value("name", "a row without a name");
        table.push_back(read_row(row));
        table.back().size = std::string_view(list) == "sizes";
        table.back().tiny = std::string_view(list) == "tiny";
      }
    }
    return table;
  } catch (const Json::exception& error) {
    throw props::InputError(path + at + ": " + error.what());
  } catch (const props::InputError& error) {
    throw props::InputError(path + at + ": " + error.what());
  }
}

}  // namespace gradproof::bench
