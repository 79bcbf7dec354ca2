// Mutates a case: changes one thing of it in its own terms, so that most of what comes out still
// says something about one rule. See mutate.h.
#include <algorithm>

#include "fuzz/case_target.h"
#include "fuzz/mutate.h"
#include "fuzz/mutation.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/text/bytes.h"

extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                      std::size_t max_size);

namespace gradproof::fuzz {

std::size_t mutate_case(std::uint8_t* data, std::size_t size, std::size_t max_size,
                        unsigned int seed) {
  props::SeededSource source(seed);
  props::Draw draw(source);
  if (draw.chance(1, 10)) return LLVMFuzzerMutate(data, size, max_size);
  props::Case c = props::from_bytes({data, size}, only_operator());
  Mutation mutation(c, draw);
  do {
    mutation.one();
  } while (draw.chance(1, 3));
  const std::vector<std::uint8_t> bytes = props::to_bytes(std::move(c));
  const std::size_t length = std::min(bytes.size(), max_size);
  std::copy_n(bytes.begin(), length, data);
  return length;
}

}  // namespace gradproof::fuzz
