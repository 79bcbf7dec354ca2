// Reads the configuration of the environment, if the library lets it; with an argument it says
// whose rights it has.
#include <cstdio>

#include <unistd.h>

#include "acl/acl.h"

int main(int argc, char**) {
  if (argc > 1) {
    std::printf("%d\n", static_cast<int>(geteuid()));
    return 0;
  }
  return aclInit(nullptr) == 0 && aclFinalize() == 0 ? 0 : 1;
}
