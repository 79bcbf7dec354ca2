// Reads CANN's ATK case lists. See atk.h.
#include "props/cases/text/atk.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "props/cases/hash.h"
#include "props/cases/json_reason.h"
#include "props/cases/shapes.h"
#include "props/cases/text/text_error.h"
#include "ref/rules.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using nlohmann::json;

/// One case of the list; every look-up names file, case and field when it fails.
class AtkCase {
 public:
  AtkCase(std::string where, const json& object) : where_(std::move(where)), object_(object) {
    if (!object_.is_object()) fail("expected an object");
    const json& inputs = member(object_, "inputs", "inputs");
    if (!inputs.is_array()) fail("inputs: expected an array");
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(where_ + ": " + message);
  }

  ref::Operator op() const {
    const json& value = member(object_, "aclnn_name", "aclnn_name");
    if (!value.is_string()) fail("aclnn_name: expected a string");
    const std::string text = value.get<std::string>();
    for (int i = 0; i < ref::kOperatorCount; ++i) {
      const auto candidate = static_cast<ref::Operator>(i);
      if (!ref::is_backward(candidate)) continue;
      const std::string_view api = ref::signature(candidate).api;
      if (text == api || text == api.substr(5)) return candidate;  // with and without "aclnn"
    }
    fail("aclnn_name: " + show(text) + " is none of the gradients");
  }

  /// An input that is one object.
  const json& input(const char* name) const {
    for (const json& item : object_["inputs"]) {
      if (item.is_object() && item.value("name", json()) == name) return item;
    }
    fail(std::string("input '") + name + "' is missing");
  }

  /// The numbers of an input that is an array of objects, one a number.
  std::vector<std::int64_t> ints(const char* name, std::size_t count) const {
    for (const json& item : object_["inputs"]) {
      if (!item.is_array() || item.empty() || !item[0].is_object() ||
          item[0].value("name", json()) != name)
        continue;
      if (item.size() != count) {
        fail(std::string(name) + ": expected " + std::to_string(count) + " numbers, found " +
             std::to_string(item.size()));
      }
      std::vector<std::int64_t> values;
      for (const json& element : item) {
        if (!element.is_object()) fail(std::string(name) + ": expected objects");
        values.push_back(integer(member(element, "range_values", name), name));
      }
      return values;
    }
    fail(std::string("input '") + name + "' is missing");
  }

  bool flag(const char* name) const {
    const json& value = member(input(name), "range_values", name);
    if (!value.is_boolean()) fail(std::string(name) + ": range_values: expected true or false");
    return value.get<bool>();
  }

  std::vector<std::int64_t> shape(const char* name) const {
    const json& value = member(input(name), "shape", name);
    if (!value.is_array() || value.empty() || value.size() > 8)
      fail(std::string(name) + ": shape: expected 1 to 8 extents");
    std::vector<std::int64_t> extents;
    for (const json& extent : value) {
      extents.push_back(integer(extent, name));
      if (extents.back() < 0) fail(std::string(name) + ": shape: negative extent");
    }
    if (!element_count(extents)) fail(std::string(name) + ": shape: too many elements");
    return extents;
  }

  std::int32_t dtype(const char* name) const {
    static constexpr std::pair<std::string_view, std::int32_t> kNames[] = {
        {"fp32", ref::kFloat},          {"fp16", ref::kFloat16},
        {"bf16", ref::kBf16},           {"fp64", ref::kDouble},
        {"complex64", ref::kComplex64}, {"complex128", ref::kComplex128},
        {"int32", ref::kInt32},         {"int8", ref::kInt8}};
    const json& value = member(input(name), "dtype", name);
    if (value.is_string()) {
      for (const auto& [word, number] : kNames) {
        if (value.get_ref<const std::string&>() == word) return number;
      }
    }
    fail(std::string(name) +
         ": dtype: expected fp32, fp16, bf16, fp64, complex64, complex128, int32 or int8, got " +
         shown(value));
  }

  /// An interval, a constant, or a normal distribution, whose mean and deviation are drawn from
  /// `random`.
  Fill fill(const char* name, const Stream& random) const {
    const json& value = member(input(name), "range_values", name);
    if (value.is_number() || (value.is_array() && value.size() == 1)) {
      return {Fill::Kind::constant, real(value.is_array() ? value[0] : value, name), 0};
    }
    if (value.is_array() && value.size() == 2) {
      return {Fill::Kind::uniform, real(value[0], name), real(value[1], name)};
    }
    if (value.is_object() && value.value("name", json()) == "nd") {
      return {Fill::Kind::normal, within(value, "mean", name, random.at(0)),
              within(value, "std", name, random.at(1))};
    }
    fail(std::string(name) +
         ": range_values: expected [a, b], a number, [\"inf\"], [\"-inf\"], [\"nan\"] or a normal "
         "distribution, got " +
         shown(value));
  }

 private:
  const json& member(const json& object, const char* key, const char* field) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(std::string(field) + ": '" + key + "' is missing");
    return *found;
  }

  static std::string shown(const json& value) {
    return show(value.dump(-1, ' ', true, json::error_handler_t::replace));
  }

  std::int64_t integer(const json& value, const char* field) const {
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <=
                           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    if (!fits) fail(std::string(field) + ": expected a whole number, got " + shown(value));
    return value.get<std::int64_t>();
  }

  double real(const json& value, const char* field) const {
    if (value.is_number()) return value.get<double>();
    if (value == "inf") return std::numeric_limits<double>::infinity();
    if (value == "-inf") return -std::numeric_limits<double>::infinity();
    if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
    fail(std::string(field) +
         ": range_values: expected a number, \"inf\", \"-inf\" or \"nan\", got " + shown(value));
  }

  /// A number from the interval under `key`, in steps that print shortly.
  double within(const json& value, const char* key, const char* field, std::uint64_t random) const {
    const json& interval = member(value, key, field);
    if (!interval.is_array() || interval.size() != 2)
      fail(std::string(field) + ": " + key + ": expected [a, b]");
    const double a = real(interval[0], field), b = real(interval[1], field);
    return a + (b - a) * (static_cast<double>(random >> 56) / 256);
  }

  std::string where_;
  const json& object_;
};

/// What the lists call a parameter.
std::string listed_name(ref::Operator op, std::string_view parameter) {
  for (const AtkName& name : family(op).atk_names) {
    if (name.ours == parameter) return std::string(name.theirs);
  }
  return std::string(parameter);
}

/// Int arrays and flags. Conforming divides by what these must be: positive.
void read_parameters(const AtkCase& atk, ref::Call& call) {
  const auto parameters = ref::signature(call.op).parameters;
  for (const ref::Parameter& p : parameters) {
    if (p.kind != ref::Kind::int_array || p.name == "inputSize") continue;  // follows from shapes
    call.arrays[p.slot].values =
        atk.ints(listed_name(call.op, p.name).c_str(),
                 static_cast<std::size_t>(accepted_lengths(call.op, p.name).back()));
  }
  for (const char* array : {"kernelSize", "stride", "outputSize"}) {
    if (!has_parameter(call.op, array)) continue;
    for (const std::int64_t value : ref::int_array(call, array).values) {
      if (value < 1) atk.fail(listed_name(call.op, array) + ": not positive");
    }
  }
  for (const ref::Parameter& p : parameters) {
    if (p.kind == ref::Kind::flag)
      call.flags[p.slot] = atk.flag(listed_name(call.op, p.name).c_str());
  }
}

Case to_case(const AtkCase& atk, std::uint64_t seed) {
  const ref::Operator op = atk.op();
  Case c = blank_case(op);
  c.seed = seed;
  ref::Call& call = c.call;
  const std::string small = listed_name(op, traits(op).inputs.front()),
                    given = listed_name(op, traits(op).output);
  const std::vector<std::int64_t> shape = atk.shape(small.c_str());
  const std::int32_t dtype = atk.dtype(given.c_str());
  if (shape.size() < static_cast<std::size_t>(spatial_axes(op)) + 1)
    atk.fail(small + ": shape: rank too low");
  for (int slot = 0; slot < static_cast<int>(call.tensors.size()); ++slot) {
    ref::Tensor& t = call.tensors[slot];
    t.dtype = slot == indices_slot(op) ? indices_dtype(op) : dtype;
    t.format = family(op).atk_format(static_cast<int>(shape.size()));
    reshape(t, shape);
  }

  const int output = output_side(op), input = input_side(op).front();
  c.fills[output] = atk.fill(given.c_str(), Stream(seed, output));
  read_parameters(atk, call);
  const bool both_listed = small != given;
  if (both_listed) {
    c.fills[input] = atk.fill(small.c_str(), Stream(seed, input));
    reshape(call.tensors[output], atk.shape(given.c_str()));
    if (call.tensors[output].shape.size() != shape.size())
      atk.fail(given + ": shape: its rank is not " + small + "'s");
  }
  // The listed shape of gradOutput must be the one that follows from the parameters.
  const std::vector<std::int64_t> listed = call.tensors[output].shape;
  if (!conform(call)) atk.fail("the parameters leave no output");
  if (both_listed && call.tensors[output].shape != listed)
    atk.fail(given + ": shape: does not follow from " + small + " and the parameters");
  const ref::Expectation expected = ref::expect(call);
  if (expected.rule != nullptr) {
    atk.fail(expected.violation.argument + ": " + std::string(expected.rule->id) + ": " +
             expected.violation.detail);
  }
  return c;
}

/// Line and column of a byte, from 1.
std::string place(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

std::vector<NamedCase> read_atk(const std::string& path, std::string_view text) {
  json list;
  try {
    list = json::parse(text);
  } catch (const json::parse_error& e) {
    throw InputError(path + ":" + place(text, e.byte) +
                     ": not JSON: " + placed_json_reason(e.what()));
  } catch (const json::exception& e) {  // a number that a double cannot hold; no place is known
    throw InputError(path + ": " + json_reason(e.what()));
  }
  if (!list.is_array()) throw InputError(path + ":1:1: expected an array of ATK cases");
  std::vector<NamedCase> cases;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const json id = list[i].is_object() ? list[i].value("id", json()) : json();
    const bool known = id.is_number_unsigned();
    const std::string where =
        path + ": case " + (known ? id.dump() : "number " + std::to_string(i));
    cases.push_back(
        {to_case(AtkCase(where, list[i]), known ? id.get<std::uint64_t>() : i), where, {}});
  }
  return cases;
}

}  // namespace gradproof::props
