// The arguments of one call in phase 1.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "opt/base/status.h"
#include "opt/ops/wide.h"
#include "opt/runtime/config.h"
#include "opt/runtime/executor.h"
#include "opt/runtime/tensor.h"

namespace gradproof::ops {

/// The contents of a tensor: numbers of the operator's types, INT32 positions, or an INT8 bit mask.
enum class Content : std::uint8_t { values, indices, mask };

// The constructors of arguments and calls keep the compiler from `rep stos`, with which it clears
// aggregates: five of these were a twelfth of the smallest call's time.

struct TensorArgument {
  TensorArgument(const char* its_name, const aclTensor* its_handle,
                 Access its_access = Access::read, Content its_content = Content::values)
      : name(its_name), handle(its_handle), access(its_access), content(its_content) {}

  const char* name;
  const aclTensor* handle;
  Access access;
  Content content;
  Pin<const Tensor> tensor = {};  ///< set by check_handles, as is the next
  void* data = nullptr;           ///< the data pointer that this call goes by
  std::int64_t elements = 0;      ///< set by check_extents, as is the next
  std::int64_t element_bytes = 0;
  // Set by check_memory. Elements are counted from the data pointer:
  std::int64_t first = 0;           ///< where index 0 is: the view's offset
  std::int64_t begin = 0, end = 0;  ///< all that the view spans; both 0 of an empty view
  bool beyond_storage = false;      ///< reaches beyond the storage that the tensor states
  bool staged = false;              ///< kernels meet a contiguous copy (staging.h)
  std::size_t alignment = 1;        ///< of the data, in bytes
  std::uint64_t room = 0;           ///< of a staged mask: bytes of the copy
  int rest = 0;                     ///< value of the bytes that the mask lacks

  const Tensor* operator->() const { return tensor.get(); }
  int rank() const { return static_cast<int>(tensor->shape.size()); }
  /// Whether an extent is 0.
  bool empty() const { return elements == 0; }
};

struct ArrayArgument {
  const char* name;
  const aclIntArray* handle;
  Pin<const IntArray> array = {};  ///< set by check_handles

  std::size_t size() const { return array->values.size(); }
  std::int64_t operator[](std::size_t i) const { return array->values[i]; }
};

/// An argument that is a value itself.
struct ValueArgument {
  const char* name;
  std::variant<bool, double> value;
};

/// What validation finds out besides a refusal.
struct Course {
  bool judged = false;   ///< a rule was broken, whatever came of it
  bool differs = false;  ///< the other conformance judges something otherwise (conformance.h)
  bool nothing = false;  ///< the call succeeds and writes nothing
  Status later;          ///< phase 2's answer in place of a run, unless it is success
};

struct Call {
  Call(const char* its_api, std::span<TensorArgument> its_tensors,
       std::span<ArrayArgument> its_arrays, std::span<const ValueArgument> its_values,
       std::uint64_t* its_workspace_size, aclOpExecutor** its_executor)
      : api(its_api),
        tensors(its_tensors),
        arrays(its_arrays),
        values(its_values),
        workspace_size(its_workspace_size),
        executor(its_executor) {}

  const char* api;                    ///< the operator's name, as in every message
  std::span<TensorArgument> tensors;  ///< in parameter order
  std::span<ArrayArgument> arrays;    ///< in parameter order
  std::span<const ValueArgument> values;
  std::uint64_t* workspace_size;
  aclOpExecutor** executor;
  Config config = gradproof::config();
  mutable Course course = {};
};

/// Calls `visit` with every tensor, array and value in parameter order: in all operators, what is
/// written comes behind arrays and values.
template <class Visit>
void each_argument(const Call& call, Visit&& visit) {
  for (TensorArgument& a : call.tensors) {
    if (a.access != Access::written) visit(a);
  }
  for (ArrayArgument& a : call.arrays) visit(a);
  for (const ValueArgument& a : call.values) visit(a);
  for (TensorArgument& a : call.tensors) {
    if (a.access == Access::written) visit(a);
  }
}

/// Reports why phase 1 refuses the call; strict mode says on stderr with which arguments.
aclnnStatus report(const Call& call, const Status& status);

inline void append(std::string& to, std::string_view part) { to += part; }
inline void append(std::string& to, double part) { to += std::to_string(part); }
inline void append(std::string& to, std::integral auto part) { to += std::to_string(part); }
inline void append(std::string& to, Wide part) { to += to_string(part); }

/// A text of numbers and words.
template <class... Parts>
std::string words(const Parts&... parts) {
  std::string text;
  (append(text, parts), ...);
  return text;
}

}  // namespace gradproof::ops
