// gradproof selftest: runs the campaign on faulty libraries, to show that the suite finds defects.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "props/campaign/finding.h"
#include "props/campaign/progress.h"
#include "props/cases/counted.h"
#include "props/cases/describe/size.h"
#include "props/cases/input_error.h"
#include "props/cases/processors.h"
#include "props/cli/catalogue.h"
#include "props/cli/jobs.h"
#include "props/cli/options.h"
#include "props/cli/trial.h"
#include "props/profiles/profile.h"
#include "props/report/faults.h"
#include "props/report/text.h"
#include "props/report/write.h"

namespace gradproof::cli {
namespace {

using Json = nlohmann::json;

/// Seconds after which a check on a faulty library counts as a hang; its cases are small. More than
/// the 5 s in which the property `process` expects a child of fork() to end.
constexpr double kTimeout = 8;
/// Seconds for a small counterexample, whose size is checked: five times as many as in a campaign,
/// for busy machines.
constexpr double kShrink = 10;

/// The test of one fault, or of the unmodified library.
struct Row {
  const Fault* fault = nullptr;  ///< null for the unmodified library
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
    if (found == all.end()) {
      std::vector<std::string_view> known;
      for (const Fault& fault : all) known.push_back(fault.name);
      throw unknown("fault", name, known);
    }
    chosen.push_back(*found);
  }
  return chosen;
}

/// During its lifetime, libraries run in the fault's conformance and are tested with its profile.
class InConformance {
 public:
  InConformance(const std::string& name, campaign::Settings& settings) : set_(!name.empty()) {
    if (!set_) return;
    setenv("GRADPROOF_CONFORMANCE", name.c_str(), 1);
    const profiles::Profile profile = profiles::find_profile("gradproof-" + name);
    settings.subject.profile = profile.text;
    settings.subject.profile_file = profile.file;
  }
  ~InConformance() {
    if (set_) unsetenv("GRADPROOF_CONFORMANCE");
  }
  InConformance(const InConformance&) = delete;
  InConformance& operator=(const InConformance&) = delete;

 private:
  const bool set_;
};

/// Whether the counterexample never fails in a process of its own. Defects between threads show
/// by chance.
bool held_each_time(const campaign::Settings& settings, const Trial& trial) {
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    if (recheck(settings, trial.property, trial.test) != Recheck::held) return false;
  }
  return true;
}

Row judge(const Options& options, const Fault* fault) {
  Row row;
  row.fault = fault;
  campaign::Settings sound = settings(options);
  const InConformance in(fault != nullptr ? fault->conformance : "", sound);
  campaign::Settings on_it = sound;
  on_it.seconds = fault != nullptr ? options.seconds_per_fault : options.sound_seconds;
  on_it.cases = 0;
  on_it.operators.clear();
  if (fault != nullptr) {
    on_it.subject.libraries = {fault->library};
    on_it.repro_options = " --library " + report::shell_word(fault->library);
    if (!fault->conformance.empty())
      on_it.repro_options += " --profile gradproof-" + fault->conformance;
    on_it.timeout = std::min(options.timeout, kTimeout);
    on_it.operators = {parse_operator(fault->op)};
    // The size of the counterexample is checked, unless the fault needs huge tensors.
    if (fault->elements != props::kHuge) on_it.shrink_seconds = kShrink;
  }
  row.trial = try_library(on_it, options.ablation_cases);
  if (fault == nullptr || row.trial.test.empty()) return row;
  // The counterexample must reproduce alone, and must not fail on the unmodified library.
  if (fault->alone && held_each_time(on_it, row.trial)) {
    row.wrong = "its counterexample does not reproduce alone";
  } else if (recheck(sound, row.trial.property, row.trial.test) != Recheck::held) {
    row.wrong = "the unmodified library fails on its counterexample";
  }
  return row;
}

Json to_json(const Row& row) {
  const Trial& t = row.trial;
  return {{"caught", t.caught},   {"property", t.property},
          {"cases", t.cases},     {"boundary_cases", t.boundary_cases},
          {"seconds", t.seconds}, {"case", t.test},
          {"finding", t.finding}, {"properties", t.properties},
          {"error", t.error},     {"wrong", row.wrong}};
}

void from_json(const Json& json, Row& row) {
  Trial& t = row.trial;
  json.at("caught").get_to(t.caught);
  json.at("property").get_to(t.property);
  json.at("cases").get_to(t.cases);
  json.at("boundary_cases").get_to(t.boundary_cases);
  json.at("seconds").get_to(t.seconds);
  json.at("case").get_to(t.test);
  json.at("finding").get_to(t.finding);
  json.at("properties").get_to(t.properties);
  json.at("error").get_to(t.error);
  json.at("wrong").get_to(row.wrong);
  row.done = true;
}

/// Tests rows in parallel worker processes. This process never loads a library, so it stays
/// single-threaded and may fork.
class Workers {
 public:
  Workers(const Options& options, std::vector<Row>& rows) : options_(options), rows_(rows) {
    jobs_ = static_cast<std::size_t>(options.jobs > 0 ? options.jobs : props::processors());
  }

  void run(campaign::Progress& progress) {
    std::size_t next = 0, done = 0;
    while ((next < rows_.size() && !campaign::interrupted()) || !running_.empty()) {
      while (running_.size() < jobs_ && next < rows_.size() && !campaign::interrupted())
        start(next++);
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
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw props::InputError(std::string("pipe: ") + std::strerror(errno));
    const pid_t process = fork();
    if (process < 0) throw props::InputError(std::string("fork: ") + std::strerror(errno));
    if (process == 0) {
      std::string text;
      try {
        text = to_json(judge(options_, rows_[row].fault))
                   .dump(-1, ' ', false, Json::error_handler_t::replace);
      } catch (const std::exception&) {
        _exit(kCannotJudge);
      }
      for (std::size_t at = 0; at < text.size();) {
        const ssize_t n = write(ends[1], text.data() + at, text.size() - at);
        if (n <= 0) _exit(kCannotJudge);
        at += static_cast<std::size_t>(n);
      }
      _exit(kPassed);
    }
    close(ends[1]);
    running_.push_back({process, ends[0], row, {}});
  }

  /// Waits for output of a worker; returns how many workers ended.
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

/// Why the row fails; empty if it does not.
std::string trouble(const Row& row, std::int64_t size) {
  const Trial& t = row.trial;
  const std::string name = row.fault == nullptr ? "the unmodified library" : row.fault->name;
  if (!row.done) return "NOT TESTED: " + name;
  if (!t.error.empty()) return "NOT JUDGED: " + name + ": " + t.error;
  if (row.fault == nullptr)
    return t.caught ? "FALSE POSITIVE: " + t.property + ": " + t.finding + "\n  " + t.test : "";
  if (!t.caught)
    return "ESCAPED: " + name + ": " + row.fault->defect + " Expected: " + row.fault->expected;
  if (!row.wrong.empty())
    return "NOT CONFIRMED: " + name + ": " + row.wrong + ": " + t.property + "\n  " + t.test;
  if (size > row.fault->elements) {
    return "TOO LARGE: " + name + ": the largest tensor of its counterexample has more than " +
           props::counted(static_cast<std::uint64_t>(row.fault->elements), "element") + ": " +
           t.property + "\n  " + t.test;
  }
  return "";
}

report::FaultRow to_row(const Row& row) {
  const Trial& t = row.trial;
  report::FaultRow line;
  if (row.fault != nullptr) {
    line.name = row.fault->name;
    line.defect = row.fault->defect;
    line.tracker = row.fault->tracker;
    line.limit = row.fault->elements;
    line.reason = row.fault->reason;
  }
  line.elements = t.test.empty() ? 0 : props::largest_tensor(props::parse_case(t.test));
  line.trouble = trouble(row, line.elements);
  line.property = t.property;
  line.properties = t.properties;
  line.cases = t.cases;
  line.boundary_cases = t.boundary_cases;
  line.seconds = t.seconds;
  line.test = t.test;
  line.finding = t.finding;
  return line;
}

}  // namespace

int selftest(const Options& options) {
  campaign::catch_interrupts();
  if (!options.report.empty()) report::prepare_folder(options.report);
  const std::vector<Fault> faults = choose(read_catalogue(options.faulty), options.faults);
  // The unmodified library comes first because it takes longest.
  std::vector<Row> rows(options.sound_seconds > 0 ? 1 : 0);
  for (const Fault& fault : faults) rows.emplace_back().fault = &fault;
  const auto start = std::chrono::steady_clock::now();
  {
    campaign::Progress progress(options.progress);
    Workers(options, rows).run(progress);
  }
  report::FaultTable table;
  for (const Row& row : rows) table.rows.push_back(to_row(row));
  for (const props::Property& property : props::properties())
    table.properties.emplace_back(property.name);
  table.ablation = options.ablation_cases > 0;
  table.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report::print_faults(std::cout, table);
  if (!options.report.empty()) report::write_page(to_html(table), options.report);
  return table.good() ? kPassed : kFailed;
}

}  // namespace gradproof::cli
