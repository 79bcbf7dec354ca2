// Refusing handles: which code, and a message that says what the value is instead.
#include "opt/runtime/handles.h"

#include "acl/acl_base.h"
#include "aclnn/aclnn_base.h"
#include "opt/runtime/conformance.h"
#include "opt/runtime/message.h"

namespace gradproof {

const char* name(HandleKind kind) noexcept {
  switch (kind) {
    case HandleKind::tensor: return "aclTensor";
    case HandleKind::int_array: return "aclIntArray";
    case HandleKind::scalar: return "aclScalar";
    case HandleKind::executor: return "aclOpExecutor";
    case HandleKind::stream: return "aclrtStream";
    case HandleKind::event: return "aclrtEvent";
    case HandleKind::context: return "aclrtContext";
    case HandleKind::float_array: return "aclFloatArray";
    case HandleKind::bool_array: return "aclBoolArray";
    case HandleKind::tensor_list: return "aclTensorList";
    case HandleKind::scalar_list: return "aclScalarList";
  }
  return "";
}

const HandleCodes kRuntimeCodes{ACL_ERROR_INVALID_PARAM, ACL_ERROR_INVALID_RESOURCE_HANDLE};
const HandleCodes kMetaCodes{ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_PARAM_INVALID};
const HandleCodes kExecutorCodes{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};

const char* kind_name(const void* handle) noexcept {
  const std::uint8_t kind = kind_byte(handle);
  const bool known =
      kind >= static_cast<std::uint8_t>(HandleKind::tensor) && kind <= kLastHandleKind;
  return known ? name(static_cast<HandleKind>(kind)) : nullptr;
}

namespace {

/// How such a handle may have ended besides being destroyed.
const char* other_end(HandleKind kind) noexcept {
  if (kind == HandleKind::executor) {
    return goes(RuntimeWay::failure_consumes) ? " or consumed by its phase 2 (in the conformance "
                                                "cann also by a phase 2 that failed)"
                                              : " or consumed by its phase 2";
  }
  return is_forked_child() ? ", or belongs to the process that forked this one" : "";
}

}  // namespace

std::int32_t refuse(const char* function, const char* argument, const void* handle,
                    HandleKind expected, const HandleCodes& codes) noexcept {
  if (handle == nullptr) return fail(codes.null, "%s: %s is null", function, argument);
  const std::uint8_t kind = kind_byte(handle);
  if (kind == static_cast<std::uint8_t>(expected)) {
    return fail(codes.stale, "%s: %s (%p) is an %s that is not alive: it was destroyed%s", function,
                argument, handle, name(expected), other_end(expected));
  }
  if (const char* const other = kind_name(handle)) {
    return fail(codes.stale, "%s: %s (%p) is an %s, not an %s", function, argument, handle, other,
                name(expected));
  }
  return fail(codes.stale, "%s: %s (%p) is not an %s of this library", function, argument, handle,
              name(expected));
}

}  // namespace gradproof
