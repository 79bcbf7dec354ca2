// How the library writes a call's tensors and numbers, in its log and in strict mode's list.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ref/call.h"
#include "ref/element.h"

namespace gradproof::props {

inline std::string joined(std::span<const std::int64_t> numbers, const char* comma) {
  std::string text;
  for (const std::int64_t number : numbers)
    text += (text.empty() ? "" : comma) + std::to_string(number);
  return text;
}

/// "FLOAT[1,2,3]"
inline std::string type_and_shape(const ref::Tensor& t) {
  return ref::dtype_name(t.dtype) + '[' + joined(t.shape, ",") + ']';
}

}  // namespace gradproof::props
