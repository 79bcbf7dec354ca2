// What /proc says of the threads of this process.
#pragma once

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace gradproof::props {

/// The value behind "<name>:" in a thread's status file; "" if the thread has ended.
inline std::string status_of_thread(const std::filesystem::path& thread, const std::string& name) {
  std::ifstream file(thread / "status");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name + ":\t", 0) == 0) return line.substr(name.size() + 2);
  }
  return {};
}

/// Calls f(folder, mask of blocked signals) for each thread.
template <class F>
void each_thread(F&& f) {
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    const std::string blocked = status_of_thread(thread.path(), "SigBlk");
    if (!blocked.empty()) f(thread.path(), std::stoull(blocked, nullptr, 16));
  }
}
inline bool blocks(std::uint64_t mask, int signal) { return (mask >> (signal - 1) & 1) != 0; }

}  // namespace gradproof::props
