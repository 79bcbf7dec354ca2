// What is in force in a program that never calls aclInit: the options that it gets with aclInit.
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gradproof/config.h"
#include "props/services/questions.h"
#include "props/subject/library.h"

namespace gradproof::props {
namespace {

std::string options(decltype(gradproof_option)* of) {
  std::string all;
  for (const char* key : {"soc", "threads", "instruction_set", "conformance", "queue_limit"}) {
    const char* const value = of(key);
    all += std::string(all.empty() ? "" : ", ") + key + ' ' + (value != nullptr ? value : "null");
  }
  return all;
}

}  // namespace

void probe_defaults(Answers& is, const std::vector<std::string>& files) {
  // Both must be in force: the environment, and an option that is set before any other call.
  const char* const conformance = std::getenv("GRADPROOF_CONFORMANCE");
  const bool cann = conformance != nullptr && std::string_view(conformance) == "cann";
  setenv("GRADPROOF_CONFORMANCE", cann ? "documented" : "cann", 1);
  const Library library(files);
  GRADPROOF_FIND(option, gradproof_option);
  GRADPROOF_FIND(set_option, gradproof_set_option);
  is.status("gradproof_set_option before any other call", set_option("queue_limit", "7"),
            ACL_SUCCESS);
  const std::string without = options(option);
  if (library.api().init(nullptr) != 0) throw NotAsked{"aclInit fails"};
  const std::string with = options(option);
  is.that("without aclInit the options are those with it: " + without + "; with it " + with,
          without == with);
}

}  // namespace gradproof::props
