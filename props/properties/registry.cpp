// The table of properties.
#include <algorithm>
#include <array>
#include <iterator>

#include "props/cases/traits.h"
#include "props/properties/property.h"

namespace gradproof::props {
namespace {

// gradient-sum, poison, threads, layout to powers-of-two, and batch-order to identity are never the
// only property that catches a faulty library of tests/faulty (table: docs/results/selftest.md).
// life-cycle and streams also find defects with stale memory and threads, but poison and threads
// check for them on every kind of case, and name the defect. The others need few or no values of
// the reference, so they find errors that reference and library share.
// tests/suite/relations_test.cpp shows that each finds a defect without equivalence.
constexpr std::array kProperties = {
    Property{"error-codes",
             "phase 1 returns the status of the rules, and writes no output when it refuses",
             error_codes_apply, check_error_codes, false, 1, 1, "", true},
    Property{"messages",
             "a refusal's message names the operator, the rule, the argument and its value",
             messages_apply, check_messages, false, 1, 1, "", true},
    Property{"equivalence",
             "every output value is within the bound around the reference's exact value, and no "
             "other memory changes",
             equivalence_applies, check_equivalence, true, 1, 1, "", true, true},
    Property{"gradient-sum",
             "in every plane, output gradients and input gradients have the same sum",
             gradient_sum_applies, check_gradient_sum},
    Property{"misuse",
             "phase 2 refuses misuse with the contract's status and leaves the executor usable",
             misuse_applies, check_misuse, true, 1, 1, "", true},
    Property{"poison",
             "results depend neither on previous contents of memory nor on earlier runs of a "
             "repeatable executor",
             poison_applies, check_poison, true, 4},
    Property{"in-bounds", "a call accesses nothing beside its tensors and its workspace",
             in_bounds_applies, check_in_bounds, true, 8, 1, "host-memory"},
    Property{"threads", "one, two and three threads give the same bits", threads_apply,
             check_threads, true, 16, 2, "thread-counts"},
    // Other instruction sets have separate kernels, which no other property runs.
    Property{"instruction-sets", "all instruction sets of the machine give the same bits",
             instruction_sets_apply, check_instruction_sets, true, 16, 6, "instruction-sets"},
    // Many kernels are preferred for large calls alone, of which a campaign makes few.
    Property{"kernels",
             "all kernels that are right for a call give the same bits, or report the same bad "
             "index",
             kernels_apply, check_kernels, true, 2, 3, "kernels"},
    Property{"early-destruction",
             "tensors and arrays may be destroyed as soon as phase 1 has returned",
             early_destruction_applies, check_early_destruction, true, 4, 1, "early-destruction"},
    Property{"streams",
             "on two streams at once, from one thread or from two, a call gives the same bits as "
             "alone",
             streams_apply, check_streams, true, 4},
    Property{"life-cycle",
             "sequences of runtime and executor calls match the model in statuses, order, results "
             "and messages",
             life_cycle_applies, check_life_cycle},
    // Worker processes notice output during every check; this property is for single cases.
    Property{"quiet", "nothing is written to stdout", quiet_applies, check_quiet, false, 64, 1, "",
             true},
    Property{"no-leak", "a call that is repeated, refused or not, needs no more memory",
             no_leak_applies, check_no_leak, false, 256, 1, "", true},
    Property{"services",
             "functions for memory, descriptors, devices, streams, events and numbers follow the "
             "headers",
             services_apply, check_services, true, 64, 3, "services", false, false, true},
    Property{"process",
             "resets during work, full queues, fork, exit, dlclose, cancelled callers and the "
             "program's tasks lose no work; threads without work sleep and take no signals",
             services_apply, check_process, true, 64, 1, "process", false, false, true},
    Property{"changing-indices",
             "indices that change while the gradient runs write nothing outside gradInput and the "
             "workspace",
             changing_indices_apply, check_changing_indices, true, 64, 1, "changing-indices"},
    Property{"configuration",
             "aclInit's file and the environment set product, threads, log, trace and strict mode; "
             "invalid values are refused",
             services_apply, check_configuration, true, 64, 2, "configuration", false, false, true},
    Property{"layout",
             "views with strides, offsets, permuted dimensions or shared elements give the same "
             "bits as contiguous copies",
             layout_applies, check_layout, true, 2},
    Property{"support",
             "NaN gradients reach exactly the elements that an index, a bit or a weight leads to; "
             "all others are 0",
             support_applies, check_support, true, 4},
    Property{"special-values",
             "one NaN or infinity reaches the elements that depend on it and changes no other",
             special_values_apply, check_special_values, true, 4},
    Property{"argmax",
             "a pool's forward reports a position in the window, whose value is the one returned",
             argmax_applies, check_argmax, true, 2},
    Property{"adjoint",
             "<forward(x), g> = <x, backward(g)> with the library's own forward and its choice of "
             "maxima",
             adjoint_applies, check_adjoint, true, 4},
    Property{"central-differences",
             "along a random direction the gradient is the central difference of the reference's "
             "forward",
             differences_apply, check_differences, true, 8},
    Property{"linearity", "f(2x - 3y) = 2 f(x) - 3 f(y), exactly where the type can represent it",
             linearity_applies, check_linearity, true, 8},
    Property{"powers-of-two", "8 times the data gives exactly 8 times the result",
             powers_of_two_apply, check_powers_of_two, true, 8},
    Property{"low-precision", "FLOAT16 and BF16 give the result of FLOAT, rounded once",
             low_precision_applies, check_low_precision, true, 4},
    Property{"batch-order", "samples in another order give the same results in that order",
             batch_order_applies, check_batch_order, true, 8},
    Property{"channel-order", "channels in another order give the same results in that order",
             channel_order_applies, check_channel_order, true, 8},
    Property{"axis-order", "spatial axes in another order give the same results in that order",
             axis_order_applies, check_axis_order, true, 8},
    Property{"nhwc", "NHWC is NCHW with its dimensions in another order", nhwc_applies, check_nhwc,
             true, 4},
    Property{"rank", "a call without a batch dimension is equal to one with a batch of 1",
             rank_applies, check_rank, true, 4},
    Property{"parameter-lengths", "an int array of length 1 gives its value to every axis",
             lengths_apply, check_lengths, true, 4},
    Property{"default-stride", "an empty stride is the kernel's extents", default_stride_applies,
             check_default_stride, true, 2},
    Property{"ceil-mode", "where windows divide the extents evenly, ceilMode changes nothing",
             ceil_mode_applies, check_ceil_mode, true, 2},
    Property{"first-version",
             "the first version of an operator whose functions end in V2 ignores its scales",
             first_version_applies, check_first_version, true, 4, 1, "services"},
    Property{"depth-1", "a 2-D pool with masks is equal to a 3-D pool of depth 1 with positions",
             depth_applies, check_depth, true, 4},
    Property{"adaptive-division",
             "adaptive pooling to a divisor of each extent is ordinary pooling",
             adaptive_division_applies, check_adaptive_division, true, 1},
    Property{.name = "identity",
             .says = "scale 1, padding 0 or windows of 1 return the input",
             .applies = identity_applies,
             .check = check_identity,
             .every = 16,
             .derived_only = true},
};

}  // namespace

std::span<const Property> properties() { return kProperties; }

std::vector<std::string_view> property_names() {
  std::vector<std::string_view> names;
  for (const Property& property : kProperties) names.push_back(property.name);
  return names;
}

bool is_about_the_api(const Property& property) {
  static constexpr std::string_view kNames[] = {
      "error-codes",       "messages",       "misuse",       "early-destruction",
      "life-cycle",        "services",       "process",      "configuration",
      "parameter-lengths", "default-stride", "first-version"};
  return std::find(std::begin(kNames), std::end(kNames), property.name) != std::end(kNames);
}

std::optional<ref::Operator> other_operator(const Property& property, ref::Operator op) {
  if (property.name == "adjoint" && ref::is_backward(op)) return ref::companion(op);
  if (property.name == "depth-1") return traits(op).of_depth_1;
  if (property.name == "adaptive-division") return traits(op).of_windows;
  return std::nullopt;
}

bool is_behind_kit(const Library& library) { return !library.provision().validation.empty(); }

Verdict phase_1_of_a_kit() { return Verdict::not_checked("phase 1 alone: handled by the kit"); }

bool judges_one_call(const Property& property) {
  return property.name == "equivalence" || property.name == "error-codes";
}

bool performs(const Property& property, std::span<const Property* const> all) {
  return !property.derived_only ||
         std::all_of(all.begin(), all.end(), [](const Property* one) { return one->derived_only; });
}

const Property* find_property(std::string_view name) {
  for (const Property& property : kProperties) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

bool is_taken(const Case& c, const profiles::Use& use) {
  if (c.misuse != Misuse::none || !c.sequence.empty() || !has_good_data(c)) return false;
  if (ref::expect(c.call).rule == nullptr) return false;
  try {
    return use.terms(c.call).runs();
  } catch (const profiles::Contradiction&) {
    return false;  // a finding of every property that applies
  }
}

bool meets(const Property& property, const Case& c, const profiles::Use& use) {
  return property.applies(c) || (property.meets_taken && is_taken(c, use));
}

}  // namespace gradproof::props
