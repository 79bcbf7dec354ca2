// Memory that a call changed and should not have, in the words of a finding.
#pragma once

#include <cstdint>
#include <string>

#include "props/cases/memory_layout.h"

namespace gradproof::props {

/// A changed byte: its position relative to the first byte after the leading guard.
struct Change {
  std::int64_t at = 0;
  std::uint8_t expected = 0, found = 0;
};

/// "gradInput: written 3 bytes past its end (byte FF became 00)". The change is in the guards of
/// the allocation, or where the call writes nothing.
std::string trespass(const ref::Call& call, const Allocation& allocation, const Change& change);

}  // namespace gradproof::props
