// gradproof run: the cases of files.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "props/cases/input_error.h"
#include "props/cli/file_run.h"
#include "props/cli/job_processes.h"
#include "props/cli/jobs.h"
#include "props/cli/select.h"
#include "props/cli/summary.h"
#include "props/report/write.h"

namespace gradproof::cli {
namespace {

/// The given files, and all .txt and .json files of the given folders, sorted by name.
std::vector<std::string> files_of(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    std::error_code error;
    if (word == "-" || !std::filesystem::is_directory(word, error)) {
      files.push_back(word);
      continue;
    }
    const std::size_t first = files.size();
    for (std::filesystem::recursive_directory_iterator file(word, error), end;
         !error && file != end; file.increment(error)) {
      const std::string extension = file->path().extension().string();
      if ((extension == ".txt" || extension == ".json") && file->is_regular_file(error))
        files.push_back(file->path().string());
    }
    if (error) throw props::InputError(word + ": " + error.message());
    if (files.size() == first) throw props::InputError(word + ": contains no .txt or .json file");
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return files;
}

/// Keeps the cases that the settings select, and files that have any. If none is left, throws
/// InputError that lists the operators of the files.
void keep_selected(std::vector<CaseFile>& files, const campaign::Settings& settings) {
  const std::vector<ref::Operator> operators = selected_operators(settings);
  std::set<std::string_view> there;
  for (CaseFile& file : files) {
    std::erase_if(file.cases, [&](const props::NamedCase& named) {
      const ref::Operator op = named.test.call.op;
      there.insert(ref::signature(op).stem);
      return std::find(operators.begin(), operators.end(), op) == operators.end() ||
             !settings.selection.takes(named.test);
    });
  }
  std::erase_if(files, [](const CaseFile& file) { return file.cases.empty(); });
  if (!files.empty()) return;
  std::string text = "the options select no case of the files, whose operators are:";
  for (const std::string_view stem : there) text += "\n  " + std::string(stem);
  throw props::InputError(text);
}

report::Report run(const campaign::Settings& settings, const std::vector<CaseFile>& files,
                   int jobs) {
  std::size_t parts = 0;
  for (const CaseFile& file : files) parts += file.parts();
  jobs = static_cast<int>(std::min(static_cast<std::size_t>(jobs), parts));
  // The first failures in the order of the files cannot be told from others by several processes.
  if (jobs == 1 || !settings.fork || settings.max_failures > 0) {
    FileRun run(settings, files);
    run.run();
    return run.report();
  }
  return FileRun::joined(run_jobs(jobs, [&](int job, campaign::Tally& tally) {
    FileRun run(settings_of_job(settings, job, jobs, tally), files);
    run.run();
    return run.told();
  }));
}

}  // namespace

int run_files(const Options& options) {
  campaign::catch_interrupts();
  if (!options.report.empty()) report::prepare_folder(options.report);
  if (!options.save_known.empty()) report::demand_writable_file(options.save_known);
  // All files are read and checked before any case runs, so that a bad file is reported at once and
  // costs no results.
  std::vector<CaseFile> files;
  for (const std::string& path : files_of(options.words))
    files.push_back({path == "-" ? "stdin" : path, props::read_case_file(path)});
  campaign::Settings settings = live_settings(options);
  keep_selected(files, settings);
  const report::Report report = run(settings, files, job_count(options.jobs));
  if (options.max_failures > 0 && report.failures.size() >= options.max_failures)
    print_ended(options);
  conclude_run(report, options, settings.known);
  if (!report.failures.empty() || report.entries.refuted() > 0) return kFailed;
  return report.untested_of_run().empty() ? kPassed : kNotTested;
}

}  // namespace gradproof::cli
