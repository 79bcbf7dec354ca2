// What libFuzzer's custom mutators do, for a case and for a sequence of calls about a case; the
// parameters are those of LLVMFuzzerCustomMutator.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradproof::fuzz {

std::size_t mutate_case(std::uint8_t* data, std::size_t size, std::size_t max_size,
                        unsigned int seed);
std::size_t mutate_sequence(std::uint8_t* data, std::size_t size, std::size_t max_size,
                            unsigned int seed);

}  // namespace gradproof::fuzz
