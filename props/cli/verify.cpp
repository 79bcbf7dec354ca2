// gradproof verify: a campaign, its failures, its table, its report.
#include <iostream>
#include <new>

#include "props/cases/counted.h"
#include "props/cli/campaign.h"
#include "props/cli/progress.h"
#include "props/cli/summary.h"
#include "props/report/write.h"

namespace gradproof::cli {
namespace {

int list_cases(const Options& options) {
  std::vector<ref::Operator> operators;
  for (const std::string& word : options.operators) operators.push_back(parse_operator(word));
  std::vector<ref::Product> products;
  for (int i = 0; i < ref::kProductCount; ++i) products.push_back(static_cast<ref::Product>(i));
  for (int i = 0; options.operators.empty() && i < ref::kOperatorCount; ++i)
    operators.push_back(static_cast<ref::Operator>(i));
  const Schedule schedule(operators, products, options.seed);
  const std::uint64_t count = options.cases > 0 ? options.cases : schedule.cells().size();
  const auto first = static_cast<std::uint64_t>(options.shard.index - 1),
             step = static_cast<std::uint64_t>(options.shard.count);
  for (std::uint64_t k = first; k < count && !interrupted(); k += step) {
    std::cout << props::to_text(schedule.step(k).valid) << '\n';
  }
  return kHeld;
}

}  // namespace

int verify(const Options& options) {
  catch_interrupts();
  if (options.list_cases) return list_cases(options);
  if (!options.report.empty()) report::prepare_folder(options.report);
  Campaign campaign(options);
  bool enough_memory = true;
  try {
    campaign.run();
  } catch (const std::bad_alloc&) {
    enough_memory = false;
    std::cerr << "gradproof: out of memory; the campaign ends here\n";
  }
  if (campaign.given_up() > 0) {
    std::cerr << "gradproof: left out " << props::counted(campaign.given_up(), "check")
              << ": the library had crashed or hung too often over the like "
                 "of them\n";
  }
  const int status = conclude(campaign.report(), options);
  return status == kHeld && !enough_memory ? kWrong : status;
}

}  // namespace gradproof::cli
