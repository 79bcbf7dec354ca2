// dropin_program FUNCTIONS FILE…: loads each FILE by its path, for itself alone or for all, and
// looks every function of the list FUNCTIONS up in it, as programs do that know CANN's libraries by
// name: each is there, and all files have the same one, of libgradproof. Then a library is loaded
// that was linked with CANN's libascendcl.so, if PLUGIN names one.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

int main(int count, char** arguments) {
  int wrong = 0;
  std::map<std::string, void*> first;
  for (int i = 2; i < count; ++i) {
    void* file = dlopen(arguments[i], RTLD_NOW | (i % 2 == 0 ? RTLD_LOCAL : RTLD_GLOBAL));
    if (file == nullptr) {
      std::printf("%s\n", dlerror());
      return 1;
    }
    std::ifstream functions(arguments[1]);
    for (std::string name; functions >> name;) {
      void* found = dlsym(file, name.c_str());
      Dl_info home{};
      if (found == nullptr || dladdr(found, &home) == 0 ||
          std::strstr(home.dli_fname, "libgradproof") == nullptr ||
          first.emplace(name, found).first->second != found) {
        std::printf("%s: %s is in %s\n", arguments[i], name.c_str(),
                    home.dli_fname == nullptr ? "no file" : home.dli_fname);
        ++wrong;
      }
    }
  }
  if (const char* plugin = std::getenv("PLUGIN")) {
    void* file = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
    if (file == nullptr) {
      std::printf("%s\n", dlerror());
      return 1;
    }
    std::printf("%s\n", reinterpret_cast<const char* (*)()>(dlsym(file, "soc_name"))());
  }
  return wrong == 0 ? 0 : 1;
}
