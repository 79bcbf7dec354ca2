// Says where a change is: around an allocation, between a view's elements, in an input.
#include "props/subject/trespass.h"

#include <algorithm>
#include <cstdio>

#include "props/cases/counted.h"
#include "ref/element.h"

namespace gradproof::props {

std::string trespass(const ref::Call& call, const Allocation& allocation, const Change& change) {
  const std::int64_t at = change.at + allocation.low;  // from the root's data pointer
  const std::int64_t size =
      std::max(ref::dtype_size(call.tensors[static_cast<std::size_t>(allocation.root)].dtype), 1);
  const bool written =
      std::any_of(allocation.members.begin(), allocation.members.end(),
                  [&](int slot) { return access_of(call.op, slot) == ref::Access::written; });
  std::string where;
  if (at < allocation.low) {
    where = counted(static_cast<std::uint64_t>(allocation.low - at), "byte") + " before its start";
  } else if (at >= allocation.high) {
    where = counted(static_cast<std::uint64_t>(at - allocation.high + 1), "byte") + " past its end";
  } else {
    where = "storage element " + std::to_string(at / size) +
            (written ? ", which the view does not reach" : " of an argument that is never written");
  }
  char bytes[40];
  std::snprintf(bytes, sizeof bytes, " (byte %02X became %02X)", change.expected, change.found);
  return std::string(tensor_name(call.op, allocation.root)) + ": written " + where + bytes;
}

}  // namespace gradproof::props
