// Fuzz target: the parser of case lines. What it takes reads back to the same case, what it does
// not take it refuses with an InputError.
#include <cstdint>
#include <optional>

#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradproof;
  std::optional<props::Case> c;
  try {
    c = props::parse_case({reinterpret_cast<const char*>(data), size});
  } catch (const props::InputError&) {
    return 0;
  }
  fuzz::demand_round_trip(*c);
  return 0;
}
