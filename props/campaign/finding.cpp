// Words for a failing case.
#include "props/campaign/finding.h"

#include <algorithm>
#include <cstdlib>

#include "props/cases/counted.h"
#include "props/profiles/finding_kinds.h"
#include "props/report/text.h"

namespace gradproof::campaign {
namespace {

std::vector<report::Provider> by_file(const std::vector<props::Provision::Provided>& provided) {
  std::vector<report::Provider> files;
  for (const auto& [op, file] : provided) {
    auto at = std::find_if(files.begin(), files.end(),
                           [&](const report::Provider& p) { return p.file == file; });
    if (at == files.end()) at = files.insert(at, report::Provider{file, {}});
    at->operators.emplace_back(ref::signature(op).stem);
  }
  return files;
}

/// Variables that are set and change what libgradproof returns: a library may call it. A kit makes
/// its calls in one conformance, so GRADPROOF_CONFORMANCE is left out.
std::vector<std::string> environment(const props::Provision& provision) {
  const bool by_kit = !provision.validation.empty();
  std::vector<std::string> set;
  for (const std::string name :
       {"GRADPROOF_CONFORMANCE", "GRADPROOF_SOC", "GRADPROOF_STRICT", "GRADPROOF_QUEUE_LIMIT"}) {
    if (by_kit && name == "GRADPROOF_CONFORMANCE") continue;
    const char* value = std::getenv(name.c_str());
    if (value != nullptr && *value != 0) set.push_back(name + "=" + value);
  }
  return set;
}

/// What the line `tested as` says behind the products: why there are no others.
std::string why_products(const Settings& settings, const profiles::Profile& profile,
                         const std::vector<ref::Product>& products,
                         const props::Provision& provision) {
  const bool selected = settings.selection.options.find(" --product") != std::string::npos;
  if (selected || products.empty() || products.size() == std::size(ref::kProducts)) return "";
  if (profile.promises("configuration")) {
    const char* const asked = std::getenv("GRADPROOF_SOC");
    return asked != nullptr && *asked != '\0' ? " only: GRADPROOF_SOC is set"
                                              : " only: the library supports no other product";
  }
  if (!provision.validation.empty()) return ", the product of the kit; GRADPROOF_SOC names another";
  const std::string from = provision.names_product ? ", the product that aclrtGetSocName returns"
                           : !settings.subject.assumed_product.empty()
                               ? ", the product of --assume-product"
                               : ", the default: the library has no aclrtGetSocName";
  return from + "; the profile " + profile.name +
         " does not promise `configuration`, so no other product was set";
}

}  // namespace

bool is_of_results(const Failure& failure) {
  return failure.property->runs && !failure.property->of_library && failure.test.sequence.empty() &&
         profiles::gravity_of(failure.verdict.kind) == profiles::Gravity::wrong_result;
}

Failure printed(const props::Case& c, const props::Property& during, const std::string& text) {
  return {props::find_property("quiet"), c,
          props::Verdict::violated("stdout", "the library writes to stdout: " + text), &during};
}

std::string repro_line(const Failure& failure, const Settings& settings) {
  return settings.repro_environment + "gradproof repro " +
         (failure.after ? report::shell_word(props::to_text(*failure.after)) + " " : "") +
         report::shell_word(props::to_text(failure.test)) + settings.repro_options +
         " --property " + std::string(failure.property->name);
}

std::string describe(const Failure& failure, const Settings& settings) {
  return "failed: " + std::string(failure.property->name) + " of " +
         std::string(ref::signature(failure.test.call.op).stem) + ": " +
         report::printable(failure.verdict.finding) + "\nrepro: " + repro_line(failure, settings) +
         "\n";
}

report::Check check_of(const props::Property& property, const props::Verdict& verdict,
                       double seconds) {
  return {property.name,
          verdict.held,
          verdict.kind,
          verdict.worst_fraction,
          property.name == "equivalence",
          seconds};
}

report::Failure summary(const Failure& failure, const Settings& settings) {
  report::Failure f;
  f.op = failure.test.call.op;
  f.property = failure.property->name;
  f.kind = failure.verdict.kind;
  f.symptom = failure.verdict.symptom;
  f.look = failure.verdict.look;
  f.count = 1;
  f.test = props::to_text(failure.test);
  f.finding = failure.verdict.finding;
  f.repro = repro_line(failure, settings);
  return f;
}

report::Question question(const Settings& settings, std::string_view command,
                          const profiles::Profile& profile,
                          const std::vector<ref::Product>& products,
                          const std::vector<ref::Operator>& operators,
                          const std::vector<const props::Property*>& properties,
                          const props::Provision& provision) {
  report::Question q;
  q.command = command;
  q.exec = settings.subject.command;
  for (const std::string& path : settings.subject.libraries)
    q.libraries.push_back(report::describe_library(path));
  for (const ref::Product product : products) q.products.emplace_back(ref::name(product));
  for (const ref::Operator op : operators) q.operators.emplace_back(ref::signature(op).stem);
  for (const props::Property* property : properties) q.properties.emplace_back(property->name);
  q.seed = settings.seed;
  q.cases = settings.cases;
  q.seconds = settings.cases > 0 ? 0 : settings.seconds;
  q.threads = settings.subject.threads;
  for (const ref::Operator op : named_operators(settings))
    q.selected_operators.emplace_back(ref::signature(op).stem);
  for (const props::Property* property : settings.properties) {
    const std::vector<const props::Property*>& by_pattern = settings.properties_by_pattern;
    if (std::find(by_pattern.begin(), by_pattern.end(), property) == by_pattern.end())
      q.selected_properties.emplace_back(property->name);
  }
  q.selection = settings.selection.options;
  q.phase1_only = settings.phase1_only;
  q.runtime = provision.runtime;
  for (const auto& [file, functions] : provision.other_runtime)
    q.runtime += ", " + props::counted(functions, "function") + " from " + file;
  q.conformance = provision.conformance;
  q.environment = environment(provision);
  q.validation = provision.validation;
  q.tensors = provision.tensors;
  if (provision.sets_float_mode)
    q.float_mode =
        "set by the library where it is loaded, as -ffast-math does; set back for the tests";
  q.providers = by_file(provision.operators);
  q.dependencies = by_file(provision.of_dependencies);
  q.profile = profile.name;
  q.why_products = why_products(settings, profile, products, provision);
  return q;
}

}  // namespace gradproof::campaign
