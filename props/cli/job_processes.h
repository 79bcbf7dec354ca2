// Processes that share the work of one command.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "props/campaign/tally.h"

namespace gradproof::cli {

/// The work of job `job`, from 0 on, in a process of its own; what it returns is its result.
using JobWork = std::function<nlohmann::json(int job, campaign::Tally& tally)>;

/// Runs `work` once for each job, all at the same time, and returns their results in order; null
/// for a job that ended without one, which is said on stderr. An interrupt of any process stops
/// all. This process must have no other threads. If no job has a result, throws what the first
/// one threw, as InputError, HostError or bad_alloc.
std::vector<nlohmann::json> run_jobs(int jobs, const JobWork& work);

/// The number of jobs that an option asks for: 0 stands for one per processor.
int job_count(int asked);

}  // namespace gradproof::cli
