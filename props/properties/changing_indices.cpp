// Indices or masks that the program changes while a gradient of a pool runs.
#include <optional>

#include "props/cases/shapes.h"
#include "props/properties/property.h"
#include "props/services/made_call.h"
#include "props/services/probe.h"
#include "props/subject/product.h"

namespace gradproof::props {
namespace {

/// In larger calls an index is read too seldom to meet its change.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;

}  // namespace

bool changing_indices_apply(const Case& c) {
  const ref::Operator op = c.call.op;
  return ref::is_backward(op) && indices_slot(op) >= 0 && MadeCall::possible(c, kMostBytes) &&
         element_count(c.call.tensors[static_cast<std::size_t>(indices_slot(op))]) > 0;
}

Verdict check_changing_indices(const Case& c, Bench& bench) {
  const Session& session = bench.session;
  std::optional<ConfigFile> config;
  if (bench.promises("configuration")) config.emplace(session.product(), session.threads());
  return ask_changing_indices(session.library(), c, config ? config->path() : nullptr);
}

}  // namespace gradproof::props
