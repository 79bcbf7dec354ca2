// The kernels that a library names, and the one that is left out: gradproof/kernels.h.
#include "gradproof/kernels.h"

#include <algorithm>
#include <string>
#include <vector>

#include "props/services/answers.h"
#include "props/services/fitting_case.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

/// Which kernel phase 1 chooses for the call, if one is wanted or left out.
void ask_choice(Session& session, const ref::Call& call,
                decltype(&gradproof_leave_out_kernel) leave_out, Answers& is) {
  const auto chosen = [&] { return session.get_workspace_size(call).kernel; };
  const std::string usual = chosen();
  if (session.library().symbol("gradproof_use_kernel") != nullptr) {
    is.that("gradproof_use_kernel refuses no kernel", !session.kernels().use("no kernel"));
    const std::vector<std::string> all = session.kernels().of(call.op);
    for (const std::string& name : all) {
      is.that("gradproof_use_kernel takes '" + name + "'", session.kernels().use(name));
      const std::string used = chosen();
      is.that("gradproof_use_kernel chooses '" + name + "' or what was chosen without it",
              used == name || (used == usual && name != all.back()));
    }
    is.that("gradproof_use_kernel takes null", session.kernels().use(""));
    is.that("without a wanted kernel, the library chooses", chosen() == usual);
  }
  is.status("gradproof_leave_out_kernel of no kernel", leave_out("no kernel"),
            ACL_ERROR_INVALID_PARAM);
  is.that("a refused name changes nothing", chosen() == usual);
  const std::vector<std::string> names = session.kernels().of(call.op);
  if (std::ranges::find(names, usual) == names.end()) return;  // computes nothing
  is.status("gradproof_leave_out_kernel(" + usual + ")", leave_out(usual.c_str()), ACL_SUCCESS);
  const std::string without = chosen();
  is.status("gradproof_leave_out_kernel of null", leave_out(nullptr), ACL_SUCCESS);
  is.that("without '" + usual + "' another kernel is chosen, not '" + without + "'",
          (without == usual) == (usual == names.back()));
  is.that("'" + usual + "' is chosen again once none is left out", chosen() == usual);
}

/// Planned like a large one, a small call is divided among threads, and some kernel needs room for
/// each of them.
void ask_planning(Session& session, const ref::Call& call, Answers& is) {
  const Kernels& kernels = session.kernels();
  if (!kernels.plan(SmallCalls::usual) || !kernels.choose("threads", "2")) return;
  const auto room = [&](SmallCalls how) {
    (void)kernels.plan(how);
    std::uint64_t sum = 0;
    for (const std::string& name : kernels.of(call.op)) {
      (void)kernels.use(name);
      sum += session.get_workspace_size(call).workspace;
    }
    return sum;
  };
  const std::uint64_t large = room(SmallCalls::like_large), usual = room(SmallCalls::usual);
  (void)kernels.use("");
  (void)kernels.choose("threads", "");
  is.that("gradproof_plan_as_large(1) plans a small call for two threads, and (0) for one",
          large > usual);
}

}  // namespace

std::string ask_kernels(Session& session, const Case& c) {
  const Library& library = session.library();
  GRADPROOF_FIND(kernel, gradproof_kernel);
  GRADPROOF_FIND(kernel_of, gradproof_executor_kernel);
  GRADPROOF_FIND(leave_out, gradproof_leave_out_kernel);
  Answers is;
  is.that("gradproof_kernel of null is null", kernel(nullptr, 0) == nullptr);
  is.that("gradproof_kernel of an unknown operator is null", kernel("aclnnNone", 0) == nullptr);
  is.that("gradproof_executor_kernel of null is null", kernel_of(nullptr) == nullptr);
  for (const ref::Operator op : library.operators()) {
    const std::string api(ref::signature(op).api);
    const std::vector<std::string> names = session.kernels().of(op);
    is.that(api + " has a kernel, of a name of its own",
            !names.empty() && std::ranges::all_of(names, [&](const std::string& name) {
              return !name.empty() && std::ranges::count(names, name) == 1;
            }));
    for (const std::string& name : names)
      is.status("gradproof_leave_out_kernel(" + name + ")", leave_out(name.c_str()), ACL_SUCCESS);
  }
  is.status("gradproof_leave_out_kernel of null", leave_out(nullptr), ACL_SUCCESS);
  for (const Case& asked : {c, fitting_case(library, c)})
    ask_choice(session, asked.call, leave_out, is);
  if (const Case small = fitting_case(library, c); !(small == c))
    ask_planning(session, small.call, is);
  return is.first();
}

}  // namespace gradproof::props
