// The first versions of operators whose functions end in V2: scales have no effect in them.
#include <string>

#include "props/services/answers.h"
#include "props/services/made_call.h"
#include "props/services/services.h"

namespace gradproof::props {

std::string ask_first_version(const Library& library, const Case& c) {
  constexpr std::string_view kSecond = "V2";
  const std::string second(ref::signature(c.call.op).api);
  if (!second.ends_with(kSecond) || !MadeCall::possible(c)) return "";
  const std::string first = second.substr(0, second.size() - kSecond.size());
  const EntryPoints entry{library.symbol((first + "GetWorkspaceSize").c_str()),
                          library.symbol(first.c_str())};
  if (entry.get_workspace_size == nullptr || entry.run == nullptr) throw Missing();
  Case unscaled = c;
  for (double& scale : unscaled.call.reals) scale = 0;
  Answers is;
  MadeCall expected(unscaled, library), call(c, library);
  call.enter(entry);
  is.status(second + " without scales", expected.complete(nullptr), 0);
  is.status(first, call.complete(nullptr), 0);
  is.that(first + " gives what " + second + " gives without scales",
          call.result().bytes == expected.result().bytes);
  return is.first();
}

}  // namespace gradproof::props
