// What of the calls that the suite would make it must not, and the mask's encoding.
#include "props/judge/conduct.h"

#include "props/cases/describe/promises.h"
#include "props/cases/memory_layout.h"
#include "props/cases/shapes.h"
#include "props/subject/mask_positions.h"
#include "ref/scales.h"

namespace gradproof::props {

void ProfileConduct::admit(const ref::Call& call, Misuse misuse,
                           const std::vector<ref::Dense>* data) {
  use_.admit(call, misuse, data);
  if (data == nullptr) return;
  if (!ref::scales_fit(call) && !use_.promises(kNonFittingScales) &&
      !use_.decides(kNonFittingScales, call))
    throw profiles::NotJudged{"not promised: " + std::string(kNonFittingScales)};
  if (!use_.promises("phase-2-checks")) {
    for (int slot = 0; slot < static_cast<int>(call.tensors.size()); ++slot) {
      const ref::Tensor& t = call.tensors[static_cast<std::size_t>(slot)];
      if (t.null_data && access_of(call.op, slot) != ref::Access::described && element_count(t) > 0)
        throw profiles::NotJudged{std::string(profiles::kNotSpecified) +
                                  "the status of phase 2 for null data"};
    }
  }
  const profiles::Entry* const out_of_range = use_.terms(call).out_of_range;
  if (out_of_range != nullptr && out_of_range->word == "untested" &&
      ref::Evaluation(call, *data).has_bad_index(nullptr))
    throw profiles::NotJudged{std::string(profiles::kNotSpecified) +
                              named(*out_of_range, use_.profile())};
  if (!has_positions(call)) return;
  const Layout memory = layout_of(call);
  if (memory.at[static_cast<std::size_t>(indices_slot(call.op))] % 4 != 0)
    throw profiles::NotJudged{"INT32 positions in a mask whose address is not a multiple of 4"};
  if (!ref::is_backward(call.op)) return;
  const ref::Dense& mask = (*data)[static_cast<std::size_t>(indices_slot(call.op))];
  if (!mask.bytes.empty() && !mask_to_positions(call, mask))
    throw profiles::NotJudged{"positions cannot represent this mask"};
}

void ProfileConduct::settle(Outcome& outcome) {
  if (!behind_kit_) return;
  // The message begins with the C function's name.
  const std::size_t name = outcome.message.find(": ");
  std::string why = name != std::string::npos ? outcome.message.substr(name + 2) : outcome.message;
  if (outcome.sync == ACL_ERROR_FEATURE_UNSUPPORTED)
    throw profiles::NotJudged{std::string(profiles::kDeclined) + why};
  if (outcome.sync == ACL_ERROR_FAILURE)
    outcome.exception = why.empty() ? "the kernel failed" : std::move(why);
}

bool ProfileConduct::has_positions(const ref::Call& call) {
  return has_mask(call.op) && !use_.masks_as_documented() && use_.terms(call).mask != nullptr;
}

bool ProfileConduct::ignores_mask_view(const ref::Call& call) {
  return has_mask(call.op) && !use_.masks_as_documented() && use_.terms(call).mask_view != nullptr;
}

}  // namespace gradproof::props
