// The table of properties.
#include <array>

#include "props/properties/property.h"

namespace gradproof::props {
namespace {

constexpr std::array kProperties = {
    Property{"error-codes", "phase 1 answers what the rules say, and leaves its outputs alone when it refuses",
             error_codes_apply, check_error_codes, false},
    Property{"messages", "a refusal's message names the operator, the rule and the argument", messages_apply, check_messages, false},
    Property{"equivalence", "every output value lies within the bound around the reference's exact value, and no other memory changes",
             equivalence_applies, check_equivalence},
    Property{"gradient-sum", "in every plane, the gradients that come out add up to those that went in", gradient_sum_applies,
             check_gradient_sum},
    Property{"misuse", "a wrong use of phase 2 gets the contract's answer and does not spoil the executor", misuse_applies,
             check_misuse},
    Property{"poison", "results depend neither on what memory held before nor on how often a repeatable executor ran",
             poison_applies, check_poison, true, 4},
    Property{"threads", "one, two and three threads give the same bits", threads_apply, check_threads, true, 16},
    // A worker process sees what is printed during every check; this one is for cases on their own.
    Property{"quiet", "nothing is written to stdout", quiet_applies, check_quiet, false, 64},
    Property{"no-leak", "a call that is repeated, refused or not, needs no more memory", no_leak_applies, check_no_leak, false, 256},
};

}  // namespace

std::span<const Property> properties() { return kProperties; }

const Property* find_property(std::string_view name) {
  for (const Property& property : kProperties) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

bool is_plain(const Case& c) { return c.misuse == Misuse::none && ref::expect(c.call).rule == nullptr; }

bool has_result(const Case& c) {
  if (!is_plain(c)) return false;
  for (const Fill& fill : c.fills) {
    if (fill.kind == Fill::Kind::one_bad) return false;
  }
  for (const ref::Tensor& tensor : c.call.tensors) {
    if (tensor.null_data) return false;
  }
  return true;
}

}  // namespace gradproof::props
