// The processor's vector instructions, detected without libhwy.
#pragma once

#include <cstdint>

namespace gradproof {

/// Highway's bits: of the targets that gradproof compiles for, those that the processor and the
/// operating system support, and the baseline. hwy::SupportedTargets() would need libhwy, which
/// takes 8 ms to load: its static initialisation measures the processor's clock for benchmarks.
std::int64_t processor_targets() noexcept;

}  // namespace gradproof
