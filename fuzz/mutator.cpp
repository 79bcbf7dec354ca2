// libFuzzer's custom mutator for targets on Cases.
#include "fuzz/mutate.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return gradproof::fuzz::mutate_case(data, size, max_size, seed);
}
