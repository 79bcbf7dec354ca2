// gradproof verify: a campaign, its failures, its table.
#include <cstdio>
#include <iostream>

#include "props/cli/campaign.h"
#include "props/cli/progress.h"

namespace gradproof::cli {
namespace {

/// Enough to see what is wrong; the table has the numbers.
constexpr std::size_t kShown = 20;

int list_cases(const Options& options) {
  std::vector<ref::Operator> operators;
  for (const std::string& word : options.operators) operators.push_back(parse_operator(word));
  std::vector<ref::Product> products;
  for (int i = 0; i < ref::kProductCount; ++i) products.push_back(static_cast<ref::Product>(i));
  for (int i = 0; options.operators.empty() && i < ref::kOperatorCount; ++i) operators.push_back(static_cast<ref::Operator>(i));
  const Schedule schedule(operators, products, options.seed);
  const std::uint64_t count = options.cases > 0 ? options.cases : schedule.cells().size();
  for (std::uint64_t k = 0; k < count && !interrupted(); ++k) std::cout << props::to_text(schedule.step(k).valid) << '\n';
  return kHeld;
}

}  // namespace

int verify(const Options& options) {
  catch_interrupts();
  if (options.list_cases) return list_cases(options);
  const std::unique_ptr<props::Library> library = open_library(options);
  Campaign campaign(*library, options);
  campaign.run();

  std::size_t shown = 0;
  for (const auto& [key, group] : campaign.failures()) {
    if (++shown > kShown) break;
    std::cout << describe(group.first, options);
    if (group.count > 1) std::cout << "(and " << group.count - 1 << " more of this kind)\n";
    std::cout << '\n';
  }
  if (shown > kShown) std::cout << campaign.failures().size() - kShown << " more kinds of failures are not shown\n\n";

  const Coverage& coverage = campaign.coverage();
  coverage.print(std::cout);
  if (campaign.products().size() < static_cast<std::size_t>(ref::kProductCount)) {
    std::cout << "judged as";
    for (const ref::Product product : campaign.products()) std::cout << ' ' << ref::name(product);
    std::cout << " only: the library is no other product\n";
  }
  char line[200];
  std::snprintf(line, sizeof line, "%s: %llu cases and %llu attacks in %.1f s, seed %llu, %llu failures%s\n",
                coverage.failures() == 0 ? "held" : "VIOLATED", static_cast<unsigned long long>(coverage.cases()),
                static_cast<unsigned long long>(coverage.attacks()), campaign.elapsed(),
                static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(coverage.failures()),
                interrupted() ? " (interrupted)" : "");
  std::cout << line;
  return coverage.failures() == 0 ? kHeld : kViolated;
}

}  // namespace gradproof::cli
