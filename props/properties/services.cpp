// The functions around the operators, for libraries that follow this project's headers and emulate
// several products. Hardware behaves differently.
#include "props/services/services.h"

#include <functional>
#include <vector>

#include "props/properties/environment.h"
#include "props/properties/property.h"
#include "props/services/answers.h"
#include "props/services/probe.h"
#include "props/subject/memory.h"

namespace gradproof::props {
namespace {

ref::Product other_product(const Session& session) {
  return session.product() == ref::Product::Ascend910B ? ref::Product::Ascend910_93
                                                       : ref::Product::Ascend910B;
}

/// Whether the library changes its product with aclInit's file.
bool ours(Session& session) {
  const ref::Product product = session.product(), other = other_product(session);
  const int threads = session.threads();
  const bool changes = session.select(other, threads);
  session.select(product, threads);
  return changes;
}

Verdict not_ours() {
  return Verdict::not_checked("aclInit's file does not change the product of the library");
}

/// Questions of one group, asked if the library promises what they are about.
struct Group {
  std::string_view name;
  std::function<std::string()> ask;
  bool promised = true;
};

/// The first finding of some groups. A library that lacks a function is not asked about its group.
Verdict answered(const std::vector<Group>& groups) {
  for (const Group& group : groups) {
    if (!group.promised) continue;
    std::string finding;
    try {
      finding = group.ask();
    } catch (const Missing&) {
      continue;
    } catch (const SubjectFailure& failure) {
      finding = failure.what();
    }
    if (!finding.empty())
      return Verdict::violated(std::string(group.name), std::string(group.name) + ": " + finding);
  }
  return {};
}

}  // namespace

bool services_apply(const Case& c) { return is_plain(c); }

Verdict check_services(const Case& c, Bench& bench) {
  if (!ours(bench.session)) return not_ours();
  Session& session = bench.session;
  const Library& library = session.library();
  Verdict verdict =
      answered({{"version", [&] { return ask_version(library); }},
                {"operator library", [&] { return ask_operator_library(library); }},
                {"memory", [&] { return ask_memory(library); }},
                {"descriptors", [&] { return ask_descriptors(library); }},
                {"arguments", [&] { return ask_arguments(library, c); }},
                {"lists", [&] { return ask_lists(library); }},
                {"device", [&] { return ask_device(library); }},
                {"streams", [&] { return ask_streams(library); }},
                {"work in hand", [&] { return ask_busy(library); }},
                {"shared stream", [&] { return ask_shared_stream(library); }},
                {"workspace", [&] { return ask_shared_workspace(library, c); }},
                {"moved result", [&] { return ask_moved_result(library, c); }},
                {"numbers", [&] { return ask_numbers(library); }},
                {"allocator", [&] { return ask_allocator(library); }},
                {"options", [&] { return ask_options(library); }},
                {"options", [&] { return ask_cann_memory(library, c.call.product); }},
                {"log", [&] { return ask_log(session, c); }},
                {"statistics", [&] { return ask_statistics(session, c); }},
                {"kernels", [&] { return ask_kernels(session, c); }},
                {"kernel of the program", [&] { return ask_own_kernel(library, c); }}});
  // Threads of some questions set the device and do not reset it. A new start forgets these calls.
  if (verdict.held) (void)ours(session);
  return verdict;
}

Verdict check_configuration(const Case& c, Bench& bench) {
  Session& session = bench.session;
  if (!ours(session)) {  // a file that is refused throws
    if (session.library().api().get_soc_name == nullptr) return not_ours();
    return Verdict::violated("configuration", "configuration: aclInit accepts a file that names " +
                                                  std::string(ref::name(other_product(session))) +
                                                  ", and aclrtGetSocName still reports " +
                                                  std::string(ref::name(session.product())));
  }
  const Diagnostics promised{bench.promises("trace"), bench.promises("strict-mode")};
  const bool messages =
      bench.promises("messages") && session.library().api().recent_error != nullptr;
  return answered(
      {{"configuration", [&] { return ask_configuration(session, c.call); }},
       {"configuration", [&] { return ask_environment_messages(session, c.call); }, messages},
       {"diagnosis", [&] { return ask_diagnosis(session, promised); }},
       {"observation", [&] { return ask_observation(session, c, promised); }}});
}

Verdict check_process(const Case& c, Bench& bench) {
  const Library& library = bench.session.library();
  return answered(
      {{"process", [&] { return ask_process(library); }},
       {"threads", [&] { return ask_quiet_threads(library); }, bench.promises("quiet-threads")},
       {"process", [&] { return ask_work_at_exit(library); }, bench.promises("host-memory")},
       {"full queues", [&] { return ask_full_queues(library, c); }}});
}

}  // namespace gradproof::props
