// A pool of device memory: what was given back is taken again by the next who needs as much, as
// caching allocators do, without waiting for the stream.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "tests/clients/torch_npu/functions.h"

namespace client {

class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (void* block : all_) MUST(ACL(aclrtFree)(block));
  }

  void* take(std::size_t bytes) {
    std::vector<void*>& free = free_[bytes];
    if (!free.empty()) {
      void* const block = free.back();
      free.pop_back();
      return block;
    }
    void* block = nullptr;
    MUST(ACL(aclrtMalloc)(&block, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    all_.push_back(block);
    return block;
  }
  void give(void* block, std::size_t bytes) {
    if (block != nullptr) free_[bytes].push_back(block);
  }

 private:
  std::map<std::size_t, std::vector<void*>> free_;
  std::vector<void*> all_;
};

}  // namespace client
