// Loads the library, runs a parallel call and unloads it, CYCLES times: the workers that the call
// has woken must find their code. Usage: dlopen_program LIBRARY CYCLES
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <dlfcn.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_pad2d_backward.h"

namespace {

#define REQUIRE(condition)                                                 \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition); \
      std::_Exit(1);                                                       \
    }                                                                      \
  } while (false)

void cycle(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  REQUIRE(library != nullptr);
#define FIND(name) const auto name = reinterpret_cast<decltype(&::name)>(dlsym(library, #name))
  FIND(aclCreateTensor);
  FIND(aclCreateIntArray);
  FIND(aclDestroyTensor);
  FIND(aclDestroyIntArray);
  FIND(aclnnReplicationPad2dBackwardGetWorkspaceSize);
  FIND(aclnnReplicationPad2dBackward);
  FIND(aclrtSynchronizeStream);
#undef FIND
  constexpr std::int64_t kPlanes = 16, kSide = 128;
  const std::int64_t padded[]{kPlanes, kSide + 2, kSide + 2}, plain[]{kPlanes, kSide, kSide};
  const std::int64_t ones[]{1, 1, 1, 1};
  std::vector<float> gradient(kPlanes * (kSide + 2) * (kSide + 2), 1.0f);
  std::vector<float> result(kPlanes * kSide * kSide);
  const auto tensor = [&](const std::int64_t* shape, void* data) {
    return aclCreateTensor(shape, 3, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 3, data);
  };
  aclTensor* const from = tensor(padded, gradient.data());
  aclTensor* const self = tensor(plain, nullptr);
  aclTensor* const to = tensor(plain, result.data());
  aclIntArray* const padding = aclCreateIntArray(ones, 4);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  REQUIRE(aclnnReplicationPad2dBackwardGetWorkspaceSize(from, self, padding, to, &bytes,
                                                        &executor) == 0);
  std::vector<char> workspace(bytes);
  REQUIRE(aclnnReplicationPad2dBackward(workspace.data(), bytes, executor, nullptr) == 0);
  REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
  REQUIRE(result[kSide + 1] == 1.0f && result[0] == 4.0f);
  REQUIRE(aclDestroyTensor(from) == 0 && aclDestroyTensor(self) == 0 && aclDestroyTensor(to) == 0);
  REQUIRE(aclDestroyIntArray(padding) == 0);
  REQUIRE(dlclose(library) == 0);
}

}  // namespace

int main(int argc, char** argv) {
  REQUIRE(argc == 3);
  for (int i = std::atoi(argv[2]); i > 0; --i) cycle(argv[1]);
  return 0;
}
