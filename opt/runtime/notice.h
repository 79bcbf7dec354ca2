// Lines of the log that a place in the program causes once.
#pragma once

#include <string>

namespace gradproof {

/// "gradproof info: <text>; called by main+0x1f (prog+0x11ab)", once for each text and place that
/// calls the library. Nothing where the log is off.
void notice_once(const std::string& text) noexcept;

}  // namespace gradproof
