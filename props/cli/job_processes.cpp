// Starts the processes of a command, and collects what they send through pipes.
#include "props/cli/job_processes.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <string>

#include "props/campaign/progress.h"
#include "props/cases/input_error.h"
#include "props/cases/processors.h"

namespace gradproof::cli {
namespace {

using Json = nlohmann::json;

/// Memory shared by all jobs.
struct Shared {
  campaign::Tally tally;
  std::atomic<bool> stopping{false};  ///< the first process knows of the interrupt
};

class SharedMemory {
 public:
  SharedMemory()
      : memory_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {
    if (memory_ == MAP_FAILED) throw props::HostError("cannot allocate memory shared by the jobs");
    new (memory_) Shared;
  }
  ~SharedMemory() { munmap(memory_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  Shared& operator*() const { return *static_cast<Shared*>(memory_); }

 private:
  void* memory_;
};

struct Job {
  pid_t process = -1;
  int pipe = -1;
  std::string text;  ///< what it has sent so far
};

void send(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(to, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

/// What the work returns or throws.
Json told_by(const JobWork& work, int job, campaign::Tally& tally) {
  try {
    return {{"result", work(job, tally)}};
  } catch (const std::bad_alloc&) {
    return {{"memory", true}};
  } catch (const props::HostError& e) {
    return {{"host", e.what()}};
  } catch (const std::exception& e) {
    return {{"error", e.what()}};
  }
}

[[noreturn]] void live(const JobWork& work, int job, Shared& shared, pid_t parent, int to) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before the line above
  const Json told = told_by(work, job, shared.tally);
  send(to, told.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::cout.flush();
  // A signal to one job stops the whole command.
  if (campaign::interrupted() && !shared.stopping) kill(parent, campaign::interrupted_by());
  _exit(0);
}

Job start(const JobWork& work, int job, Shared& shared) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw props::HostError(std::string("pipe: ") + std::strerror(errno));
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t parent = getpid(), process = fork();
  if (process < 0) throw props::HostError(std::string("fork: ") + std::strerror(errno));
  if (process == 0) {
    close(ends[0]);
    live(work, job, shared, parent, ends[1]);
  }
  close(ends[1]);
  return {process, ends[0], {}};
}

/// Collects the output of the jobs until all have ended. Forwards an interrupt once: a terminal
/// sends it to all processes, but kill(1) only to this one.
void collect(std::vector<Job>& jobs, Shared& shared) {
  for (std::size_t open = jobs.size(); open > 0;) {
    if (campaign::interrupted() && !shared.stopping.exchange(true)) {
      for (const Job& job : jobs) kill(job.process, campaign::interrupted_by());
    }
    std::vector<pollfd> pipes;
    for (const Job& job : jobs) pipes.push_back({job.pipe, POLLIN, 0});
    if (poll(pipes.data(), pipes.size(), 200) <= 0) continue;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (pipes[i].revents == 0) continue;
      char buffer[1 << 16];
      const ssize_t n = read(jobs[i].pipe, buffer, sizeof buffer);
      if (n > 0) {
        jobs[i].text.append(buffer, static_cast<std::size_t>(n));
      } else if (n == 0) {
        close(jobs[i].pipe);
        jobs[i].pipe = -1;  // poll ignores it
        --open;
      }
    }
  }
  for (const Job& job : jobs) waitpid(job.process, nullptr, 0);
}

/// Throws what the job threw.
void rethrow(const Json& told) {
  if (told.contains("memory")) throw std::bad_alloc();
  if (told.contains("host")) throw props::HostError(told["host"].get<std::string>());
  if (told.contains("error")) throw props::InputError(told["error"].get<std::string>());
}

/// Why the job has no result, in words.
std::string why(const Json& told) {
  try {
    rethrow(told);
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const props::InputError& e) {
    return e.what();
  }
  return "ended without a report";
}

}  // namespace

std::vector<Json> run_jobs(int jobs, const JobWork& work) {
  const SharedMemory memory;
  std::vector<Job> running;
  for (int i = 0; i < jobs; ++i) running.push_back(start(work, i, *memory));
  collect(running, *memory);
  std::vector<Json> told, results;
  bool any = false;
  for (const Job& job : running) {
    told.push_back(Json::parse(job.text, nullptr, false));
    if (told.back().is_discarded()) told.back() = Json::object();
    any = any || told.back().contains("result");
  }
  if (!any) std::ranges::for_each(told, rethrow);
  for (std::size_t i = 0; i < told.size(); ++i) {
    results.push_back(told[i].contains("result") ? std::move(told[i]["result"]) : Json());
    if (results.back().is_null())
      std::cerr << "gradproof: job " << i + 1 << ": " << why(told[i]) << '\n';
  }
  return results;
}

int job_count(int asked) { return asked == 0 ? props::processors() : asked; }

}  // namespace gradproof::cli
