// Options that a program chooses in its code: gradproof/config.h.
#include <cstdlib>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "gradproof/config.h"
#include "props/services/answers.h"
#include "props/services/services.h"
#include "props/services/surroundings.h"

namespace gradproof::props {
namespace {

struct Row {
  const char* key;
  std::vector<const char*> good, bad;
};
const Row kOptions[] = {
    {"soc", {"Ascend910B2", "Ascend310P3"}, {"Ascend7", ""}},
    {"threads", {"1", "5", "1024"}, {"0", "1025", "2 ", "-1", ""}},
    {"instruction_set", {kAnySet}, {"mmx", ""}},
    {"log", {"info", "debug", "off"}, {"INFO", ""}},
    {"strict", {"1", "0"}, {"true", "2", ""}},
    {"conformance", {"cann", "documented"}, {"both", ""}},
    {"queue_limit", {"1", "77", "16777216"}, {"0", "16777217", "many", ""}},
    {"statistics", {"1", "0"}, {"yes", ""}},
};

std::string text(const char* told) { return told != nullptr ? told : "null"; }

class Options {
 public:
  explicit Options(const Library& of) : library(of) {}
  std::string ask();

 private:
  void choose(const char* key, const char* value, const std::string& wanted);
  void ask_one(const Row& row);
  void ask_best_set();
  void ask_trace();
  void ask_conformance();
  void ask_destroying(const std::string& conformance);

  const Library& library;
  Answers is_;
  GRADPROOF_FIND_MEMBER(set_, gradproof_set_option);
  GRADPROOF_FIND_MEMBER(get_, gradproof_option);
  GRADPROOF_FIND_MEMBER(conformance_, gradproof_conformance);
  GRADPROOF_FIND_MEMBER(set_conformance_, gradproof_set_conformance);
};

/// Takes the value, after which `wanted` is in force.
void Options::choose(const char* key, const char* value, const std::string& wanted) {
  const std::string call = "gradproof_set_option(" + text(key) + ", " + text(value) + ")";
  is_.status(call, set_(key, value), ACL_SUCCESS);
  const std::string now = text(get_(key));
  is_.that("after " + call + " it is '" + wanted + "', not '" + now + "'", now == wanted);
}

void Options::ask_one(const Row& row) {
  const std::string before = text(get_(row.key));
  for (const char* value : row.bad) {
    is_.status("gradproof_set_option(" + text(row.key) + ", '" + value + "')", set_(row.key, value),
               ACL_ERROR_INVALID_PARAM);
    is_.that("a refused value of " + text(row.key) + " changes nothing",
             text(get_(row.key)) == before);
  }
  for (const char* value : row.good) choose(row.key, value, value);
  choose(row.key, nullptr, before);
}

/// Unless somebody chooses, the best instruction set of the machine is in force.
void Options::ask_best_set() {
  if (std::getenv("GRADPROOF_INSTRUCTION_SET") != nullptr) return;
  std::string best = text(get_("instruction_set"));
  for (const char* set : {"scalar", "sse4", "avx2", "avx512"}) {
    if (set_("instruction_set", set) == ACL_SUCCESS) best = set;
  }
  choose("instruction_set", nullptr, best);
}

void Options::ask_trace() {
  const TemporaryFolder folder;
  const std::string before = text(get_("trace")), file = (folder.path() / "trace.json").string(),
                    nowhere = (folder.path() / "none" / "trace.json").string();

  is_.status("gradproof_set_option(trace, '')", set_("trace", ""), ACL_ERROR_INVALID_PARAM);
  choose("trace", file.c_str(), file);
  for (const char* bad : {nowhere.c_str(), "/dev/null", folder.path().c_str()}) {
    is_.status("gradproof_set_option of a trace that cannot be written", set_("trace", bad),
               ACL_ERROR_WRITE_FILE);
    is_.that("a trace that cannot be written changes nothing", text(get_("trace")) == file);
  }
  choose("trace", nullptr, before);
}

/// Null may be destroyed in the conformance `cann` alone, and what was destroyed in none.
void Options::ask_destroying(const std::string& conformance) {
  const aclnnStatus of_null = conformance == "cann" ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_NULLPTR;
  const auto ask = [&](const char* name, auto* destroy, auto* made) {
    const std::string call = name + (" in the conformance " + conformance);
    is_.status(call + ", of null,", destroy(nullptr), of_null);
    is_.that("a descriptor can be made", made != nullptr);
    is_.status(call, destroy(made), ACLNN_SUCCESS);
    is_.status(call + ", again,", destroy(made), ACLNN_ERR_PARAM_INVALID);
  };
  GRADPROOF_FIND(create_tensor, aclCreateTensor);
  GRADPROOF_FIND(create_ints, aclCreateIntArray);
  GRADPROOF_FIND(create_list, aclCreateTensorList);
  GRADPROOF_FIND(destroy_tensor, aclDestroyTensor);
  GRADPROOF_FIND(destroy_ints, aclDestroyIntArray);
  GRADPROOF_FIND(destroy_list, aclDestroyTensorList);
  const std::int64_t one = 1;
  ask("aclDestroyTensor", destroy_tensor,
      create_tensor(&one, 1, ACL_FLOAT, &one, 0, ACL_FORMAT_ND, &one, 1, nullptr));
  ask("aclDestroyIntArray", destroy_ints, create_ints(&one, 1));
  ask("aclDestroyTensorList", destroy_list, create_list(nullptr, 0));
}

void Options::ask_conformance() {
  const std::string before = text(conformance_());
  is_.that("gradproof_conformance is the option", before == text(get_("conformance")));
  for (const char* word : {"both", ""})
    is_.status("gradproof_set_conformance('" + text(word) + "')", set_conformance_(word),
               ACL_ERROR_INVALID_PARAM);
  is_.status("gradproof_set_conformance of null", set_conformance_(nullptr),
             ACL_ERROR_INVALID_PARAM);
  is_.that("a refused conformance changes nothing", text(conformance_()) == before);
  for (const char* word : {"cann", "documented"}) {
    is_.status("gradproof_set_conformance", set_conformance_(word), ACL_SUCCESS);
    is_.that("gradproof_set_conformance chooses " + text(word), text(conformance_()) == word);
    ask_destroying(word);
  }
  choose("conformance", nullptr, before);
}

std::string Options::ask() {
  is_.status("gradproof_set_option of an unknown key", set_("colour", "red"),
             ACL_ERROR_INVALID_PARAM);
  is_.status("gradproof_set_option of null", set_(nullptr, "red"), ACL_ERROR_INVALID_PARAM);
  is_.that("gradproof_option of an unknown key is null", get_("colour") == nullptr);
  is_.that("gradproof_option of null is null", get_(nullptr) == nullptr);
  for (const Row& row : kOptions) ask_one(row);
  ask_best_set();
  ask_trace();
  ask_conformance();
  return is_.first();
}

}  // namespace

std::string ask_options(const Library& library) { return Options(library).ask(); }

}  // namespace gradproof::props
