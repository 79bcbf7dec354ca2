// The processor's vector instructions, asked without libhwy.
#pragma once

#include <cstdint>

namespace gradproof {

/// Highway's bits of the targets that the processor and the operating system support. The same as
/// hwy::SupportedTargets(), whose library takes 8 ms to load: its static initialisation measures
/// the processor's clock for benchmarks.
std::int64_t processor_targets() noexcept;

}  // namespace gradproof
