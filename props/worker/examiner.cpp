// Finds out which products a library can be, and what it promises itself, whichever process it is
// in.
#include "props/worker/examiner.h"

#include <cstdlib>
#include <string_view>

#include "props/subject/product.h"

namespace gradproof::props {

profiles::Profile with_stated(profiles::Profile profile, const Provision& provision) {
  constexpr std::string_view kHostMemory = "host-memory";
  if (provision.host_memory && !profile.promises(kHostMemory))
    profile.promised.emplace_back(kHostMemory);
  return profile;
}

const std::vector<ref::Product>& Examiner::products() {
  find_products();
  return products_;
}

const std::vector<Refusal>& Examiner::refusals() {
  find_products();
  return refusals_;
}

void Examiner::find_products() {
  if (!products_.empty() || !refusals_.empty()) return;
  Start first = start_as(std::nullopt);
  if (!first.verdict.held)
    refusals_.push_back({ref::Product::Ascend910B, std::move(first.verdict)});
  if (!first.product) return;
  const char* const chosen = std::getenv("GRADPROOF_SOC");
  const bool all = chosen == nullptr || *chosen == '\0';  // else it is to be that product alone
  for (const ref::Product product : products_from(*first.product)) {
    if (product != *first.product && !all) continue;
    Start next = product == *first.product ? first : start_as(product);
    if (!next.verdict.held)
      refusals_.push_back({product, std::move(next.verdict)});
    else if (next.product)
      products_.push_back(product);
  }
}

}  // namespace gradproof::props
