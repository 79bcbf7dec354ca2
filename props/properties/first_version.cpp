// The first versions of operators whose functions end in V2: scales have no effect in them.
#include <algorithm>

#include "props/properties/property.h"
#include "props/services/answers.h"
#include "props/services/made_call.h"

namespace gradproof::props {
namespace {

constexpr std::string_view kSecond = "V2";

std::string second_version(const Case& c) { return std::string(ref::signature(c.call.op).api); }
std::string first_version(const Case& c) {
  const std::string second = second_version(c);
  return second.substr(0, second.size() - kSecond.size());
}

/// What is wrong with the case's call by the functions of the first version; "": nothing.
std::string compared(const Case& c, const Library& library, const EntryPoints& entry) {
  Case unscaled = c;
  for (double& scale : unscaled.call.reals) scale = 0;
  const std::string first = first_version(c), second = second_version(c);
  Answers is;
  MadeCall expected(unscaled, library), call(c, library);
  call.enter(entry);
  is.status(second + " without scales", expected.complete(nullptr), 0);
  is.status(first, call.complete(nullptr), 0);
  is.that(first + " gives what " + second + " gives without scales",
          call.result().bytes == expected.result().bytes);
  return is.first();
}

}  // namespace

bool first_version_applies(const Case& c) {
  return second_version(c).ends_with(kSecond) && is_plain(c) && MadeCall::possible(c) &&
         std::any_of(c.call.reals.begin(), c.call.reals.end(), [](double s) { return s > 0; });
}

Verdict check_first_version(const Case& c, Bench& bench) {
  const Library& library = bench.session.library();
  const std::string first = first_version(c);
  const EntryPoints entry{library.symbol((first + "GetWorkspaceSize").c_str()),
                          library.symbol(first.c_str())};
  if (entry.get_workspace_size == nullptr || entry.run == nullptr)
    return Verdict::not_checked("the library has no " + first);
  std::string finding;
  try {
    finding = compared(c, library, entry);
  } catch (const SubjectFailure& failure) {
    finding = failure.what();
  }
  return finding.empty() ? Verdict{} : Verdict::violated("scales", finding);
}

}  // namespace gradproof::props
