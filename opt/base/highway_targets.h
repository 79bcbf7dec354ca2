// Which instruction sets Highway compiles for. Included before any header of Highway's, in every
// file that compiles or dispatches vector code: dispatch tables of all files must agree.
#pragma once

// SSSE3 without SSE4.1 is not worth its code: such a processor uses the baseline.
#define HWY_DISABLED_TARGETS HWY_SSSE3
