// Linked with the archive, which comes last as usual: a constructor of a global uses the library
// before its own globals are constructed, a destructor after main() and after theirs.
#include <cstdlib>
#include <memory>

#include "tests/process/scenario.h"

namespace {

using gradproof::test::PadCall;

void use() {
  PadCall call;
  void* block = nullptr;
  REQUIRE(aclrtMalloc(&block, 100, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  REQUIRE(call.launch(nullptr) == 0);
  REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
  REQUIRE(call.done());
  REQUIRE(aclrtFree(block) == 0);
}

struct Global {
  Global() {
    setenv("GRADPROOF_LOG", "off", 1);
    REQUIRE(aclInit(nullptr) == 0);
    REQUIRE(aclrtCreateStream(&stream) == 0);
    REQUIRE(aclrtMalloc(&block, 1000, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
    use();
  }
  ~Global() {
    use();
    REQUIRE(aclrtFree(block) == 0);
    REQUIRE(aclrtDestroyStream(stream) == 0);
    REQUIRE(aclFinalize() == 0);
  }
  aclrtStream stream = nullptr;
  void* block = nullptr;
} global;

}  // namespace

int main() { use(); }
