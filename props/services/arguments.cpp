// Arguments that are not descriptors of the expected kind: phase 1 refuses them and does not
// dereference them.
#include <cstdint>
#include <string>
#include <vector>

#include "gradproof/config.h"
#include "props/services/answers.h"
#include "props/services/services.h"
#include "props/services/surroundings.h"
#include "props/subject/capture.h"
#include "props/subject/invoke.h"

namespace gradproof::props {
namespace {

/// Pointers that are no live tensor, or no live array; none is null.
class Wrong {
 public:
  Wrong(const Api& api, const ref::Call& call) : api_(api) {
    destroyed_tensor = create_tensor(api, call.tensors.front(), nullptr);
    (void)api.destroy_tensor(destroyed_tensor);
    const std::int64_t values[] = {1, 2};
    destroyed_array = api.create_int_array(values, 2);
    (void)api.destroy_int_array(destroyed_array);
    tensor = create_tensor(api, call.tensors.front(), nullptr);
    array = api.create_int_array(values, 2);
  }
  ~Wrong() {
    (void)api_.destroy_tensor(tensor);
    (void)api_.destroy_int_array(array);
  }
  Wrong(const Wrong&) = delete;
  Wrong& operator=(const Wrong&) = delete;

  aclTensor *destroyed_tensor, *tensor;
  aclIntArray *destroyed_array, *array;
  std::int64_t number[64] = {};  ///< memory of the program, no descriptor

 private:
  const Api& api_;
};

/// A call with one argument after the other replaced.
class Replaced {
 public:
  Replaced(Answers& is, const Library& library, const Case& c)
      : is_(is),
        library_(library),
        call_(c.call),
        made_(library.api(), c.call, std::vector<void*>(c.call.tensors.size(), nullptr)),
        tensors_(made_.tensors().begin(), made_.tensors().end()),
        arrays_(made_.arrays().begin(), made_.arrays().end()) {}

  void ask(Wrong& wrong) {
    for (const ref::Parameter& parameter : ref::signature(call_.op).parameters) {
      const bool is_tensor = parameter.kind == ref::Kind::tensor;
      if (!is_tensor && parameter.kind != ref::Kind::int_array) continue;
      const std::string name(parameter.name);
      const auto refused = [&](auto& handles, auto* by, const std::string& what) {
        auto*& handle = handles[static_cast<std::size_t>(parameter.slot)];
        auto* const right = handle;
        handle = by;
        phase1(name, what);
        handle = right;
      };
      if (is_tensor) {
        refused(tensors_, wrong.destroyed_tensor, "a destroyed tensor");
        refused(tensors_, reinterpret_cast<aclTensor*>(wrong.array), "an array");
        refused(tensors_, reinterpret_cast<aclTensor*>(wrong.number), "the program's memory");
      } else {
        refused(arrays_, wrong.destroyed_array, "a destroyed array");
        refused(arrays_, reinterpret_cast<aclIntArray*>(wrong.tensor), "a tensor");
        refused(arrays_, reinterpret_cast<aclIntArray*>(wrong.number), "the program's memory");
      }
    }
  }

 private:
  void phase1(const std::string& argument, const std::string& by) {
    const std::string question = argument + " replaced by " + by + ": phase 1";
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const Api& api = library_.api();
    is_.status(question,
               invoke_phase1(library_.entry(call_.op).get_workspace_size, call_, tensors_, arrays_,
                             &size, &executor),
               ACLNN_ERR_PARAM_INVALID);
    is_.that(question + " makes no executor", executor == nullptr);
    if (api.recent_error == nullptr) return;
    const char* const message = api.recent_error();
    is_.that(question + " names the argument",
             message != nullptr &&
                 std::string(message).find(": " + argument + " ") != std::string::npos);
  }

  Answers& is_;
  const Library& library_;
  const ref::Call& call_;
  const Descriptors made_;
  std::vector<aclTensor*> tensors_;
  std::vector<aclIntArray*> arrays_;
};

}  // namespace

std::string ask_arguments(const Library& library, const Case& c) {
  GRADPROOF_FIND(set_option, gradproof_set_option);
  Answers is;
  Wrong wrong(library.api(), c.call);
  Replaced replaced(is, library, c);
  replaced.ask(wrong);
  // Strict mode prints what each argument is, and does not dereference it either.
  if (set_option("strict", "1") != ACL_SUCCESS) return is.first();
  std::string told;
  {
    const OptionReset strict(set_option, "strict");
    Capture printed(stderr);
    replaced.ask(wrong);
    told = printed.text();
  }
  for (const ref::Parameter& parameter : ref::signature(c.call.op).parameters) {
    is.that("strict mode lists " + std::string(parameter.name) + " of a refused call",
            told.find(std::string(parameter.name) + ": ") != std::string::npos);
  }
  return is.first();
}

}  // namespace gradproof::props
