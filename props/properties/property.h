// A property: something that must hold for every case it applies to, with a name to select it by.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/describe/plain.h"
#include "props/judge/verdict.h"

namespace gradproof::props {

/// The calls that a check makes on its own.
struct Calls {
  std::string picture;     ///< with data and results
  std::vector<Case> made;  ///< without the data, which may differ from the cases'
};

/// Everything a property may use. The session stands for the case's product when a check begins,
/// and must do so again, with the same number of threads, when it ends.
struct Bench {
  Session& session;
  /// What the library is known to do otherwise; null: nothing, and everything is promised.
  profiles::Use* use = nullptr;
  /// Where properties show the calls that they judge; null: nobody wants to see them.
  Calls* shown = nullptr;

  /// What the profile says of a call.
  profiles::Terms terms(const ref::Call& call) const {
    return use != nullptr ? use->terms(call) : profiles::Terms{};
  }
  bool promises(std::string_view promise) const { return use == nullptr || use->promises(promise); }
};

struct Property {
  std::string_view name;  ///< "equivalence", "gradient-sum", "error-codes", …
  std::string_view says;  ///< one sentence for people
  /// Whether the property says anything about the case; it may ask for the rule table's opinion.
  bool (*applies)(const Case& c);
  Verdict (*check)(const Case& c, Bench& bench);
  bool runs = true;  ///< phase 2 too, so that the case's data has to fit into memory
  /// A campaign checks it on every n-th case and every n-th boundary case only, because it costs
  /// several runs.
  int every = 1;
  /// Of the time that the properties of an operator share, relative to the others.
  double share = 1;
  /// What a library must promise to be asked (props/profiles/profile.cpp); "": it is documented.
  std::string_view promise = "";
  /// Judges refusals itself, so that it may meet calls which a profile says are refused.
  bool judges_refusals = false;
  /// Also meets calls that break rules which a profile says are not the library's, and whose
  /// results it specifies.
  bool meets_taken = false;
  /// Says nothing about the operator: what fails is the library's, whatever the case.
  bool of_library = false;
  /// Makes only calls that it derives from the case's: it says nothing about the case's own call,
  /// which the kernel may not support.
  bool derived_only = false;
};

/// All properties, in the order in which they are run.
std::span<const Property> properties();
/// Their names, in that order.
std::vector<std::string_view> property_names();
/// Whether it is about what surrounds a kernel: statuses, messages, handles, the runtime. A kit
/// answers for that.
bool is_about_the_api(const Property& property);
/// The other operator that a check of the property on this one calls; nothing if there is none.
std::optional<ref::Operator> other_operator(const Property& property, ref::Operator op);
/// Whether it compares the case's own call with the reference: what a program of that one call can
/// show. The others do not compare values with the reference's, or need more than that call.
bool judges_one_call(const Property& property);
/// Whether a check of the property shows that the kernel ran the case's own call. If no property of
/// the run (`all`) makes that call, any check counts.
bool performs(const Property& property, std::span<const Property* const> all);
/// Whether a kit makes the library's phase 1, for kernels of somebody else.
bool is_behind_kit(const Library& library);
/// The verdict where a kit makes phase 1 and phase 2 cannot run: the kernel is not called, so
/// nothing is known about it.
Verdict phase_1_of_a_kit();
/// Null if there is none of that name.
const Property* find_property(std::string_view name);

/// Whether the case breaks a rule, and the profile says what comes of running it all the same.
bool is_taken(const Case& c, const profiles::Use& use);
/// Whether the property is to be checked on the case.
bool meets(const Property& property, const Case& c, const profiles::Use& use);

// A file for each property or few related ones; the table in registry.cpp names them.
bool equivalence_applies(const Case& c);
Verdict check_equivalence(const Case& c, Bench& bench);
bool gradient_sum_applies(const Case& c);
Verdict check_gradient_sum(const Case& c, Bench& bench);
bool error_codes_apply(const Case& c);
Verdict check_error_codes(const Case& c, Bench& bench);
bool messages_apply(const Case& c);
Verdict check_messages(const Case& c, Bench& bench);
bool misuse_applies(const Case& c);
Verdict check_misuse(const Case& c, Bench& bench);
bool poison_applies(const Case& c);
Verdict check_poison(const Case& c, Bench& bench);
bool instruction_sets_apply(const Case& c);
Verdict check_instruction_sets(const Case& c, Bench& bench);
bool kernels_apply(const Case& c);
Verdict check_kernels(const Case& c, Bench& bench);
bool in_bounds_applies(const Case& c);
Verdict check_in_bounds(const Case& c, Bench& bench);
bool early_destruction_applies(const Case& c);
Verdict check_early_destruction(const Case& c, Bench& bench);
bool quiet_applies(const Case& c);
Verdict check_quiet(const Case& c, Bench& bench);
bool no_leak_applies(const Case& c);
Verdict check_no_leak(const Case& c, Bench& bench);
bool threads_apply(const Case& c);
Verdict check_threads(const Case& c, Bench& bench);
bool services_apply(const Case& c);
Verdict check_services(const Case& c, Bench& bench);
Verdict check_process(const Case& c, Bench& bench);
Verdict check_configuration(const Case& c, Bench& bench);
bool changing_indices_apply(const Case& c);
Verdict check_changing_indices(const Case& c, Bench& bench);
bool streams_apply(const Case& c);
Verdict check_streams(const Case& c, Bench& bench);
bool life_cycle_applies(const Case& c);
Verdict check_life_cycle(const Case& c, Bench& bench);
bool layout_applies(const Case& c);
Verdict check_layout(const Case& c, Bench& bench);
bool support_applies(const Case& c);
Verdict check_support(const Case& c, Bench& bench);
bool special_values_apply(const Case& c);
Verdict check_special_values(const Case& c, Bench& bench);
bool argmax_applies(const Case& c);
Verdict check_argmax(const Case& c, Bench& bench);
bool adjoint_applies(const Case& c);
Verdict check_adjoint(const Case& c, Bench& bench);
bool differences_apply(const Case& c);
Verdict check_differences(const Case& c, Bench& bench);
bool linearity_applies(const Case& c);
Verdict check_linearity(const Case& c, Bench& bench);
bool powers_of_two_apply(const Case& c);
Verdict check_powers_of_two(const Case& c, Bench& bench);
bool low_precision_applies(const Case& c);
Verdict check_low_precision(const Case& c, Bench& bench);
bool batch_order_applies(const Case& c);
Verdict check_batch_order(const Case& c, Bench& bench);
bool channel_order_applies(const Case& c);
Verdict check_channel_order(const Case& c, Bench& bench);
bool axis_order_applies(const Case& c);
Verdict check_axis_order(const Case& c, Bench& bench);
bool nhwc_applies(const Case& c);
Verdict check_nhwc(const Case& c, Bench& bench);
bool rank_applies(const Case& c);
Verdict check_rank(const Case& c, Bench& bench);
bool lengths_apply(const Case& c);
Verdict check_lengths(const Case& c, Bench& bench);
bool default_stride_applies(const Case& c);
Verdict check_default_stride(const Case& c, Bench& bench);
bool ceil_mode_applies(const Case& c);
Verdict check_ceil_mode(const Case& c, Bench& bench);
bool first_version_applies(const Case& c);
Verdict check_first_version(const Case& c, Bench& bench);
bool depth_applies(const Case& c);
Verdict check_depth(const Case& c, Bench& bench);
bool adaptive_division_applies(const Case& c);
Verdict check_adaptive_division(const Case& c, Bench& bench);
bool identity_applies(const Case& c);
Verdict check_identity(const Case& c, Bench& bench);

}  // namespace gradproof::props
