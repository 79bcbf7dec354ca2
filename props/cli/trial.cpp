// Trials in child processes. They report through a pipe, one line of JSON for each result as soon
// as it is known, so that a later crash loses nothing.
#include "props/cli/trial.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "props/campaign/campaign.h"
#include "props/cases/describe/size.h"
#include "props/cases/input_error.h"

namespace gradproof::cli {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using Tell = std::function<void(const Json&)>;

/// Seconds; longer than the suite's own time limit for a call.
constexpr double kPatience = 60;

/// Seconds; longer than a hundred cases of each property take on a busy machine.
constexpr double kPatienceForOthers = 1800;

/// Most elements of a case that is run: a refused call may have more than fits into memory.
constexpr std::int64_t kPerformed = 1 << 20;

struct Ended {
  std::vector<Json> told;
  std::string how;  ///< "crash", "hang" or "exit"; empty if the child finished
  std::string why;  ///< the signal
};

void write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(to, text.data() + done, text.size() - done);
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void live(int to, const std::function<void(const Tell&)>& body) {
  // Only the parent prints to the user; the library's output is dropped.
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  const Tell tell = [to](const Json& what) {
    write_all(to, what.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  };
  try {
    body(tell);
    tell({{"end", true}});
  } catch (const std::exception& e) {
    tell({{"error", e.what()}, {"end", true}});
  }
  _exit(0);
}

std::string read_until(int from, pid_t child, Clock::time_point deadline, bool& late) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{from, POLLIN, 0};
    const int ready = left > 0 ? poll(&wait, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      late = true;
      kill(child, SIGKILL);
      return text;
    }
    const ssize_t n = read(from, buffer, sizeof buffer);
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

/// Runs `body` in a child for at most `seconds`.
Ended in_child(double seconds, const std::function<void(const Tell&)>& body) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw props::InputError(std::string("pipe: ") + std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) throw props::InputError(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    close(ends[0]);
    live(ends[1], body);
  }
  close(ends[1]);
  bool late = false;
  const auto limit = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  std::istringstream lines(read_until(ends[0], child, Clock::now() + limit, late));
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Ended ended;
  bool complete = false;
  for (std::string line; std::getline(lines, line);) {
    Json told = Json::parse(line, nullptr, false);
    if (told.is_discarded()) continue;
    complete = complete || told.contains("end");
    ended.told.push_back(std::move(told));
  }
  if (late) {
    ended.how = "hang";
  } else if (WIFSIGNALED(status)) {
    ended.how = "crash";
    ended.why = strsignal(WTERMSIG(status));
  } else if (!complete) {
    ended.how = "exit";
  }
  return ended;
}

/// Reports which other properties fail too: on the counterexample, and in a campaign of other
/// cases.
void find_others(const campaign::Settings& settings, std::uint64_t ablation_cases,
                 const report::Failure& failure, const Tell& tell) {
  const auto fails = [&](std::string_view property) { tell({{"fails", property}}); };
  const props::Case test = props::parse_case(failure.test);
  const std::vector<const props::Property*> properties = campaign::chosen_properties(settings);
  if (props::largest_tensor(test) <= kPerformed) {
    campaign::Checker checker(settings);
    for (const props::Property* property : properties) {
      if (property->name == failure.property || !checker.meets(*property, test)) continue;
      if (!checker.attempt(*property, test).held) fails(property->name);
    }
  }
  for (const props::Property* property : properties) {
    if (property->name == failure.property) continue;
    campaign::Settings one = settings;
    one.properties = {property};
    one.max_failures = 1;
    one.cases = ablation_cases;
    one.shrink_seconds = 0;
    campaign::Campaign campaign(one);
    campaign.run();
    if (!campaign.report().failures.empty()) fails(property->name);
  }
}

}  // namespace

Trial try_library(const campaign::Settings& settings, std::uint64_t ablation_cases) {
  const auto start = Clock::now();
  // Shrinking a case that hangs takes longer.
  const double limit = settings.seconds + 3 * settings.shrink_seconds +
                       (ablation_cases > 0 ? kPatienceForOthers : 0) + kPatience;
  const Ended ended = in_child(limit, [&](const Tell& tell) {
    campaign::Settings until_first = settings;
    until_first.max_failures = 1;
    campaign::Campaign campaign(until_first);
    campaign.run();
    const report::Report& report = campaign.report();
    Json told = {{"cases", report.cases()},
                 {"boundary_cases", report.boundary_cases()},
                 {"seconds", campaign.elapsed()}};
    const report::Failure* failure = report.failures.empty() ? nullptr : &report.failures.front();
    if (failure != nullptr) {
      told["seconds"] = campaign.seconds_to_failure();
      told["property"] = failure->property;
      told["case"] = failure->test;
      told["finding"] = failure->finding;
    }
    tell(told);
    if (failure != nullptr && ablation_cases > 0)
      find_others(settings, ablation_cases, *failure, tell);
  });

  Trial trial;
  for (const Json& told : ended.told) {
    if (told.contains("error")) trial.error = told["error"];
    if (told.contains("cases")) {
      trial.cases = told["cases"];
      trial.boundary_cases = told["boundary_cases"];
      trial.seconds = told["seconds"];
    }
    if (told.contains("property")) {
      trial.caught = true;
      trial.property = told["property"];
      trial.test = told["case"];
      trial.finding = told["finding"];
      trial.properties.insert(trial.property);
    }
    if (told.contains("fails")) trial.properties.insert(std::string(told["fails"]));
  }
  if (!ended.how.empty() && !trial.caught) {
    trial.caught = true;
    trial.property = ended.how;
    trial.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    trial.finding = ended.why;
    trial.properties.insert(ended.how);
  }
  return trial;
}

Recheck recheck(const campaign::Settings& settings, const std::string& property,
                const std::string& test) {
  const Ended ended = in_child(kPatience, [&](const Tell& tell) {
    campaign::Checker checker(settings);
    const props::Case c = props::parse_case(test);
    const props::Property* chosen = props::find_property(property);
    if (checker.meets(*chosen, c)) tell({{"held", checker.attempt(*chosen, c).held}});
  });
  if (!ended.how.empty() || ended.told.empty() || !ended.told[0].contains("held"))
    return Recheck::ended;
  return ended.told[0]["held"] ? Recheck::held : Recheck::violated;
}

}  // namespace gradproof::cli
