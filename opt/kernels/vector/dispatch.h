// Which of a function's variants runs: one per instruction set, chosen by the plan.
//
// A file of vector code looks like this (Highway's foreach_target includes it once per target):
//
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "opt/kernels/<folder>/<file>.cpp"
//   #include "opt/kernels/vector/dispatch.h"
//   #include "hwy/foreach_target.h"
//   #include "opt/kernels/vector/convert-inl.h"   // and other -inl.h
//   HWY_BEFORE_NAMESPACE();
//   namespace gradproof::kernels::HWY_NAMESPACE { void work(…) {…} }
//   HWY_AFTER_NAMESPACE();
//   #if HWY_ONCE
//   namespace gradproof::kernels { GRADPROOF_VARIANTS(work); … GRADPROOF_DISPATCH(work, set)(…); }
//   #endif
//
// Lambdas in such code need HWY_ATTR before their body.
#pragma once

#include "opt/base/highway_targets.h"

#include <iterator>

#include "hwy/targets.h"
#include "opt/base/instruction_set.h"

/// A function's variants, in Highway's order of targets; the baseline's is the last. HWY_EXPORT
/// would need libhwy (processor.h).
#ifdef HWY_CHOOSE_TARGET_LIST
#define GRADPROOF_VARIANTS(FUNCTION)                                           \
  constexpr decltype(&HWY_STATIC_DISPATCH(FUNCTION)) FUNCTION##_variants[] = { \
      HWY_CHOOSE_TARGET_LIST(FUNCTION), HWY_CHOOSE_FALLBACK(FUNCTION)}
#else
#define GRADPROOF_VARIANTS(FUNCTION)                                           \
  constexpr decltype(&HWY_STATIC_DISPATCH(FUNCTION)) FUNCTION##_variants[] = { \
      HWY_CHOOSE_FALLBACK(FUNCTION)}
#endif

/// The function's variant for an instruction set. The process's other users of Highway keep their
/// own choice: nothing global is asked or changed.
#define GRADPROOF_DISPATCH(FUNCTION, SET) \
  (FUNCTION##_variants[::gradproof::dispatch_index(SET, std::size(FUNCTION##_variants))])
