// Writes and recognises the NaN beside the elements of inputs.
#include "props/cases/data/outside.h"

#include <algorithm>

#include "ref/element.h"

namespace gradproof::props {
namespace {

/// All ones but for the lowest bit. All ones is what outputs hold before a call.
constexpr std::byte kLowest{0xFE}, kOther{0xFF};

}  // namespace

void fill_outside(std::byte* first, std::int64_t bytes, std::int32_t dtype) {
  const std::int32_t type = ref::component_type(dtype);
  if (!ref::is_floating(type)) return;
  std::int64_t done = std::min<std::int64_t>(bytes, ref::dtype_size(type));
  std::fill_n(first, done, kOther);
  if (done > 0) first[0] = kLowest;
  for (std::int64_t part; done < bytes; done += part) {  // twice as much each time
    part = std::min(done, bytes - done);
    std::copy_n(first, part, first + done);
  }
}

bool is_from_outside(const ref::Dense& output, std::int64_t position) {
  const std::int32_t type = ref::component_type(output.dtype);
  if (!ref::is_floating(type)) return false;
  const auto size = static_cast<std::ptrdiff_t>(ref::dtype_size(type));
  const auto is_it = [&](const std::byte* component) {
    return component[0] == kLowest &&
           std::all_of(component + 1, component + size, [](std::byte b) { return b == kOther; });
  };
  const std::int64_t parts = ref::components(output.dtype);
  for (std::int64_t i = position * parts; i < (position + 1) * parts; ++i) {
    if (is_it(output.bytes.data() + i * size)) return true;
  }
  return false;
}

}  // namespace gradproof::props
