// Memory that the conformance `cann` accepts and the documents do not: views that reach beyond
// their storage, if all of their memory is from aclrtMalloc; results that overlap an input.
#include <numeric>
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

namespace gradproof::props {
namespace {

constexpr std::size_t kGradOutput = 0, kGradInput = 2;  // slots of padding's gradient
constexpr std::int64_t kElementBytes = sizeof(float);

/// How gradOutput is described. Its elements stay where they are.
struct Description {
  std::string text;
  std::vector<std::int64_t> storage;
  std::int64_t offset;
  bool beyond_storage;
};

class CannMemory {
 public:
  CannMemory(Answers& is, const Library& of, ref::Call call)
      : library(of),
        is_(is),
        call_(std::move(call)),
        host_(static_cast<std::size_t>(element_count(call_.tensors[kGradOutput]))),
        device_(library.api(), host_.size() * kElementBytes) {
    std::iota(host_.begin(), host_.end(), 1.f);
    require(library.api(), "aclrtMemcpy",
            library.api().memcpy(device_.data(), device_.size(), host_.data(), device_.size(),
                                 ACL_MEMCPY_HOST_TO_DEVICE));
  }

  void ask_view(const Description& description) {
    ref::Tensor& view = call_.tensors[kGradOutput];
    const ref::Tensor usual = view;
    is_.status("a call in the conformance cann", run(device_.data()), ACLNN_SUCCESS);
    const std::vector<unsigned char> expected = result_;
    view.storage = description.storage;
    view.offset = description.offset;
    const std::string call =
        "in the conformance cann, a call whose gradOutput has " + description.text + " and is in ";
    is_.status(call + "memory of aclrtMalloc", run(device_.data()), ACLNN_SUCCESS);
    is_.that(call + "memory of aclrtMalloc has the usual result", result_ == expected);
    is_.status(call + "host memory", run(host_.data()),
               description.beyond_storage ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS);
    view = usual;
  }

  /// A call whose result overlaps its input needs a buffer; an equal call without overlap does not.
  void ask_overlap() {
    const DeviceBytes separate(library.api(), result_bytes());
    const std::uint64_t before = workspace_size(separate.data());
    (void)workspace_size(device_.data());
    const std::uint64_t after = workspace_size(separate.data());
    is_.that("a call needs " + std::to_string(before) +
                 " bytes of workspace also after an equal call whose result overlaps its input, "
                 "not " +
                 std::to_string(after),
             after == before);
  }

 private:
  /// Both phases and the synchronisation; the first status that is not 0. The result is in
  /// `result_` afterwards.
  std::int32_t run(void* grad_output) {
    const Api& api = library.api();
    const DeviceBytes result(api, result_bytes());
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    std::int32_t status = plan(grad_output, result.data(), size, executor);
    if (status != 0) return status;
    const DeviceBytes workspace(api, size + 1);  // aclrtMalloc refuses 0 bytes
    status = invoke_phase2(library.entry(call_.op).run, workspace.data(), size, executor, nullptr);
    if (status == 0) status = api.synchronize_stream(nullptr);
    result_ = result.read();
    return status;
  }
  /// The bytes that phase 1 asks for. The executor is destroyed.
  std::uint64_t workspace_size(void* grad_input) {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    is_.status("phase 1", plan(device_.data(), grad_input, size, executor), ACLNN_SUCCESS);
    if (executor != nullptr) (void)destroy_executor_(executor);
    return size;
  }
  std::int32_t plan(void* grad_output, void* grad_input, std::uint64_t& size,
                    aclOpExecutor*& executor) {
    const std::int64_t offset = call_.tensors[kGradOutput].offset * kElementBytes;
    void* const data[] = {static_cast<unsigned char*>(grad_output) - offset, nullptr, grad_input};
    const Descriptors descriptors(library.api(), call_, data);
    return invoke_phase1(library.entry(call_.op).get_workspace_size, call_, descriptors, &size,
                         &executor);
  }
  std::size_t result_bytes() const {
    return static_cast<std::size_t>(element_count(call_.tensors[kGradInput]) * kElementBytes);
  }

  const Library& library;
  Answers& is_;
  ref::Call call_;
  std::vector<float> host_;   ///< gradOutput in host memory
  const DeviceBytes device_;  ///< the same in memory of aclrtMalloc
  std::vector<unsigned char> result_;
  GRADPROOF_FIND_MEMBER(destroy_executor_, aclDestroyAclOpExecutor);
};

}  // namespace

std::string ask_cann_memory(const Library& library, ref::Product product) {
  const std::optional<Case> c = padding_case(library, product);
  if (!c) return "";
  GRADPROOF_FIND(set_option, gradproof_set_option);
  Answers is;
  const OptionReset conformance(set_option, "conformance"), strict(set_option, "strict");
  is.status("gradproof_set_option", set_option("conformance", "cann"), ACL_SUCCESS);
  // Strict mode refuses host memory.
  is.status("gradproof_set_option", set_option("strict", "0"), ACL_SUCCESS);
  CannMemory memory(is, library, c->call);
  const std::int64_t elements = element_count(c->call.tensors[kGradOutput]);
  memory.ask_view({"one element less of storage", {elements - 1}, 0, true});
  memory.ask_view({"negative storage extents", {-elements, -elements}, 0, true});
  memory.ask_view({"the offset -1", {elements}, -1, true});
  memory.ask_view({"one element more of storage", {elements + 1}, 0, false});
  memory.ask_overlap();
  return is.first();
}

}  // namespace gradproof::props
