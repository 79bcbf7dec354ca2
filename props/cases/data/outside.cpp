// The NaN beside the elements of inputs: made, and recognised.
#include "props/cases/data/outside.h"

#include <algorithm>

#include "ref/element.h"

namespace gradproof::props {
namespace {

/// All ones but for the lowest bit. All ones is what outputs hold before a call.
constexpr std::byte kLowest{0xFE}, kOther{0xFF};

}  // namespace

std::vector<std::byte> outside_element(std::int32_t dtype) {
  const std::int32_t type = ref::component_type(dtype);
  std::vector<std::byte> element(static_cast<std::size_t>(ref::dtype_size(dtype)), kOther);
  if (!ref::is_floating(type)) return element;
  const auto step = static_cast<std::size_t>(ref::dtype_size(type));
  for (std::size_t at = 0; at < element.size(); at += step) element[at] = kLowest;
  return element;
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
