// The functions around the operators, for libraries that follow this project's headers and emulate
// several products. Hardware behaves differently.
#include "props/services/services.h"

#include <utility>

#include "props/properties/environment.h"
#include "props/properties/property.h"
#include "props/services/probe.h"

namespace gradproof::props {
namespace {

/// Whether the library changes its product with aclInit's file.
bool ours(Session& session) {
  const ref::Product product = session.product();
  const auto other =
      product == ref::Product::Ascend910B ? ref::Product::Ascend910_93 : ref::Product::Ascend910B;
  const int threads = session.threads();
  const bool changes = session.select(other, threads);
  session.select(product, threads);
  return changes;
}

Verdict not_ours() {
  return Verdict::not_checked("aclInit's file does not change the product of the library");
}

Verdict answered(std::string_view group, const std::string& finding) {
  if (finding.empty()) return {};
  return Verdict::violated(std::string(group), std::string(group) + ": " + finding);
}

}  // namespace

bool services_apply(const Case& c) { return is_plain(c); }

Verdict check_services(const Case& c, Bench& bench) {
  if (!ours(bench.session)) return not_ours();
  const Library& library = bench.session.library();
  const std::pair<std::string_view, std::string (*)(const Library&)> groups[] = {
      {"memory", ask_memory},   {"descriptors", ask_descriptors}, {"lists", ask_lists},
      {"device", ask_device},   {"streams", ask_streams},         {"work in hand", ask_busy},
      {"numbers", ask_numbers}, {"allocator", ask_allocator},     {"options", ask_options}};
  for (const auto& [name, ask] : groups) {
    if (Verdict verdict = answered(name, ask(library)); !verdict.held) return verdict;
  }
  if (Verdict v = answered("log", ask_log(bench.session, c)); !v.held) return v;
  if (Verdict v = answered("statistics", ask_statistics(bench.session, c)); !v.held) return v;
  if (Verdict v = answered("kernels", ask_kernels(bench.session, c.call)); !v.held) return v;
  return answered("kernel of the program", ask_own_kernel(library, c));
}

Verdict check_configuration(const Case& c, Bench& bench) {
  if (!ours(bench.session)) return not_ours();
  if (Verdict v = answered("configuration", ask_configuration(bench.session, c.call)); !v.held)
    return v;
  if (bench.promises("messages") && bench.session.library().api().recent_error != nullptr) {
    if (Verdict v = answered("configuration", ask_environment_messages(bench.session, c.call));
        !v.held)
      return v;
  }
  const Diagnostics promised{bench.promises("trace"), bench.promises("strict-mode")};
  if (Verdict v = answered("diagnosis", ask_diagnosis(bench.session, promised)); !v.held) return v;
  return answered("observation", ask_observation(bench.session, c, promised));
}

Verdict check_process(const Case& c, Bench& bench) {
  const Library& library = bench.session.library();
  if (Verdict v = answered("process", ask_process(library)); !v.held) return v;
  if (bench.promises("quiet-threads")) {
    if (Verdict v = answered("threads", ask_quiet_threads(library)); !v.held) return v;
  }
  return answered("full queues", ask_full_queues(library, c));
}

}  // namespace gradproof::props
