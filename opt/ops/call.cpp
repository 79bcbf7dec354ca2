// Small parts of messages, and the list of a call's arguments.
#include "opt/ops/call.h"

#include <algorithm>
#include <cstdio>

#include "opt/ops/element.h"
#include "opt/runtime/handles.h"
#include "opt/runtime/message.h"
#include "opt/runtime/strict.h"

namespace gradproof::ops {

std::string to_string(Wide value) {
  const bool negative = value < 0;
  // Negated unsigned: the smallest number has no positive counterpart.
  UnsignedWide rest =
      negative ? -static_cast<UnsignedWide>(value) : static_cast<UnsignedWide>(value);
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

namespace {

/// "{2, 2}", "[1,3,4]": numbers between two brackets.
std::string list(const char* brackets, const char* comma, std::span<const std::int64_t> numbers) {
  std::string text(1, brackets[0]);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += (i > 0 ? comma : "") + std::to_string(numbers[i]);
  }
  return text + brackets[1];
}

/// A pointer that is no live descriptor of its kind.
std::string other(const void* pointer, std::string_view expected) {
  if (pointer == nullptr) return "null";
  char address[32];
  std::snprintf(address, sizeof address, " (%p)", pointer);
  const char* const kind = kind_name(pointer);
  if (kind == nullptr) return std::string("not a handle of this library") + address;
  return words(kind, kind == expected ? " that is not alive" : "", address);
}

/// Lines that say of each argument what it is.
struct Listing {
  std::string lines;

  void add(const char* name, const std::string& is) { lines += words("\n  ", name, ": ", is); }
  void operator()(const TensorArgument& a) {
    if (!a.tensor) return add(a.name, other(a.handle, "aclTensor"));
    add(a.name, words("aclTensor ", dtype_name(a->dtype), list("[]", ",", a->shape), " ",
                      format_name(a->format)));
  }
  void operator()(const ArrayArgument& a) {
    if (!a.array) return add(a.name, other(a.handle, "aclIntArray"));
    add(a.name, "aclIntArray " + list("{}", ", ", a.array->values));
  }
  void operator()(const ValueArgument& a) {
    if (const bool* const flag = std::get_if<bool>(&a.value))
      return add(a.name, *flag ? "true" : "false");
    add(a.name, std::to_string(std::get<double>(a.value)));
  }
};

}  // namespace

aclnnStatus report(const Call& call, const Status& status) {
  if (strict::on()) {
    Listing listing;
    each_argument(call, listing);
    listing.add("workspaceSize", call.workspace_size != nullptr ? "uint64_t*" : "null");
    listing.add("executor", call.executor != nullptr ? "aclOpExecutor**" : "null");
    // One call: the lines stay together.
    std::fprintf(stderr, "gradproof strict: phase 1 returns %d: %s%s\n", status.code(),
                 status.message(), listing.lines.c_str());
  }
  return gradproof::report(status);
}

}  // namespace gradproof::ops
