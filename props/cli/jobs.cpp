// Each job is a shard: it runs every N-th case and sends its report through a pipe.
#include "props/cli/jobs.h"

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
#include <nlohmann/json.hpp>
#include <thread>

#include "props/campaign/campaign.h"
#include "props/campaign/join_alike.h"
#include "props/campaign/progress.h"
#include "props/cases/input_error.h"
#include "props/cases/processors.h"
#include "props/report/json.h"
#include "props/report/merge.h"

namespace gradproof::cli {
namespace {

using Json = nlohmann::json;

Outcome run(campaign::Campaign& campaign) {
  Outcome outcome;
  try {
    campaign.run();
  } catch (const std::bad_alloc&) {
    outcome.whole = false;
    std::cerr << "gradproof: out of memory; the campaign ends here\n";
  } catch (const props::HostError& e) {
    outcome.whole = false;
    std::cerr << "gradproof: " << e.what() << "\ngradproof: the campaign ends here\n";
  }
  outcome.report = campaign.report();
  outcome.given_up = campaign.given_up();
  return outcome;
}

/// Memory shared by all jobs.
struct Shared {
  campaign::Tally tally;
  std::atomic<bool> stopping{false};  ///< the first process knows that the campaign is interrupted
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

[[noreturn]] void live(const campaign::Settings& settings, const Shared& shared, pid_t parent,
                       int to) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before the line above
  Json told;
  try {
    campaign::Campaign campaign(settings);
    const Outcome outcome = run(campaign);
    told = {{"report", report::to_json(outcome.report)},
            {"causes", campaign.causes().to_json()},
            {"given_up", outcome.given_up},
            {"whole", outcome.whole}};
  } catch (const std::exception& e) {
    told = {{"error", e.what()}};
  }
  send(to, told.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::cout.flush();
  // A signal to one job stops the whole campaign.
  if (campaign::interrupted() && !shared.stopping) kill(parent, campaign::interrupted_by());
  _exit(0);
}

Job start(const campaign::Settings& settings, const Shared& shared) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw props::HostError(std::string("pipe: ") + std::strerror(errno));
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t parent = getpid(), process = fork();
  if (process < 0) throw props::HostError(std::string("fork: ") + std::strerror(errno));
  if (process == 0) {
    close(ends[0]);
    live(settings, shared, parent, ends[1]);
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

Outcome join(const std::vector<Job>& jobs, const campaign::Shard& shard) {
  Outcome all;
  std::vector<report::NamedReport> reports;
  // Findings are grouped by cause over all jobs, as in a single process.
  campaign::Causes causes(nullptr);
  std::vector<report::Failure> failures, without_cause;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string name = "job " + std::to_string(i + 1);
    const Json told = Json::parse(jobs[i].text, nullptr, false);
    if (told.is_discarded()) {
      all.whole = false;
      std::cerr << "gradproof: " << name << " ended without a report\n";
      continue;
    }
    if (told.contains("error")) throw props::InputError(told["error"].get<std::string>());
    report::Report report = report::from_json(told["report"], name);
    const std::size_t known = causes.size();
    causes.add(told["causes"]);
    const auto middle =
        report.failures.begin() + static_cast<std::ptrdiff_t>(causes.size() - known);
    failures.insert(failures.end(), report.failures.begin(), middle);
    without_cause.insert(without_cause.end(), middle, report.failures.end());
    report.failures.clear();
    reports.push_back({name, std::move(report)});
    all.given_up += told["given_up"].get<std::uint64_t>();
    all.whole = all.whole && told["whole"];
  }
  if (reports.empty()) throw props::HostError("no job finished");
  all.report = report::as_one_part(report::merge(reports, true), shard.index, shard.count);
  failures.insert(failures.end(), without_cause.begin(), without_cause.end());
  all.report.failures = std::move(failures);
  causes.learn();
  campaign::join_alike(causes, all.report);
  return all;
}

}  // namespace

Outcome run_campaign(campaign::Settings settings, int jobs) {
  if (jobs == 0) jobs = props::processors();
  if (jobs == 1 || !settings.fork) {
    campaign::Campaign campaign(std::move(settings));
    return run(campaign);
  }
  const SharedMemory memory;
  settings.tally = &(*memory).tally;
  const campaign::Shard shard = settings.shard;
  std::vector<Job> running;
  for (int i = 0; i < jobs; ++i) {
    campaign::Settings own = settings;
    own.shard = {shard.index + i * shard.count, shard.count * jobs};
    own.silent = i > 0;
    running.push_back(start(own, *memory));
  }
  collect(running, *memory);
  return join(running, shard);
}

}  // namespace gradproof::cli
