// Memory that the conformance `cann` accepts beyond the documents: views that reach beyond the
// storage that they state, if all of it is aclrtMalloc's; results in the memory of an input.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradproof/config.h"
#include "props/cases/memory_layout.h"
#include "props/services/answers.h"
#include "props/services/device_bytes.h"
#include "props/services/fitting_case.h"
#include "props/services/services.h"
#include "props/services/surroundings.h"
#include "props/subject/invoke.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kRead = 0, kWritten = 2;  // gradOutput and gradInput of padding
constexpr std::int64_t kFloat = sizeof(float);

std::size_t bytes_of(const ref::Tensor& tensor) {
  return static_cast<std::size_t>(element_count(tensor) * kFloat);
}

/// How gradOutput is described; its elements are where they are.
struct Stated {
  std::string as;
  std::vector<std::int64_t> storage;
  std::int64_t offset;
  bool beyond = true;
};

class Views {
 public:
  Views(Answers& is, const Library& of, ref::Call call)
      : library(of),
        is_(is),
        call_(std::move(call)),
        program_(3 * bytes_of(call_.tensors[kRead])),  // in the middle
        device_(library.api(), program_.size()),
        result_(library.api(), bytes_of(call_.tensors[kWritten])) {
    for (std::size_t i = 0; i < program_.size() / kFloat; ++i)
      ref::store(reinterpret_cast<std::byte*>(program_.data()), ref::kFloat,
                 static_cast<std::int64_t>(i), static_cast<double>(i));
    require(library.api(), "aclrtMemcpy",
            library.api().memcpy(device_.data(), device_.size(), program_.data(), program_.size(),
                                 ACL_MEMCPY_HOST_TO_DEVICE));
  }

  void ask(const Stated& stated) {
    ref::Tensor& read = call_.tensors[kRead];
    const ref::Tensor before = read;
    is_.status("a call in the conformance cann", run(device_.data()), ACLNN_SUCCESS);
    const std::vector<unsigned char> right = result_.read();
    read.storage = stated.storage;
    read.offset = stated.offset;
    const std::string view =
        "in the conformance cann, a view that states " + stated.as + ", in memory of ";
    is_.status(view + "aclrtMalloc,", run(device_.data()), ACLNN_SUCCESS);
    is_.that(view + "aclrtMalloc, is computed", result_.read() == right);
    is_.status(view + "the program,", run(program_.data()),
               stated.beyond ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS);
    read = before;
  }

  /// Only the call whose result is in its input needs a buffer, not an equal one after it.
  void ask_shared() {
    const std::uint64_t apart = planned(result_.data());
    (void)planned(input(device_.data()));
    const std::uint64_t after = planned(result_.data());
    is_.that(
        "after a call whose result is in its input, an equal one whose result is apart needs " +
            std::to_string(apart) + " bytes of workspace, not " + std::to_string(after),
        apart == after);
  }

 private:
  /// The first status of both phases and the synchronisation that is not 0.
  std::int32_t run(unsigned char* memory) {
    const Api& api = library.api();
    const DeviceBytes nothing(api, result_.size());
    require(api, "aclrtMemcpy",
            api.memcpy(result_.data(), result_.size(), nothing.data(), nothing.size(),
                       ACL_MEMCPY_DEVICE_TO_DEVICE));
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    std::int32_t status = plan(input(memory), result_.data(), size, executor);
    if (status != 0) return status;
    const DeviceBytes workspace(api, size + 1);  // 0 bytes are no block
    status = invoke_phase2(library.entry(call_.op).run, workspace.data(), size, executor, nullptr);
    return status != 0 ? status : api.synchronize_stream(nullptr);
  }
  /// The workspace that phase 1 asks for; its executor is destroyed.
  std::uint64_t planned(void* result) {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    is_.status("phase 1", plan(input(device_.data()), result, size, executor), ACLNN_SUCCESS);
    if (executor != nullptr) (void)destroy_executor_(executor);
    return size;
  }
  std::int32_t plan(unsigned char* input, void* result, std::uint64_t& size,
                    aclOpExecutor*& executor) {
    void* const data[] = {input - call_.tensors[kRead].offset * kFloat, nullptr, result};
    const Descriptors descriptors(library.api(), call_, data);
    return invoke_phase1(library.entry(call_.op).get_workspace_size, call_, descriptors, &size,
                         &executor);
  }
  unsigned char* input(unsigned char* memory) const { return memory + program_.size() / 3; }

  const Library& library;
  Answers& is_;
  ref::Call call_;
  std::vector<unsigned char> program_;
  const DeviceBytes device_, result_;
  GRADPROOF_FIND_MEMBER(destroy_executor_, aclDestroyAclOpExecutor);
};

}  // namespace

std::string ask_cann_memory(const Library& library, ref::Product product) {
  const std::optional<Case> c = padding_case(library, product);
  if (!c) return "";
  GRADPROOF_FIND(set_option, gradproof_set_option);
  Answers is;
  const Withdrawn afterwards(set_option, "conformance");
  is.status("gradproof_set_option", set_option("conformance", "cann"), ACL_SUCCESS);
  Views views(is, library, c->call);
  const std::int64_t elements = element_count(c->call.tensors[kRead]);
  views.ask({"a storage of one element less", {elements - 1}, 0});
  views.ask({"negative storage extents", {-elements, -elements}, 0});
  views.ask({"an offset of -1", {elements}, -1});
  views.ask({"a storage of one element more", {elements + 1}, 0, false});
  views.ask_shared();
  return is.first();
}

}  // namespace gradproof::props
