// The log, the trace and strict device mode: what turns them on, and what they tell of a program.
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aclnnop/aclnn_pad2d_backward.h"
#include "nlohmann/json.hpp"
#include "props/services/answers.h"
#include "props/services/ended.h"
#include "props/services/initialise_again.h"
#include "props/services/services.h"
#include "props/services/surroundings.h"
#include "props/subject/capture.h"
#include "props/subject/product.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kPadded = 4, kImage = 2;  // columns

class Diagnosis {
 public:
  explicit Diagnosis(Session& session)
      : library(session.library()), session_(session), file_(folder_.path() / "acl.json") {}

  std::string ask(const Diagnostics& promised);

 private:
  void ask_log();
  void ask_trace();
  void ask_strict();
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
  std::string told(const std::string& text, const Program& program);
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
  Session& session_;
  const TemporaryFolder folder_;
  const std::filesystem::path file_;
  Answers is_;
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

template <class Program>
std::string Diagnosis::told(const std::string& text, const Program& program) {
  Capture capture(stderr);
  is_.status("aclInit with " + text, init_(write(text)), ACL_SUCCESS);
  program();
  is_.status("aclFinalize", finalize_(), ACL_SUCCESS);
  return capture.text();
}

void* Diagnosis::device_memory(std::size_t columns) {
  void* memory = nullptr;
  is_.status("aclrtMalloc", allocate_(&memory, columns * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST),
             ACL_SUCCESS);
  return memory;
}

int Diagnosis::pad(void* grad_output, void* grad_input, std::int64_t samples, std::int64_t offset) {
  const std::int64_t padded[] = {samples, 1, 1, kPadded}, image[] = {samples, 1, 1, kImage},
                     by[] = {1, 1, 0, 0};
  const auto tensor = [&](const std::int64_t* shape, void* data, std::int64_t first = 0) {
    const std::int64_t strides[] = {shape[3], shape[3], shape[3], 1},
                       all = first + shape[0] * shape[3];
    return create_tensor_(shape, 4, ACL_FLOAT, strides, first, ACL_FORMAT_ND, &all, 1, data);
  };
  aclTensor *from = tensor(padded, grad_output), *self = tensor(image, nullptr),
            *to = tensor(image, grad_input, offset);
  aclIntArray* const padding = create_array_(by, 4);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  is_.status("phase 1", plan_(from, self, padding, to, &bytes, &executor), ACLNN_SUCCESS);
  void* workspace = bytes > 0 ? device_memory(bytes) : nullptr;
  const int status = run_(workspace, bytes, executor, nullptr);
  if (status == ACLNN_SUCCESS)
    is_.status("aclrtSynchronizeStream", synchronize_(nullptr), ACL_SUCCESS);
  if (workspace != nullptr) is_.status("aclrtFree", release_(workspace), ACL_SUCCESS);
  for (aclTensor* t : {from, self, to})
    is_.status("aclDestroyTensor", destroy_tensor_(t), ACLNN_SUCCESS);
  is_.status("aclDestroyIntArray", destroy_array_(padding), ACLNN_SUCCESS);
  return status;
}

void Diagnosis::pad_rightly() {
  const float gradient[kPadded] = {1, 2, 4, 8};
  float result[kImage] = {};
  void *from = device_memory(kPadded), *to = device_memory(kImage);
  is_.status("aclrtMemcpy",
             copy_(from, sizeof gradient, gradient, sizeof gradient, ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_SUCCESS);
  is_.status("phase 2", pad(from, to), ACLNN_SUCCESS);
  is_.status("aclrtMemcpy",
             copy_(result, sizeof result, to, sizeof result, ACL_MEMCPY_DEVICE_TO_HOST),
             ACL_SUCCESS);
  is_.that("the gradient of (1, 2, 4, 8) is (3, 12)", result[0] == 3 && result[1] == 12);
  is_.status("aclrtFree", release_(from), ACL_SUCCESS);
  is_.status("aclrtFree", release_(to), ACL_SUCCESS);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

void Diagnosis::ask_log() {
  for (const char* value : {"\"loud\"", "7"})
    refused("{\"log\": " + std::string(value) + "}", ACL_ERROR_FILE_ATTR_INVALID);
  log_.set("loud");
  is_.status("aclInit with GRADPROOF_LOG=loud", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  strict_.set("yes");
  is_.status("aclInit with two bad variables", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  strict_.unset();
  for (const char* value : {"", "off"}) {
    log_.set(value);
    accepted("GRADPROOF_LOG='" + std::string(value) + "'");
  }
  log_.unset();
  const auto program = [&] { pad_rightly(); };
  is_.that("without a log nothing is said", told("{\"log\": \"off\"}", program).empty());
  const std::string info = told("{\"log\": \"info\"}", program),
                    debug = told("{\"log\": \"debug\"}", program);
  is_.that("the log tells what ran", has(info, "gradproof info: aclnnReplicationPad2dBackward"));
  is_.that("the log's level is kept", !has(info, "gradproof debug: "));
  is_.that("the log tells what was planned", has(debug, "gradproof debug: "));
}

/// Of the operator that is called here, in a trace; -1 if it is not JSON.
int calls_in(const std::string& path) {
  std::ifstream in(path);
  const nlohmann::json root = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) return -1;
  int calls = 0;
  for (const nlohmann::json& event : root.is_object() ? root.value("traceEvents", root) : root)
    calls += static_cast<int>(event.value("name", "") == "aclnnReplicationPad2dBackward" &&
                              event.value("ph", "") == "X" && event.value("dur", -1.0) >= 0);
  return calls;
}

void Diagnosis::ask_trace() {
  for (const char* value : {"\"\"", "7"})
    refused("{\"trace\": " + std::string(value) + "}", ACL_ERROR_FILE_ATTR_INVALID);
  refused("{\"trace\": \"/nowhere/trace.json\"}", ACL_ERROR_WRITE_FILE);
  // Names that may come from somebody who is not the program's friend: a link, a FIFO, a device.
  const auto not_traced = [&](const std::string& path, const std::string& what,
                              const char* reason) {
    is_.status("aclInit with a trace file that is " + what,
               init_(write("{\"trace\": \"" + path + "\"}")), ACL_ERROR_WRITE_FILE);
    const char* const message = message_();
    is_.that("the message says why no trace goes to " + what,
             message != nullptr && has(message, path) && has(message, reason));
  };
  const std::string target = (folder_.path() / "target").string(),
                    link = (folder_.path() / "link.json").string(),
                    fifo = (folder_.path() / "fifo.json").string();
  std::ofstream(target) << "kept";
  if (symlink(target.c_str(), link.c_str()) == 0)
    not_traced(link, "a symbolic link", "symbolic link");
  if (mkfifo(fifo.c_str(), 0600) == 0) not_traced(fifo, "a FIFO", "regular file");
  not_traced("/dev/null", "a device", "regular file");
  const std::string path = (folder_.path() / "trace.json").string();
  for (const std::string& value : {std::string(), path}) {
    trace_.set(value.c_str());
    accepted("GRADPROOF_TRACE='" + value + "'");
  }
  trace_.unset();
  is_.that("GRADPROOF_TRACE begins a trace", std::filesystem::exists(path));
  const std::string traced = "{\"trace\": \"" + path + "\"}";
  const std::string text = told(traced, [&] {
    pad_rightly();
    pad_rightly();
  });
  is_.that("a trace says nothing on stderr", text.empty());
  is_.that("a trace is JSON and has both calls", calls_in(path) == 2);
  told(traced, [&] { pad_rightly(); });
  is_.that("the process continues its trace", calls_in(path) == 3);
  std::ofstream(path) << "not ours";
  told(traced, [&] { pad_rightly(); });
  is_.that("a trace replaces a file that another program has overwritten", calls_in(path) == 1);
}

/// Whether a child of fork() has read there, and ended. What it says on stderr is this program's.
/// Not under a sanitizer, whose own locks are lost in the child.
bool read_in_child(const void* at) {
  if (dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
      dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr)
    return false;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    (void)*static_cast<const volatile char*>(at);
    _exit(0);
  }
  if (child > 0) (void)end_of(child);
  return child > 0;
}

/// All 16 digits.
std::string hexadecimal(const void* at) {
  char text[17];
  std::snprintf(text, sizeof text, "%016jx", reinterpret_cast<std::uintmax_t>(at));
  return text;
}

void Diagnosis::ask_strict() {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGSEGV, nullptr, &before);
  refused("{\"strict\": 1}", ACL_ERROR_FILE_ATTR_INVALID);
  strict_.set("yes");
  is_.status("aclInit with GRADPROOF_STRICT=yes", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  for (const char* value : {"", "0", "1"}) {
    strict_.set(value);
    accepted("GRADPROOF_STRICT='" + std::string(value) + "'");
  }
  strict_.unset();
  aclIntArray* left = nullptr;
  void* block = nullptr;
  std::string freed;
  const std::string text = told("{\"strict\": true}", [&] {
    pad_rightly();
    is_.status("strict: phase 2 on nothing", pad(nullptr, nullptr, 0), ACLNN_SUCCESS);
    float host[kPadded] = {};
    void *from = device_memory(kPadded), *to = device_memory(kImage);
    is_.status("strict: phase 2 on host memory", pad(host, to), ACLNN_ERR_PARAM_INVALID);
    const char* why = message_();
    is_.that("strict: the message names the tensor", why != nullptr && has(why, "gradOutput"));
    is_.status("strict: phase 2 into host memory", pad(from, host), ACLNN_ERR_PARAM_INVALID);
    why = message_();
    is_.that("strict: the message names the result", why != nullptr && has(why, "gradInput"));
    is_.status("strict: a copy to host memory that is called the device's",
               copy_(host, sizeof(float), host + 1, sizeof(float), ACL_MEMCPY_HOST_TO_DEVICE),
               ACL_ERROR_INVALID_PARAM);
    is_.status("strict: a copy from the device's memory that is called the host's",
               copy_(to, sizeof(float), from, sizeof(float), ACL_MEMCPY_HOST_TO_DEVICE),
               ACL_ERROR_INVALID_PARAM);
    is_.status("strict: a copy within the host's memory",
               copy_(host, sizeof(float), host + 1, sizeof(float), ACL_MEMCPY_HOST_TO_HOST),
               ACL_SUCCESS);
    void* const halves = device_memory(2 * kImage);
    is_.status("strict: phase 2 into the second half of a block", pad(from, halves, 1, kImage),
               ACLNN_SUCCESS);
    is_.status("aclrtFree", release_(halves), ACL_SUCCESS);
    is_.status("strict: phase 2 on a block that is too short", pad(to, from),
               ACLNN_ERR_PARAM_INVALID);
    why = message_();
    is_.that("strict: the message says how many bytes the call needs, and how many there are",
             why != nullptr && has(why, std::to_string(kPadded * sizeof(float)) + " bytes") &&
                 has(why, "has " + std::to_string(kImage * sizeof(float))));
    is_.status("aclrtFree", release_(from), ACL_SUCCESS);
    is_.status("strict: a copy from freed memory that is called the host's",
               copy_(to, sizeof(float), from, sizeof(float), ACL_MEMCPY_HOST_TO_DEVICE),
               ACL_ERROR_INVALID_PARAM);
    is_.status("strict: phase 2 on freed memory", pad(from, to), ACLNN_ERR_PARAM_INVALID);
    why = message_();
    is_.that("strict: the message says that memory was freed", why != nullptr && has(why, "freed"));
    is_.that("strict: what is freed twice is refused", release_(from) != ACL_SUCCESS);
    if (read_in_child(from)) freed = hexadecimal(from);
    is_.status("aclrtMallocHost", allocate_host_(&block, sizeof host), ACL_SUCCESS);
    is_.status("strict: phase 2 on memory of aclrtMallocHost", pad(block, to),
               ACLNN_ERR_PARAM_INVALID);
    is_.status("aclrtFree", release_(to), ACL_SUCCESS);
    // More than are kept out of reach.
    for (int i = 0; i < 1100; ++i)
      is_.status("strict: aclrtFree", release_(device_memory(kImage)), ACL_SUCCESS);
    const std::int64_t one = 1;
    left = create_array_(&one, 1);
  });
  sigaction(SIGSEGV, nullptr, &after);
  is_.that("strict: after aclFinalize the program's handler of SIGSEGV is in force again",
           before.sa_sigaction == after.sa_sigaction);
  float host[2] = {};
  is_.status("a copy to host memory that is called the device's, when strict mode has ended",
             copy_(host, sizeof(float), host + 1, sizeof(float), ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_SUCCESS);
  is_.that("strict: an access to freed memory is told with its address", has(text, freed));
  is_.that("strict: what is left at aclFinalize is listed",
           has(text, "aclIntArray") && has(text, "aclrtMallocHost"));
  is_.status("aclDestroyIntArray", destroy_array_(left), ACLNN_SUCCESS);
  is_.status("aclrtFreeHost", release_host_(block), ACL_SUCCESS);
  const std::string nothing = told("{\"strict\": true}", [] {}),
                    ended = told("{\"strict\": true}", [&] { pad_rightly(); });
  is_.that("strict: what the program has ended is not listed", ended == nothing);
}

std::string Diagnosis::ask(const Diagnostics& promised) {
  is_.status("aclFinalize", finalize_(), ACL_SUCCESS);
  is_.status("aclFinalize again", finalize_(), ACL_ERROR_REPEAT_FINALIZE);
  ask_log();
  if (promised.trace) ask_trace();
  if (promised.strict) ask_strict();
  initialise_again(is_, session_);
  return is_.first();
}

}  // namespace

std::string ask_diagnosis(Session& session, const Diagnostics& promised) {
  return Diagnosis(session).ask(promised);
}

}  // namespace gradproof::props
