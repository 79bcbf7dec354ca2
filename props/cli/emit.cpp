// gradproof emit: collects what a stand-alone program of a case needs.
#include "props/cli/emit.h"

#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>

#include "props/cases/data/data.h"
#include "props/cases/input_error.h"
#include "props/cases/shapes.h"
#include "props/cases/text/shown.h"
#include "props/cli/options.h"
#include "props/judge/compare.h"
#include "props/profiles/use.h"
#include "props/properties/property.h"
#include "ref/bound.h"
#include "ref/element.h"
#include "ref/rules.h"

namespace gradproof::cli {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 18;
constexpr std::int32_t kBadIndex = 507035;  ///< aclrtSynchronizeStream after one

std::vector<double> values_of(const ref::Dense& dense) {
  const std::int32_t type = ref::component_type(dense.dtype);
  const std::size_t count = dense.bytes.size() / ref::dtype_size(type);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(
        static_cast<double>(ref::load(dense.bytes.data(), type, static_cast<std::int64_t>(i))));
  return values;
}

EmittedOutput output_of(const ref::Evaluation& evaluation, const ref::Call& call, int slot,
                        const ref::Numerics& numerics) {
  const ref::Tensor& tensor = call.tensors[static_cast<std::size_t>(slot)];
  const std::int64_t parts = ref::components(tensor.dtype);
  const auto count = static_cast<std::size_t>(props::element_count(tensor) * parts);
  const ref::BoundSpec spec = props::bound_of(evaluation, slot, numerics);
  EmittedOutput output{slot, std::vector<double>(count), std::vector<double>(count),
                       std::vector<double>(count), std::vector<int>(count)};
  constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
  constexpr long double kNaN = std::numeric_limits<long double>::quiet_NaN();
  for (std::int64_t p = 0; p < evaluation.plane_count(slot); ++p) {
    const ref::Plane plane = evaluation.plane(slot, p);
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      const auto at = static_cast<std::size_t>((plane.first + index / parts * plane.step) * parts +
                                               index % parts);
      const ref::Exact& exact = plane.values[i];
      // The bounds are computed only for a result that is not the nearest one; NaN never is.
      const ref::Judgement ends = judge(exact, kNaN, spec);
      output.exact[at] = static_cast<double>(exact.value);
      output.low[at] = static_cast<double>(ends.low);
      output.high[at] = static_cast<double>(ends.high);
      output.also[at] = (judge(exact, -kInfinity, spec).right ? 1 : 0) +
                        (judge(exact, kInfinity, spec).right ? 2 : 0) + (ends.right ? 4 : 0);
    }
  }
  return output;
}

/// What the profile says of the call. Throws InputError where it leaves open what is right.
profiles::Terms terms_of(const profiles::Use& use, const ref::Call& call,
                         const std::vector<ref::Dense>* data) {
  try {
    use.admit(call, props::Misuse::none, data);
  } catch (const profiles::NotJudged& reason) {
    throw props::InputError("a program cannot tell right from wrong here: " + reason.why);
  }
  profiles::Terms terms = use.terms(call, props::Misuse::none, data);
  const ref::Numerics& numerics = terms.numerics;
  if (props::indices_slot(call.op) >= 0 && !ref::is_backward(call.op) &&
      (numerics.ties == ref::Winner::any || numerics.nans == ref::Winner::any))
    throw props::InputError("profile " + use.profile().name +
                            " leaves open which of several maxima is reported");
  return terms;
}

std::string number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  char shorter[40];
  std::snprintf(shorter, sizeof shorter, "%.9g", value);
  return std::strtod(shorter, nullptr) == value ? shorter : text;
}

}  // namespace

std::string numbers(const std::vector<double>& values, bool python, std::size_t indent) {
  constexpr std::size_t kWidth = 96;
  std::string text(1, python ? '[' : '{'), line;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string one = number(values[i]) + (i + 1 < values.size() ? "," : "");
    if (!line.empty() && indent + line.size() + 1 + one.size() > kWidth) {
      text += line + '\n' + std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + one;
  }
  return text + line + (python ? ']' : '}');
}

std::string quoted_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return result + '"';
}

std::string tensors_of_block(const Emitted& e, int block) {
  std::string names;
  for (std::size_t slot = 0; slot < e.test.call.tensors.size(); ++slot) {
    const ref::Tensor& t = e.test.call.tensors[slot];
    if (t.null || e.layout.allocation[slot] != block) continue;
    names += (names.empty() ? "" : ", ") +
             std::string(props::tensor_name(e.test.call.op, static_cast<int>(slot)));
  }
  return names;
}

Emitted emitted(const std::string& line, const std::string& profile_word) {
  props::Shown shown;
  Emitted e;
  e.test = props::parse_case(line, shown);
  e.line = props::to_text(e.test);
  const ref::Call& call = e.test.call;
  if (!e.test.sequence.empty() || e.test.misuse != props::Misuse::none) {
    throw props::InputError(
        "emit supports only single, correct calls; this case misuses phase 2 or is a sequence "
        "of calls: use `gradproof repro`");
  }
  const props::Property* const property = props::find_property(shown.property);
  if (property != nullptr && !props::judges_one_call(*property)) {
    throw props::InputError(
        "emit writes the case's own call, compared with the reference; property " + shown.property +
        " checks something else: use `gradproof repro`, or leave property=" + shown.property +
        " out");
  }
  const profiles::Use use(
      profiles::find_profile(profile_word.empty() ? "documented" : profile_word));
  const ref::Expectation expected = ref::expect(call);
  const profiles::Terms refusal = terms_of(use, call, nullptr);
  e.phase1 = use.profile().entries.empty() ? expected.status : refusal.status;
  e.layout = props::layout_of(call);
  e.values.resize(call.tensors.size());
  if (e.phase1 != 0) {
    e.rule = refusal.answer != nullptr
                 ? profiles::named(*refusal.answer, use.profile())
                 : std::string(expected.rule->id) + ": " + expected.violation.argument + ": " +
                       expected.violation.detail;
    return e;
  }
  if (expected.rule != nullptr)
    throw props::InputError("emit supports only calls that break no rule; profile " +
                            use.profile().name +
                            " says that the library accepts this one: use `gradproof repro`");
  if (const std::string why = props::obstacle(e.test, kMostBytes); !why.empty())
    throw props::InputError("the case is too large for a readable program: " + why);
  const std::vector<ref::Dense> data = props::make_data(e.test);
  for (std::size_t slot = 0; slot < data.size(); ++slot) {
    if (props::access_of(call.op, static_cast<int>(slot)) == ref::Access::read)
      e.values[slot] = values_of(data[slot]);
  }
  e.runs = true;
  const profiles::Terms terms = terms_of(use, call, &data);
  const ref::Evaluation evaluation(call, data, terms.numerics);
  ref::BadIndex bad{};
  if (ref::Evaluation(call, data).has_bad_index(&bad)) {
    const profiles::Entry* const entry = terms.out_of_range;
    e.sync = entry != nullptr ? static_cast<std::int32_t>(entry->number) : kBadIndex;
    e.rule = "indices contains " + std::to_string(bad.value) + " at position " +
             std::to_string(bad.position);
    return e;
  }
  for (const int slot : evaluation.outputs())
    e.outputs.push_back(output_of(evaluation, call, slot, terms.numerics));
  return e;
}

int emit(const Options& options) {
  const Emitted e = emitted(options.words.at(0), options.profile_word);
  if (options.python)
    print_python(std::cout, e);
  else
    print_cpp(std::cout, e);
  return kPassed;
}

}  // namespace gradproof::cli
