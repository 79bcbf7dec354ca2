// A benchmark a configuration, type and number of threads.
#include "bench/campaign.h"

#include <algorithm>
#include <iostream>
#include <regex>
#include <thread>

#include "props/cases/input_error.h"
#include "ref/element.h"

namespace gradproof::bench {
namespace {

/// What one benchmark measures.
struct Job {
  const Configuration* configuration;
  std::int32_t type;
  int threads;
  std::string instruction_set;  ///< "": the one that is configured
  std::string name;
};

class Runner {
 public:
  explicit Runner(const Options& options) : options_(options) {
    for (const std::string& path : options.libraries) {
      libraries_.push_back(std::make_unique<props::Library>(std::span(&path, 1)));
      sessions_.push_back(std::make_unique<props::Session>(*libraries_.back()));
    }
  }

  void run(const Job& job, benchmark::State& state) {
    try {
      measure_one(job, state);
    } catch (const std::exception& error) {
      campaign_.errors.push_back(job.name + ": " + error.what());
      state.SkipWithError(error.what());
    }
  }

  Campaign& campaign() { return campaign_; }

 private:
  void measure_one(const Job& job, benchmark::State& state) {
    for (const auto& session : sessions_) {
      if (!session->select(ref::Product::Ascend910B, job.threads, job.instruction_set))
        throw std::runtime_error("the library is another product");
    }
    const Problem& problem = problem_of(job);
    if (options_.command == Options::Command::ablate) return ablate(job, problem, state);
    const std::string kernel = chosen_kernel(*sessions_.back(), problem);
    state.SetLabel(kernel);
    std::vector<Entrant> entrants = invite(problem, job.threads);
    time(job, problem, kernel, entrants, state);
  }

  /// The call as it is, and without the kernel that it runs; nothing where no other kernel serves.
  void ablate(const Job& job, const Problem& problem, benchmark::State& state) {
    const props::Session& session = *sessions_.front();
    const auto tensors = std::make_shared<Tensors>(problem);
    const std::string kernel = kernel_without(session, tensors, "");
    const std::string next = kernel_without(session, tensors, kernel);
    state.SetLabel(kernel + " / " + next);
    std::vector<Entrant> entrants;
    if (kernel != next) {
      entrants.push_back({"with", make_gradproof_without(session, tensors, "")});
      entrants.push_back({"without", make_gradproof_without(session, tensors, kernel)});
    }
    time(job, problem, kernel, entrants, state);
    campaign_.results.back().next = next;
    campaign_.results.back().instruction_set = session.kernels().instruction_set();
  }

  void time(const Job& job, const Problem& problem, const std::string& kernel,
            std::vector<Entrant>& entrants, benchmark::State& state) {
    for (Entrant& entrant : entrants) verify(problem, entrant);
    Result result{*job.configuration,
                  job.type,
                  job.threads,
                  problem.bytes_read + problem.bytes_written,
                  problem.additions,
                  kernel,
                  {},
                  {},
                  {}};
    result.timings = measure(state, entrants, job.configuration->caches);
    for (const Timing& timing : result.timings)
      state.counters[timing.name] = benchmark::Counter(timing.median() * 1e3);
    campaign_.results.push_back(std::move(result));
  }

  /// Kept from job to job, since those of one problem follow each other.
  const Problem& problem_of(const Job& job) {
    if (!problem_ || problem_->configuration.name != job.configuration->name ||
        problem_->type != job.type) {
      problem_.reset();
      problem_.emplace(make_problem(*job.configuration, job.type, *sessions_.front()));
      contiguous_ = *problem_;
      contiguous_.configuration.layout = Layout::contiguous;
      contiguous_.call = make_call(contiguous_.configuration, job.type);
    }
    return *problem_;
  }

  std::vector<Entrant> invite(const Problem& problem, int threads) {
    std::vector<Entrant> entrants;
    const auto add = [&](const std::string& name, std::unique_ptr<Contestant> contestant) {
      if (contestant) entrants.push_back({name, std::move(contestant)});
    };
    const auto tensors = std::make_shared<Tensors>(problem);
    if (sessions_.size() > 1) {
      add("A", make_gradproof(*sessions_[0], tensors));
      add("B", make_gradproof(*sessions_[1], tensors));
      return entrants;
    }
    add("gradproof", make_gradproof(*sessions_[0], tensors));
    for (const std::string& peer : options_.peers) {
      if (peer == "limit") add(peer, make_limit(problem, threads));
      if (peer == "ref") add(peer, make_reference(problem));
#ifdef GRADPROOF_BENCH_ATEN
      if (peer == "aten") add(peer, make_aten(problem, threads));
#endif
#ifdef GRADPROOF_BENCH_ONEDNN
      if (peer == "onednn") add(peer, make_onednn(problem, threads, DnnLayout::same));
      if (peer == "onednn_best") add(peer, make_onednn(problem, threads, DnnLayout::best));
#endif
      if (peer == "contiguous" && problem.configuration.is_view())
        add(peer, make_gradproof(*sessions_[0], std::make_shared<Tensors>(contiguous_)));
    }
    return entrants;
  }

  /// Our own results must be right. A peer's wrong ones are only marked: some peers are known to be
  /// wrong, and are measured all the same.
  void verify(const Problem& problem, Entrant& entrant) {
    entrant.contestant->run();
    const std::optional<ref::Dense> result = entrant.contestant->take_result();
    if (!result) return;
    const std::string wrong = check(problem, *result);
    if (wrong.empty()) return;
    entrant.wrong = true;
    if (entrant.name != "aten" && !entrant.name.starts_with("onednn"))
      throw std::runtime_error(entrant.name + ": " + wrong);
  }

  const Options& options_;
  std::vector<std::unique_ptr<props::Library>> libraries_;
  std::vector<std::unique_ptr<props::Session>> sessions_;
  std::optional<Problem> problem_;
  Problem contiguous_;
  Campaign campaign_;
};

std::vector<Job> jobs_of(const std::vector<Configuration>& table, const Options& options) {
  const int all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<int> threads;
  for (const int wanted : options.threads) {
    const int count = wanted == 0 ? all : wanted;
    if (std::find(threads.begin(), threads.end(), count) == threads.end()) threads.push_back(count);
  }
  std::vector<std::string> sets = options.instruction_sets;
  if (sets.empty()) sets = {""};
  const std::regex filter(options.filter);
  std::vector<Job> jobs;
  for (const Configuration& c : table) {
    for (const std::int32_t type : c.types) {
      if (!options.types.empty() &&
          std::find(options.types.begin(), options.types.end(), type) == options.types.end())
        continue;
      for (const int count : threads) {
        const std::string name = c.name + "/" + ref::dtype_name(type) + "/" + std::to_string(count);
        if (!std::regex_search(name, filter)) continue;
        for (const std::string& set : sets) {
          jobs.push_back({&c, type, count, set, name});
          if (!set.empty()) jobs.back().name.append("/").append(set);
        }
      }
    }
  }
  return jobs;
}

/// Google Benchmark reads its flags from a program's arguments, and keeps a pointer to the first.
void initialise(const std::vector<std::string>& flags) {
  static std::vector<std::string> words;
  words = {"gradproof_bench"};
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size());
  for (std::string& word : words) arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
}

}  // namespace

Campaign run_campaign(const Options& options) {
  const std::vector<Configuration> table = read_configurations(options.configurations);
  Runner runner(options);
  initialise(options.benchmark);
  const std::vector<Job> jobs = jobs_of(table, options);
  if (jobs.empty()) throw props::InputError("no configuration fits the filter");
  for (const Job& job : jobs) {
    benchmark::RegisterBenchmark(
        job.name.c_str(), [&runner, &job](benchmark::State& state) { runner.run(job, state); })
        ->Iterations(options.rounds)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  // Progress; what is asked for is printed afterwards, on the standard output.
  benchmark::ConsoleReporter progress(benchmark::ConsoleReporter::OO_None);
  progress.SetOutputStream(&std::cerr);
  progress.SetErrorStream(&std::cerr);
  benchmark::RunSpecifiedBenchmarks(&progress);
  return std::move(runner.campaign());
}

}  // namespace gradproof::bench
