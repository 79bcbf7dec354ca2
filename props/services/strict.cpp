// Strict device mode: which mistakes it finds, and what it tells of them.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "props/services/diagnosed_library.h"
#include "props/services/ended.h"

namespace gradproof::props {
namespace {

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

/// Whether processor and system have memory protection keys, and one is left.
bool has_protection_keys() {
  const int key = pkey_alloc(0, 0);
  return key >= 0 && pkey_free(key) == 0;
}

/// All 16 digits.
std::string hexadecimal(const void* at) {
  char text[17];
  std::snprintf(text, sizeof text, "%016jx", reinterpret_cast<std::uintmax_t>(at));
  return text;
}

/// Bytes of this process that are in memory.
std::int64_t resident_bytes() {
  std::int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

constexpr std::int64_t kOne = 1;

/// Creates an array. All of its code is within kLength bytes of its begin; its caller is longer,
/// and calls it at its end.
[[gnu::noinline]] aclIntArray* leave_array(decltype(&aclCreateIntArray) create) {
  aclIntArray* const left = create(&kOne, 1);
  asm volatile("" ::: "memory");  // or the call is a jump, and the place is the caller's
  return left;
}
constexpr std::uintptr_t kLength = 128;

/// Whether the line names a place in leave_array: "(prog+0x11ab)".
bool is_place_in_leave_array(const std::string& line) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&leave_array);
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(begin), &own) == 0) return false;
  const std::string file = "(" + std::string(own.dli_fname) + "+0x";
  const std::size_t at = line.find(file);
  if (at == std::string::npos) return false;
  const std::uintptr_t offset = std::strtoull(line.c_str() + at + file.size(), nullptr, 16);
  return offset + reinterpret_cast<std::uintptr_t>(own.dli_fbase) - begin < kLength;
}

/// What the text has between `from` and the end of that line.
std::string line_from(const std::string& text, const std::string& from) {
  const std::size_t begin = std::min(text.find(from), text.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

class Strict : DiagnosedLibrary {
 public:
  using DiagnosedLibrary::DiagnosedLibrary;
  void ask();

 private:
  /// Calls and copies on memory that is not the device's, or too short. What stderr gets of
  /// accesses of the program to the device's memory and to freed memory has `direct_` and `freed_`
  /// afterwards.
  void ask_memory();
  void ask_freed(void* from, void* to);
  void ask_memory_is_returned();
  std::string message() {
    const char* const text = message_();
    return text != nullptr ? text : "";
  }

  std::string direct_, freed_;
};

void Strict::ask_freed(void* from, void* to) {
  is_.status("aclrtFree", release_(from), ACL_SUCCESS);
  is_.status("strict: a copy from freed memory that is called the host's",
             copy_(to, sizeof(float), from, sizeof(float), ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_ERROR_INVALID_PARAM);
  is_.status("strict: phase 2 on freed memory", pad(from, to), ACLNN_ERR_PARAM_INVALID);
  is_.that("strict: the message says that memory was freed", has(message(), "freed"));
  is_.that("strict: what is freed twice is refused", release_(from) != ACL_SUCCESS);
  for (int i = 0; i < 3; ++i)  // blocks that are freed later must not make it accessible
    is_.status("strict: aclrtFree", release_(device_memory(kImage)), ACL_SUCCESS);
  if (read_in_child(from)) freed_ = hexadecimal(from) + ": access to device memory that was freed";
}

void Strict::ask_memory() {
  pad_rightly();
  is_.status("strict: phase 2 on nothing", pad(nullptr, nullptr, 0), ACLNN_SUCCESS);
  float host[kPadded] = {};
  void *from = device_memory(kPadded), *to = device_memory(kImage);
  if (has_protection_keys() && read_in_child(from))
    direct_ = hexadecimal(from) + ": a thread of the program";
  is_.status("strict: phase 2 on host memory", pad(host, to), ACLNN_ERR_PARAM_INVALID);
  is_.that("strict: the message names the tensor", has(message(), "gradOutput"));
  is_.status("strict: phase 2 into host memory", pad(from, host), ACLNN_ERR_PARAM_INVALID);
  is_.that("strict: the message names the result", has(message(), "gradInput"));
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
  const std::string why = message();
  is_.that("strict: the message says how many bytes the call needs, and how many there are",
           has(why, std::to_string(kPadded * sizeof(float)) + " bytes") &&
               has(why, "has " + std::to_string(kImage * sizeof(float))));
  ask_freed(from, to);
  is_.status("aclrtFree", release_(to), ACL_SUCCESS);
}

/// Of freed blocks the addresses are kept, to find accesses to them.
void Strict::ask_memory_is_returned() {
  constexpr int kBlocks = 16;
  constexpr std::size_t kColumns = std::size_t{1} << 18;  // 1 MiB
  const std::int64_t before = resident_bytes();
  for (int i = 0; i < kBlocks; ++i)
    is_.status("strict: aclrtFree", release_(device_memory(kColumns)), ACL_SUCCESS);
  const std::int64_t more = resident_bytes() - before;
  is_.that("strict: the memory of freed blocks is given back (" + std::to_string(kBlocks) +
               " blocks of 1 MiB were freed, and the process has " + std::to_string(more >> 20) +
               " MiB more)",
           more < (std::int64_t{kBlocks} << 20) / 2);
}

void Strict::ask() {
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
  const std::string text = told("{\"strict\": true}", [&] {
    (void)read_in_child(nullptr);  // before any block is freed
    ask_memory();
    is_.status("aclrtMallocHost", allocate_host_(&block, kPadded * sizeof(float)), ACL_SUCCESS);
    void* const to = device_memory(kImage);
    is_.status("strict: phase 2 on memory of aclrtMallocHost", pad(block, to),
               ACLNN_ERR_PARAM_INVALID);
    is_.status("aclrtFree", release_(to), ACL_SUCCESS);
    ask_memory_is_returned();
    // More than are kept out of reach.
    for (int i = 0; i < 1100; ++i)
      is_.status("strict: aclrtFree", release_(device_memory(kImage)), ACL_SUCCESS);
    left = leave_array(create_array_);
  });
  sigaction(SIGSEGV, nullptr, &after);
  is_.that("strict: after aclFinalize the program's handler of SIGSEGV is in force again",
           before.sa_sigaction == after.sa_sigaction);
  float host[2] = {};
  is_.status("a copy to host memory that is called the device's, when strict mode has ended",
             copy_(host, sizeof(float), host + 1, sizeof(float), ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_SUCCESS);
  is_.that("strict: an access of the program to device memory is told with its address",
           has(text, direct_));
  is_.that("strict: an access to freed memory is told with its address", has(text, freed_));
  is_.that("strict: an access to null is not called one to freed memory",
           !has(text, hexadecimal(nullptr)));
  is_.that("strict: what is left at aclFinalize is listed",
           has(text, "aclIntArray") && has(text, "aclrtMallocHost"));
  is_.that("strict: what is left is listed with the place in the program that created it",
           is_place_in_leave_array(line_from(text, "aclIntArray")));
  is_.status("aclDestroyIntArray", destroy_array_(left), ACLNN_SUCCESS);
  is_.status("aclrtFreeHost", release_host_(block), ACL_SUCCESS);
  const std::string nothing = told("{\"strict\": true}", [] {}),
                    ended = told("{\"strict\": true}", [&] { pad_rightly(); });
  is_.that("strict: what the program has ended is not listed", ended == nothing);
}

}  // namespace

void ask_strict(Answers& is, const Library& library) { Strict(library, is).ask(); }

}  // namespace gradproof::props
