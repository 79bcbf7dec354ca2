// Which work of a stream the current thread does, so that strict mode's handler of faults can name
// it.
#pragma once

#include <cstdint>
#include <utility>

namespace gradproof {

struct Performed {
  const char* function = nullptr;  ///< of the API, kept for ever; null: none, or none that matters
  std::uint32_t stream = 0;        ///< its number, as the log has it
};

/// Set in strict mode alone.
inline constinit thread_local Performed performed;

/// While it lives, the thread takes part in that work.
class Performing {
 public:
  explicit Performing(const Performed& work) : before_(std::exchange(performed, work)) {}
  ~Performing() { performed = before_; }
  Performing(const Performing&) = delete;
  Performing& operator=(const Performing&) = delete;

 private:
  const Performed before_;
};

}  // namespace gradproof
