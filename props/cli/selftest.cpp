// gradproof selftest: the campaign on faulty libraries. A suite that finds nothing may be blind.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "props/cases/input_error.h"
#include "props/cases/shapes.h"
#include "props/cli/catalogue.h"
#include "props/cli/progress.h"
#include "props/cli/trial.h"

namespace gradproof::cli {
namespace {

using Json = nlohmann::json;

/// Seconds after which a check on a faulty library hangs: its cases are small.
constexpr double kTimeout = 5;

/// One line of the table.
struct Row {
  const Fault* fault = nullptr;  ///< null for the sound library
  bool done = false;
  Trial trial;
  std::string wrong;  ///< why the counterexample does not count
};

std::vector<Fault> choose(std::vector<Fault> all, const std::vector<std::string>& names) {
  if (names.empty()) return all;
  std::vector<Fault> chosen;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Fault& f) { return f.name == name; });
    if (found == all.end()) throw props::InputError("the catalogue has no fault '" + name + "'");
    chosen.push_back(*found);
  }
  return chosen;
}

Row judge(const Options& options, const Fault* fault) {
  Row row;
  row.fault = fault;
  Options on_it = options;
  on_it.seconds = fault != nullptr ? options.seconds_per_fault : options.sound_seconds;
  on_it.cases = 0;
  on_it.operators.clear();
  if (fault != nullptr) {
    on_it.libraries = {fault->library};
    on_it.timeout = std::min(options.timeout, kTimeout);
    on_it.operators = {fault->op};
  }
  row.trial = try_library(on_it);
  if (fault == nullptr || row.trial.test.empty()) return row;
  // The counterexample has to stand alone, and to be the fault's and not the suite's.
  if (fault->alone && recheck(on_it, row.trial.property, row.trial.test) == Recheck::held) {
    row.wrong = "its counterexample does not reproduce alone";
  } else if (recheck(options, row.trial.property, row.trial.test) != Recheck::held) {
    row.wrong = "the sound library fails its counterexample";
  }
  return row;
}

Json to_json(const Row& row) {
  const Trial& t = row.trial;
  return {{"caught", t.caught},   {"property", t.property},     {"cases", t.cases},
          {"attacks", t.attacks}, {"seconds", t.seconds},       {"case", t.test},
          {"finding", t.finding}, {"properties", t.properties}, {"error", t.error},
          {"wrong", row.wrong}};
}

void from_json(const Json& json, Row& row) {
  Trial& t = row.trial;
  json.at("caught").get_to(t.caught);
  json.at("property").get_to(t.property);
  json.at("cases").get_to(t.cases);
  json.at("attacks").get_to(t.attacks);
  json.at("seconds").get_to(t.seconds);
  json.at("case").get_to(t.test);
  json.at("finding").get_to(t.finding);
  json.at("properties").get_to(t.properties);
  json.at("error").get_to(t.error);
  json.at("wrong").get_to(row.wrong);
  row.done = true;
}

/// Judges rows in worker processes, several at a time. This process never loads a library, so it
/// stays single-threaded and may fork.
class Workers {
 public:
  Workers(const Options& options, std::vector<Row>& rows) : options_(options), rows_(rows) {
    const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
    jobs_ = options.jobs > 0 ? static_cast<std::size_t>(options.jobs) : processors;
  }

  void run(Progress& progress) {
    std::size_t next = 0, done = 0;
    while ((next < rows_.size() && !interrupted()) || !running_.empty()) {
      while (running_.size() < jobs_ && next < rows_.size() && !interrupted()) start(next++);
      done += collect();
      progress.show("selftest: " + std::to_string(done) + " of " + std::to_string(rows_.size()));
    }
  }

 private:
  struct Worker {
    pid_t process;
    int pipe;
    std::size_t row;
    std::string text;
  };

  void start(std::size_t row) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw props::InputError("no more pipes");
    const pid_t process = fork();
    if (process < 0) throw props::InputError("no more processes");
    if (process == 0) {
      std::string text;
      try {
        text = to_json(judge(options_, rows_[row].fault))
                   .dump(-1, ' ', false, Json::error_handler_t::replace);
      } catch (const std::exception&) {
        _exit(kWrong);
      }
      for (std::size_t at = 0; at < text.size();) {
        const ssize_t n = write(ends[1], text.data() + at, text.size() - at);
        if (n <= 0) _exit(kWrong);
        at += static_cast<std::size_t>(n);
      }
      _exit(kHeld);
    }
    close(ends[1]);
    running_.push_back({process, ends[0], row, {}});
  }

  /// Waits until some worker says something; returns how many ended.
  std::size_t collect() {
    std::vector<pollfd> pipes;
    for (const Worker& w : running_) pipes.push_back({w.pipe, POLLIN, 0});
    if (poll(pipes.data(), pipes.size(), 200) <= 0) return 0;
    std::size_t ended = 0;
    for (std::size_t i = pipes.size(); i-- > 0;) {
      if (pipes[i].revents == 0) continue;
      Worker& w = running_[i];
      char buffer[4096];
      const ssize_t n = read(w.pipe, buffer, sizeof buffer);
      if (n > 0) {
        w.text.append(buffer, static_cast<std::size_t>(n));
        continue;
      }
      close(w.pipe);
      waitpid(w.process, nullptr, 0);
      const Json json = Json::parse(w.text, nullptr, false);
      if (!json.is_discarded()) from_json(json, rows_[w.row]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      ++ended;
    }
    return ended;
  }

  const Options& options_;
  std::vector<Row>& rows_;
  std::size_t jobs_ = 1;
  std::vector<Worker> running_;
};

/// Elements of the largest tensor, "huge" if an extent that no memory holds is part of the case.
std::string size_of(const std::string& test) {
  if (test.empty()) return "-";
  std::int64_t most = 0;
  for (const ref::Tensor& t : props::parse_case(test).call.tensors) {
    const auto count = props::element_count(t.shape);
    if (!count || *count > std::int64_t{1} << 40) return "huge";
    most = std::max(most, *count);
  }
  return std::to_string(most);
}

std::string joined(const std::set<std::string>& words, const std::string& first) {
  std::string text = first;
  for (const std::string& word : words) {
    if (word != first) text += " " + word;
  }
  return text;
}

bool good(const Row& row) {
  if (!row.done || !row.trial.error.empty() || !row.wrong.empty()) return false;
  return row.fault == nullptr ? !row.trial.caught : row.trial.caught;
}

void print_table(const std::vector<Row>& rows) {
  std::size_t width = 5;
  for (const Row& row : rows)
    width = std::max(width, row.fault == nullptr ? 0 : row.fault->name.size());
  char line[512];
  std::snprintf(line, sizeof line, "%-*s %-6s %7s %8s %8s %9s  %s\n", static_cast<int>(width),
                "fault", "caught", "cases", "attacks", "seconds", "elements",
                "by (the first one first)");
  std::cout << line;
  for (const Row& row : rows) {
    if (row.fault == nullptr) continue;
    const Trial& t = row.trial;
    std::snprintf(line, sizeof line, "%-*s %-6s %7llu %8llu %8.2f %9s  ", static_cast<int>(width),
                  row.fault->name.c_str(), good(row) ? "yes" : "NO",
                  static_cast<unsigned long long>(t.cases),
                  static_cast<unsigned long long>(t.attacks), t.seconds, size_of(t.test).c_str());
    std::cout << line << joined(t.properties, t.property) << '\n';
  }
}

void print_troubles(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (good(row)) continue;
    const std::string name = row.fault == nullptr ? "the sound library" : row.fault->name;
    if (!row.done) {
      std::cout << "not tried: " << name << '\n';
    } else if (!row.trial.error.empty()) {
      std::cout << "not judged: " << name << ": " << row.trial.error << '\n';
    } else if (row.fault == nullptr) {
      std::cout << "FALSE ALARM: " << row.trial.property << ": " << row.trial.finding << "\n  "
                << row.trial.test << '\n';
    } else if (!row.trial.caught) {
      std::cout << "ESCAPED: " << name << ": " << row.fault->defect
                << " Expected: " << row.fault->expected << '\n';
    } else {
      std::cout << "NOT PROVED: " << name << ": " << row.wrong << ": " << row.trial.property
                << "\n  " << row.trial.test << '\n';
    }
  }
}

/// Per property how many faults it catches, and which of them nothing else does.
void print_ablation(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<std::string>> only;
  std::map<std::string, std::size_t> catches;
  for (const Row& row : rows) {
    if (row.fault == nullptr || !row.trial.caught) continue;
    for (const std::string& property : row.trial.properties) ++catches[property];
    if (row.trial.properties.size() == 1)
      only[*row.trial.properties.begin()].push_back(row.fault->name);
  }
  std::cout << "\nproperty: faults that it catches, and those that only it catches\n";
  for (const props::Property& property : props::properties())
    catches.try_emplace(std::string(property.name), 0);
  for (const auto& [name, count] : catches) {
    std::cout << name << ": " << count;
    const char* separator = ", alone: ";
    for (const std::string& fault : only[name]) {
      std::cout << separator << fault;
      separator = ", ";
    }
    std::cout << '\n';
  }
}

}  // namespace

int selftest(const Options& options) {
  catch_interrupts();
  const std::vector<Fault> faults = choose(read_catalogue(options.faulty), options.faults);
  // The sound library comes first, for it takes longest.
  std::vector<Row> rows(options.sound_seconds > 0 ? 1 : 0);
  for (const Fault& fault : faults) rows.emplace_back().fault = &fault;
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress(options.progress);
    Workers(options, rows).run(progress);
  }
  print_table(rows);
  if (options.ablation_seconds > 0) print_ablation(rows);
  std::cout << '\n';
  print_troubles(rows);

  std::vector<double> times;
  for (const Row& row : rows) {
    if (row.fault != nullptr && good(row)) times.push_back(row.trial.seconds);
  }
  std::sort(times.begin(), times.end());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  char line[300];
  std::snprintf(line, sizeof line, "recall %zu of %zu (%.0f %%), median time to detection %.2f s",
                times.size(), faults.size(),
                100.0 * static_cast<double>(times.size()) / static_cast<double>(faults.size()),
                times.empty() ? 0.0 : times[times.size() / 2]);
  std::cout << line;
  if (rows.front().fault == nullptr) {
    std::snprintf(line, sizeof line, "; the sound library: %s in %.0f s",
                  good(rows.front()) ? "no alarm" : "ALARM", rows.front().trial.seconds);
    std::cout << line;
  }
  std::snprintf(line, sizeof line, "; took %.0f s\n", took.count());
  std::cout << line;
  return std::all_of(rows.begin(), rows.end(), good) ? kHeld : kViolated;
}

}  // namespace gradproof::cli
