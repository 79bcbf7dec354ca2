// Memory from the program's own allocator: gradproof_set_allocator.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gradproof/config.h"
#include "props/services/answers.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kBytes = 3000;

/// One block at a time, and what the library asked for.
struct Program {
  bool empty = false;             ///< has no memory
  std::size_t misplaced = 0;      ///< bytes behind the alignment
  int given = 0, taken_back = 0;  ///< blocks
  bool as_asked = true;           ///< what came back is what was given, by all numbers
  void* start = nullptr;
  std::size_t bytes = 0, alignment = 0;
  gradproofMemory memory = GRADPROOF_MEMORY_DEVICE;

  static void* allocate(std::size_t bytes, std::size_t alignment, gradproofMemory memory,
                        void* user) {
    auto& self = *static_cast<Program*>(user);
    if (self.empty) return nullptr;
    ++self.given;
    self.bytes = bytes;
    self.alignment = alignment;
    self.memory = memory;
    const std::size_t whole = (bytes + 2 * alignment - 1) / alignment * alignment;
    self.start = static_cast<std::byte*>(std::aligned_alloc(alignment, whole)) + self.misplaced;
    return self.start;
  }
  static void release(void* start, std::size_t bytes, gradproofMemory memory, void* user) {
    auto& self = *static_cast<Program*>(user);
    ++self.taken_back;
    self.as_asked =
        self.as_asked && start == self.start && bytes == self.bytes && memory == self.memory;
    std::free(static_cast<std::byte*>(self.start) - self.misplaced);
  }
};

class Allocator {
 public:
  explicit Allocator(const Library& of) : library(of) {}
  std::string ask();

 private:
  template <class Allocate>
  void ask_kind(const std::string& name, gradproofMemory memory, Allocate allocate,
                aclError (*release)(void*));

  const Library& library;
  Answers is_;
  Program program_;
  GRADPROOF_FIND_MEMBER(set_, gradproof_set_allocator);
  GRADPROOF_FIND_MEMBER(option_, gradproof_option);
  GRADPROOF_FIND_MEMBER(malloc_device_, aclrtMalloc);
  GRADPROOF_FIND_MEMBER(free_device_, aclrtFree);
  GRADPROOF_FIND_MEMBER(malloc_host_, aclrtMallocHost);
  GRADPROOF_FIND_MEMBER(free_host_, aclrtFreeHost);
};

/// The allocator is in force before and after.
template <class Allocate>
void Allocator::ask_kind(const std::string& name, gradproofMemory memory, Allocate allocate,
                         aclError (*release)(void*)) {
  const gradproofAllocator own{Program::allocate, Program::release, &program_};
  void *block = nullptr, *none = nullptr;
  const int given = program_.given, taken_back = program_.taken_back;
  is_.status(name + " from the program's allocator", allocate(&block), ACL_SUCCESS);
  is_.that(name + " takes one block from the program's allocator, large enough and of its kind",
           program_.given == given + 1 && block == program_.start && program_.bytes >= kBytes &&
               program_.alignment % 64 == 0 && program_.memory == memory);
  is_.status("gradproof_set_allocator of null", set_(nullptr), ACL_SUCCESS);
  if (block != nullptr) is_.status("freeing a block of the program's", release(block), ACL_SUCCESS);
  is_.that("a block goes back to the allocator that it is from, at once and as it was",
           program_.taken_back == taken_back + 1 && program_.as_asked);
  is_.status(name + " without an allocator", allocate(&block), ACL_SUCCESS);
  is_.status("freeing it", release(block), ACL_SUCCESS);
  is_.that("an allocator that was withdrawn is not called",
           program_.given == given + 1 && program_.taken_back == taken_back + 1);
  is_.status("gradproof_set_allocator", set_(&own), ACL_SUCCESS);
  program_.empty = true;
  is_.status(name + " where the allocator has nothing", allocate(&none), ACL_ERROR_BAD_ALLOC);
  program_.empty = false;
  program_.misplaced = 8;
  is_.status(name + " where the allocator does not align", allocate(&none), ACL_ERROR_BAD_ALLOC);
  is_.that("a block that is not aligned goes back",
           none == nullptr && program_.taken_back == taken_back + 2 && program_.as_asked);
  program_.misplaced = 0;
}

std::string Allocator::ask() {
  const gradproofAllocator own{Program::allocate, Program::release, &program_};
  gradproofAllocator half = own;
  half.release = nullptr;
  is_.status("gradproof_set_allocator without release", set_(&half), ACL_ERROR_INVALID_PARAM);
  half = own;
  half.allocate = nullptr;
  is_.status("gradproof_set_allocator without allocate", set_(&half), ACL_ERROR_INVALID_PARAM);
  is_.status("gradproof_set_allocator", set_(&own), ACL_SUCCESS);
  const char* const strict = option_("strict");
  if (strict != nullptr && std::string(strict) == "0") {  // else device memory is not the program's
    ask_kind(
        "aclrtMalloc", GRADPROOF_MEMORY_DEVICE,
        [&](void** out) { return malloc_device_(out, kBytes, ACL_MEM_MALLOC_HUGE_FIRST); },
        free_device_);
  }
  ask_kind(
      "aclrtMallocHost", GRADPROOF_MEMORY_HOST,
      [&](void** out) { return malloc_host_(out, kBytes); }, free_host_);
  is_.status("gradproof_set_allocator of null", set_(nullptr), ACL_SUCCESS);
  return is_.first();
}

}  // namespace

std::string ask_allocator(const Library& library) { return Allocator(library).ask(); }

}  // namespace gradproof::props
