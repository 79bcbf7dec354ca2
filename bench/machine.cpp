// Reads the machine's description from Linux.
#include "bench/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace gradproof::bench {
namespace {

std::string first_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> machine() {
  std::vector<std::pair<std::string, std::string>> facts = {
      {"processor", processor()}, {"cores", std::to_string(std::thread::hardware_concurrency())}};
  const std::string caches = "/sys/devices/system/cpu/cpu0/cache/index";
  for (int i = 0; i < 8; ++i) {
    const std::string folder = caches + std::to_string(i) + "/";
    const std::string type = first_line(folder + "type");
    if (type.empty() || type == "Instruction") continue;
    facts.emplace_back("L" + first_line(folder + "level") + " cache", first_line(folder + "size"));
  }
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  facts.emplace_back("memory", std::to_string(static_cast<int>(bytes / (1 << 30))) + " GiB");
  utsname system{};
  uname(&system);
  facts.emplace_back("system", std::string(system.sysname) + ", " + system.machine);
  facts.emplace_back("huge pages", first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
  facts.emplace_back("compiler", std::string(
#if defined(__clang__)
                                     "clang " __clang_version__
#else
                                     "gcc " __VERSION__
#endif
                                     ));
  return facts;
}

}  // namespace gradproof::bench
