// gradproof reference: exact values and bounds for calls that come through a pipe (docs/pipe.md).
#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "props/cases/input_error.h"
#include "props/cli/options.h"
#include "props/judge/compare.h"
#include "props/profiles/use.h"
#include "props/subject/scatter.h"
#include "ref/bound.h"
#include "ref/element.h"
#include "ref/exact.h"
#include "ref/rules.h"

namespace gradproof::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A call that cannot be evaluated; the next call is still read.
struct NoSuchCall : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

std::string read(std::uint64_t size) {
  if (size > kMost) throw props::InputError("stdin: invalid length of a header or storage");
  std::string bytes(size, '\0');
  if (!std::cin.read(bytes.data(), static_cast<std::streamsize>(size)))
    throw props::InputError("stdin: unexpected end of input within a call");
  return bytes;
}

void write(const Json& header, std::span<const std::string> data = {}) {
  const std::string text = header.dump();
  for (std::size_t i = 0; i < 8; ++i) std::cout.put(static_cast<char>(text.size() >> 8 * i & 0xFF));
  std::cout << text;
  for (const std::string& bytes : data) std::cout << bytes;
  std::cout.flush();
}

/// The parameter's name in the C API: gradOutput for grad_output, indices for mask.
std::string api_name(const std::string& name) {
  if (name == "mask") return "indices";
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i)
    result += name[i] == '_' ? static_cast<char>(std::toupper(name[++i])) : name[i];
  return result;
}

/// A call with dense tensors in the order N, C, (D,) H, W, as the reference expects.
struct Evaluated {
  ref::Call call;
  std::vector<ref::Dense> data;  ///< at `result`, the values to check
  int result = 0;
};

ref::Tensor dense_tensor(std::int32_t dtype, std::vector<std::int64_t> shape) {
  ref::Tensor t;
  t.dtype = dtype;
  t.format = *ref::format_from_name(shape.size() == 5 ? "NCDHW" : "NCHW");
  t.strides = ref::contiguous_strides(shape);
  t.shape = t.storage = std::move(shape);
  return t;
}

/// Converts [N, ⌈C/16⌉, kH·kW, P, 2] to the C API's [N, C, kH·kW, 2P], whose first bytes are used.
ref::Dense mask(ref::Dense given, std::int64_t channels) {
  given.shape = {given.shape.at(0), channels, given.shape.at(2), given.shape.at(3) * 2};
  given.bytes.resize(
      static_cast<std::size_t>(given.shape[0] * channels * given.shape[2] * given.shape[3]));
  given.dtype = *ref::dtype_from_name("INT8");
  return given;
}

void add_tensor(Evaluated& e, const Json& described, const std::string& storage) {
  ref::Tensor view;
  const auto dtype = ref::dtype_from_name(described.at("type").get<std::string>());
  view.shape = described.at("shape").get<std::vector<std::int64_t>>();
  view.strides = described.at("strides").get<std::vector<std::int64_t>>();
  view.offset = described.at("offset").get<std::int64_t>();
  if (!dtype || view.strides.size() != view.shape.size() || view.offset < 0)
    throw NoSuchCall("invalid description of a tensor");
  view.dtype = *dtype;
  std::int64_t last = view.offset, count = 1;
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    if (view.shape[d] < 0 || view.strides[d] < 0) throw NoSuchCall("a shape or stride is negative");
    last += (view.shape[d] - 1) * view.strides[d];
    count *= view.shape[d];
  }
  const auto size = static_cast<std::size_t>(ref::dtype_size(*dtype));
  if (count > 0 && (static_cast<std::size_t>(last) + 1) * size > storage.size())
    throw NoSuchCall("a tensor is larger than its storage");
  const std::string name = described.at("name");
  const std::span<const ref::Parameter> parameters = ref::signature(e.call.op).parameters;
  if (std::none_of(parameters.begin(), parameters.end(), [&](const ref::Parameter& p) {
        return p.kind == ref::Kind::tensor && p.name == api_name(name);
      }))
    throw NoSuchCall("the operator has no tensor " + name);
  const int slot = ref::slot(e.call.op, api_name(name));
  ref::Dense dense = props::gather(view, reinterpret_cast<const std::byte*>(storage.data()));
  if (name == "mask") {
    if (dense.shape.size() != 5 || e.data[0].shape.size() != 4)
      throw NoSuchCall("a mask must have 5 dimensions and follow grad_output, which must have 4");
    dense = mask(std::move(dense), e.data[0].shape[1]);
  }
  e.call.tensors[slot] = dense_tensor(dense.dtype, dense.shape);
  e.data[slot] = std::move(dense);
  e.result = slot;
}

void add_parameters(Evaluated& e, const Json& given) {
  using Numbers = std::vector<std::int64_t>;
  const auto number = [&](const char* key) { return given.at(key).get<std::int64_t>(); };
  for (const ref::Parameter& p : ref::signature(e.call.op).parameters) {
    const std::string name(p.name);
    if (p.kind == ref::Kind::int_array) {
      Numbers& values = e.call.arrays[p.slot].values;
      if (name == "kernelSize") values = given.at("kernel_size").get<Numbers>();
      if (name == "stride" || name == "dilation") values = given.at(name).get<Numbers>();
      if (name == "padding" && given.contains("padding")) values = given["padding"].get<Numbers>();
      if (name == "padding") {  // of as many axes as there are
        for (const char* end : {"left", "right", "top", "bottom", "front", "back"})
          if (given.contains(end)) values.push_back(number(end));
      }
      if (name == "inputSize") values = e.call.tensors[e.result].shape;
      if (name == "outputSize") {
        const std::vector<std::int64_t>& shape = ref::tensor(e.call, "gradOut").shape;
        values.assign(shape.begin() + 2, shape.end());
      }
    } else if (p.kind == ref::Kind::flag) {
      e.call.flags[p.slot] =
          given.at(name == "ceilMode" ? "ceil_mode" : "align_corners").get<bool>();
    } else if (p.kind == ref::Kind::real) {
      e.call.reals[p.slot] = given.at(name == "scalesH" ? "scale_h" : "scale_w").get<double>();
    }
  }
  if (given.value("through_float16", false)) e.call.product = ref::Product::Ascend910;
}

Evaluated call_of(const Json& header, std::span<const std::string> storages) {
  Evaluated e;
  e.call.op = parse_operator(header.at("kernel"));
  if (!ref::is_backward(e.call.op)) throw NoSuchCall("the operator is not a gradient");
  std::array<std::size_t, 4> counts{};
  for (const ref::Parameter& p : ref::signature(e.call.op).parameters)
    ++counts[static_cast<std::size_t>(p.kind)];
  e.call.tensors.resize(counts[0]);
  e.call.arrays.resize(counts[1]);
  e.call.flags.resize(counts[2]);
  e.call.reals.resize(counts[3]);
  e.data.resize(counts[0]);
  for (std::size_t i = 0; i < storages.size(); ++i) {
    // Positions beside a mask repeat it.
    if (i > 0 && header["tensors"][i].at("name") == "indices" &&
        header["tensors"][i - 1].at("name") == "mask")
      continue;
    add_tensor(e, header["tensors"][i], storages[i]);
  }
  for (const ref::Parameter& p : ref::signature(e.call.op).parameters) {
    if (p.kind == ref::Kind::tensor && p.access == ref::Access::described)
      e.call.tensors[p.slot] = e.call.tensors[e.result];
  }
  add_parameters(e, header.at("parameters"));
  const ref::Expectation expected = ref::expect(e.call);
  if (expected.rule != nullptr)
    throw NoSuchCall("the call breaks rule " + std::string(expected.rule->id) + ": " +
                     expected.violation.argument + ": " + expected.violation.detail);
  return e;
}

/// What the profile that the call names says of its computation.
ref::Numerics numerics_by_profile(const Json& header, const Evaluated& e) {
  if (!header.contains("profile")) return {};
  try {
    const profiles::Use use(profiles::find_profile(header["profile"]));
    return use.terms(e.call, props::Misuse::none, &e.data).numerics;
  } catch (const props::InputError& wrong) {
    throw NoSuchCall(wrong.what());
  } catch (const profiles::Contradiction& wrong) {
    throw NoSuchCall(wrong.what());
  }
}

/// Writes the bounds of each number of the result, and whether it is within them.
void answer(const Evaluated& e, const ref::Numerics& numerics) {
  const ref::Evaluation evaluation(e.call, e.data, numerics);
  ref::BadIndex bad{};
  const ref::Dense& result = e.data[e.result];
  if (evaluation.has_bad_index(&bad)) {
    const std::vector<std::int64_t>& shape = result.shape;  // D, H and W are the last
    const std::int64_t positions =
        std::accumulate(shape.end() - 3, shape.end(), std::int64_t{1}, std::multiplies<>());
    throw NoSuchCall("indices contains " + std::to_string(bad.value) + " at position " +
                     std::to_string(bad.position) + ", which must be at least 0 and less than " +
                     std::to_string(positions));
  }
  const std::int64_t parts = ref::components(result.dtype);
  const std::int32_t real = ref::component_type(result.dtype);
  const ref::BoundSpec spec = props::bound_of(evaluation, e.result, numerics);
  const std::size_t elements = result.bytes.size() / ref::dtype_size(result.dtype);
  std::vector<double> exact(elements * parts), low(exact), high(exact);
  std::string right(elements, '\1');
  for (std::int64_t p = 0; p < evaluation.plane_count(e.result); ++p) {
    const ref::Plane plane = evaluation.plane(e.result, p);
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      const auto element = static_cast<std::size_t>(plane.first + index / parts * plane.step);
      const std::size_t at = element * parts + index % parts;
      // The bounds are computed only for a result that is not the nearest one; NaN never is.
      const ref::Judgement ends =
          judge(plane.values[i], std::numeric_limits<long double>::quiet_NaN(), spec);
      exact[at] = static_cast<double>(plane.values[i].value);
      low[at] = static_cast<double>(ends.low);
      high[at] = static_cast<double>(ends.high);
      const long double got = ref::load(result.bytes.data(), real, static_cast<std::int64_t>(at));
      if (!judge(plane.values[i], got, spec).right) right[element] = '\0';
    }
  }
  const auto raw = [](const std::vector<double>& numbers) {
    return std::string(reinterpret_cast<const char*>(numbers.data()),
                       numbers.size() * sizeof(double));
  };
  const std::array<std::string, 4> data = {raw(exact), raw(low), raw(high), right};
  Json tensors = Json::array();
  for (const char* name : {"exact", "low", "high", "right"}) {
    const std::string& bytes = data[tensors.size()];
    tensors.push_back({{"name", name},
                       {"type", name == std::string("right") ? "UINT8"
                                : parts == 2                 ? "COMPLEX128"
                                                             : "DOUBLE"},
                       {"shape", result.shape},
                       {"bytes", bytes.size()}});
  }
  write({{"tensors", tensors}}, data);
}

}  // namespace

int reference(const Options&) {
  while (std::cin.peek() != std::istream::traits_type::eof()) {
    const std::string first = read(8);
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(first[i]);
    const Json header = Json::parse(read(length), nullptr, /*allow_exceptions=*/false);
    if (!header.is_object() || !header.contains("tensors"))
      throw props::InputError("stdin: not a call as described in docs/pipe.md");
    std::vector<std::string> storages;
    for (const Json& tensor : header["tensors"]) storages.push_back(read(tensor.at("bytes")));
    try {
      const Evaluated call = call_of(header, storages);
      answer(call, numerics_by_profile(header, call));
    } catch (const NoSuchCall& e) {
      write({{"failed", e.what()}});
    } catch (const Json::exception& e) {
      write({{"failed", e.what()}});
    }
  }
  return kPassed;
}

}  // namespace gradproof::cli
