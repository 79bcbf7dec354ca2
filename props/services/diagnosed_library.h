// A library that is configured anew, and a small program that it runs then: what the questions
// about the log, the trace and strict mode share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "aclnnop/aclnn_pad2d_backward.h"
#include "props/services/answers.h"
#include "props/services/surroundings.h"
#include "props/subject/capture.h"

namespace gradproof::props {

class DiagnosedLibrary {
 public:
  DiagnosedLibrary(const Library& of, Answers& answers) : library(of), is_(answers) {}

 protected:
  static constexpr std::size_t kPadded = 4, kImage = 2;  // columns

  void refused(const std::string& text, int status) {
    is_.status("aclInit with " + text, init_(write(text)), status);
  }
  /// aclInit takes the environment as it is, and aclFinalize ends it.
  void accepted(const std::string& because) {
    is_.status("aclInit with " + because, init_(nullptr), ACL_SUCCESS);
    is_.status("aclFinalize", finalize_(), ACL_SUCCESS);
  }
  /// What stderr gets while the program runs under a configuration.
  template <class Program>
  std::string told(const std::string& text, const Program& program) {
    Capture capture(stderr);
    is_.status("aclInit with " + text, init_(write(text)), ACL_SUCCESS);
    program();
    is_.status("aclFinalize", finalize_(), ACL_SUCCESS);
    return capture.text();
  }
  const char* write(const std::string& text) {
    std::ofstream(file_) << text;
    return file_.c_str();
  }
  void* device_memory(std::size_t columns);
  /// The gradient of padding two columns by one on each side; phase 2's status. The result is
  /// `offset` elements behind `grad_input`.
  int pad(void* grad_output, void* grad_input, std::int64_t samples = 1, std::int64_t offset = 0);
  /// The same, all of it right.
  void pad_rightly();

  const Library& library;
  Answers& is_;
  const TemporaryFolder folder_;
  const std::filesystem::path file_{folder_.path() / "acl.json"};
  Variable log_{"GRADPROOF_LOG"}, trace_{"GRADPROOF_TRACE"}, strict_{"GRADPROOF_STRICT"};
  GRADPROOF_FIND_MEMBER(init_, aclInit);
  GRADPROOF_FIND_MEMBER(finalize_, aclFinalize);
  GRADPROOF_FIND_MEMBER(message_, aclGetRecentErrMsg);
  GRADPROOF_FIND_MEMBER(allocate_, aclrtMalloc);
  GRADPROOF_FIND_MEMBER(release_, aclrtFree);
  GRADPROOF_FIND_MEMBER(allocate_host_, aclrtMallocHost);
  GRADPROOF_FIND_MEMBER(release_host_, aclrtFreeHost);
  GRADPROOF_FIND_MEMBER(copy_, aclrtMemcpy);
  GRADPROOF_FIND_MEMBER(synchronize_, aclrtSynchronizeStream);
  GRADPROOF_FIND_MEMBER(create_tensor_, aclCreateTensor);
  GRADPROOF_FIND_MEMBER(destroy_tensor_, aclDestroyTensor);
  GRADPROOF_FIND_MEMBER(create_array_, aclCreateIntArray);
  GRADPROOF_FIND_MEMBER(destroy_array_, aclDestroyIntArray);
  GRADPROOF_FIND_MEMBER(plan_, aclnnReplicationPad2dBackwardGetWorkspaceSize);
  GRADPROOF_FIND_MEMBER(run_, aclnnReplicationPad2dBackward);
};

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// What strict mode finds, and what it tells. The library is between aclFinalize and aclInit.
void ask_strict(Answers& is, const Library& library);

}  // namespace gradproof::props
