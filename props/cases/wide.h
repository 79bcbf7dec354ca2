// The integer in which products and sums of any two values of a call are exact.
#pragma once

namespace gradproof::props {

__extension__ using Wide = __int128;

}  // namespace gradproof::props
