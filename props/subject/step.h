// Which step of a call the library is in, kept where another process can read it after a crash.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "props/subject/float_mode.h"

namespace gradproof::props {

enum class Step : std::uint8_t {
  between_calls,
  load,
  initialise,
  finalise,
  memory,
  descriptors,
  phase1,
  phase2,
  fenced_phase2,
  synchronise,
  fenced_synchronise
};

/// "in phase 2", "while it is loaded", …
std::string_view where(Step step);

/// From here on the current step is kept in `place`, and how often one began or ended in `count`
/// (neither is ever null).
void keep_step_in(std::atomic<Step>& place, std::atomic<std::uint32_t>& count);

/// The current one.
Step current_step();
/// The same step goes on, and will end by itself: it counts as another one.
void note_progress();

/// Where note_call() keeps a call, with room for kCallRoom characters.
void keep_call_in(char* place);
inline constexpr std::size_t kCallRoom = 2048;
/// Notes the call that follows, as text; a longer one is cut.
void note_call(std::string_view call);

/// The library is in this step as long as the object lives. What it does to the thread's
/// floating-point mode ends with the step.
class Within {
 public:
  explicit Within(Step step);
  ~Within();
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  FloatModeKept mode_;
  Step before_;
};

}  // namespace gradproof::props
