// Which instruction sets Highway compiles for. Included before any header of Highway's, in every
// file that compiles or dispatches vector code: dispatch tables of all files must agree.
#pragma once

// SSSE3 without SSE4.1 is not worth its code: such a processor uses the baseline. Builds with
// sanitizers leave SSE4 out: as wide as the baseline, it takes a quarter of the kernels' time.
#ifdef GRADPROOF_SANITIZED
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#else
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif
