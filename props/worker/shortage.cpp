// Looks for a lack of threads behind a failing check.
#include "props/worker/shortage.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>

#include "props/cases/input_error.h"

namespace gradproof::props {

void demand_threads(const Verdict& failed) {
  bool enough = failed.finding.find(std::strerror(EAGAIN)) == std::string::npos;
  try {
    std::thread([] {}).join();
  } catch (const std::system_error&) {
    enough = false;
  }
  if (!enough)
    throw HostError("the host is short of threads or processes (ulimit -u, pids.max): " +
                    failed.finding);
}

}  // namespace gradproof::props
