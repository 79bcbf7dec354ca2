// An operator under log, trace and strict device mode: it is told of, and computes the same.
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "props/cases/data/data.h"
#include "props/profiles/use.h"
#include "props/services/answers.h"
#include "props/services/argument_text.h"
#include "props/services/initialise_again.h"
#include "props/services/services.h"
#include "props/services/surroundings.h"
#include "props/subject/capture.h"
#include "props/subject/product.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

bool same(const Outcome& a, const Outcome& b) {
  if (a.phase1.status != b.phase1.status || a.phase2 != b.phase2 || a.sync != b.sync) return false;
  for (std::size_t slot = 0; slot < a.outputs.size(); ++slot) {
    if (a.outputs[slot].bytes != b.outputs[slot].bytes) return false;
  }
  return true;
}

/// The lines of strict mode's list, one for each argument.
std::string listed(const ref::Call& call) {
  std::string text;
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    text += "\n  " + std::string(p.name) + ": ";
    const auto slot = static_cast<std::size_t>(p.slot);
    switch (p.kind) {
      case ref::Kind::tensor: {
        const ref::Tensor& t = call.tensors[slot];
        text += "aclTensor " + type_and_shape(t) + ' ' + ref::format_name(t.format);
        break;
      }
      case ref::Kind::int_array:
        text += "aclIntArray {" + joined(call.arrays[slot].values, ", ") + '}';
        break;
      case ref::Kind::flag: text += call.flags[slot] != 0 ? "true" : "false"; break;
      case ref::Kind::real: text += std::to_string(call.reals[slot]); break;
    }
  }
  return text;
}

/// The call with results of a type that no operator has.
ref::Call with_wrong_type(ref::Call call) {
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind == ref::Kind::tensor && p.access == ref::Access::written)
      call.tensors[static_cast<std::size_t>(p.slot)].dtype = ref::kInt64;
  }
  return call;
}

/// Whether phase 1 refuses the call; false if the profile leaves that open.
bool refuses(Session& session, const ref::Call& call) {
  try {
    return session.get_workspace_size(call).status != 0;
  } catch (const profiles::NotJudged&) {
    return false;
  }
}

}  // namespace

std::string ask_observation(Session& session, const Case& c, const Diagnostics& promised) {
  const Library& library = session.library();
  GRADPROOF_FIND(init, aclInit);
  GRADPROOF_FIND(finalize, aclFinalize);
  const Variable log("GRADPROOF_LOG"), trace("GRADPROOF_TRACE"), strict("GRADPROOF_STRICT");
  const TemporaryFolder folder;
  const std::string api(ref::signature(c.call.op).api),
      file = (folder.path() / "acl.json").string();
  const std::vector<ref::Dense> data = make_data(c);
  const Outcome usual = session.perform(c, data);
  Answers is;
  is.status("aclFinalize", finalize(), ACL_SUCCESS);
  const std::pair<std::string, std::string> ways[] = {
      {"log", "\"debug\""},
      {"trace", '"' + (folder.path() / "trace.json").string() + '"'},
      {"strict", "true"}};
  for (const auto& [key, value] : ways) {
    if ((key == "trace" && !promised.trace) || (key == "strict" && !promised.strict)) continue;
    std::ofstream(file) << "{\"soc\": \"" << ref::name(session.product()) << "\", \"" << key
                        << "\": " << value << "}";
    Capture capture(stderr);
    is.status("aclInit with \"" + key + '"', init(file.c_str()), ACL_SUCCESS);
    const Outcome watched = session.perform(c, data);
    const ref::Call wrong = with_wrong_type(c.call);
    const bool listing = key == "strict" && refuses(session, wrong);
    is.status("aclFinalize", finalize(), ACL_SUCCESS);
    const std::string told = capture.text();
    is.that(api + " answers and computes the same with \"" + key + '"', same(usual, watched));
    is.that("the log tells that " + api + " ran",
            key != "log" || watched.phase2 != 0 || told.find("info: " + api) != told.npos);
    is.that("strict mode lists the arguments of a call that phase 1 refuses:" + listed(wrong),
            !listing || told.find(listed(wrong)) != told.npos);
  }
  initialise_again(is, session);
  return is.first();
}

}  // namespace gradproof::props
