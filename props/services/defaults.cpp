// What is in force in a program that never calls aclInit: the options that it gets with aclInit.
#include <string>
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
  const Library library(files);
  GRADPROOF_FIND(option, gradproof_option);
  const std::string without = options(option);
  if (library.api().init(nullptr) != 0) throw NotAsked{"aclInit fails"};
  const std::string with = options(option);
  is.that("without aclInit the options are those with it: " + without + "; with it " + with,
          without == with);
}

}  // namespace gradproof::props
