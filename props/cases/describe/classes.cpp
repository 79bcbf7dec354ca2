// The labelled classes of valid cases: what a coverage report must show.
#include "props/cases/describe/classes.h"

#include <algorithm>

#include "props/cases/describe/class_rows.h"
#include "props/cases/overlap.h"

namespace gradproof::props {
namespace {

constexpr std::span<const ClassRow> (*kTables[])() = {tensor_classes, window_classes,
                                                      resizing_classes};

}  // namespace

std::vector<std::string> classes(const Case& c) {
  std::vector<std::string> labels;
  for (const auto rows : kTables) {
    for (const ClassRow& row : rows()) {
      if (row.applies(c.call.op) && row.holds(c)) labels.emplace_back(row.label);
    }
  }
  const int data = data_slot(c.call.op), indices = indices_slot(c.call.op);
  labels.push_back("data-" + std::string(name(c.fills[data].kind)));
  // Elements that share memory are not what a forward yields.
  const bool of_indices = ref::is_backward(c.call.op) && indices >= 0;
  if (of_indices &&
      !(c.fills[indices].kind == Fill::Kind::forward && may_overlap(c.call.tensors[indices])))
    labels.push_back("indices-" + std::string(name(c.fills[indices].kind)));
  if (c.misuse != Misuse::none) labels.push_back("misuse-" + std::string(name(c.misuse)));
  return labels;
}

std::vector<std::string> all_classes(ref::Operator op, std::span<const ref::Product> products) {
  std::vector<std::string> labels;
  for (const auto rows : kTables) {
    for (const ClassRow& row : rows()) {
      if (row.applies(op) && (row.on == nullptr || std::ranges::any_of(products, row.on)))
        labels.emplace_back(row.label);
    }
  }
  for (int kind = 0; kind <= static_cast<int>(Fill::Kind::one_bad); ++kind) {
    const auto fill = static_cast<Fill::Kind>(kind);
    const bool for_indices = fill >= Fill::Kind::forward;
    if (!for_indices) {
      labels.push_back("data-" + std::string(name(fill)));
    } else if (ref::is_backward(op) && indices_slot(op) >= 0 &&
               (fill != Fill::Kind::one_bad || !has_mask(op))) {
      labels.push_back("indices-" + std::string(name(fill)));
    }
  }
  for (int misuse = 1; misuse <= static_cast<int>(Misuse::dead_stream); ++misuse) {
    labels.push_back("misuse-" + std::string(name(static_cast<Misuse>(misuse))));
  }
  return labels;
}

}  // namespace gradproof::props
