// Fuzz target: the reader of CANN's ATK case lists. What it takes is cases whose lines read back,
// what it does not take it refuses with an InputError.
#include <cstdint>

#include "fuzz/round_trip.h"
#include "props/cases/text/atk.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradproof;
  std::vector<props::NamedCase> cases;
  try {
    cases = props::read_atk("input", {reinterpret_cast<const char*>(data), size});
  } catch (const props::InputError&) {
    return 0;
  }
  for (const props::NamedCase& c : cases) fuzz::demand_round_trip(c.test);
  return 0;
}
