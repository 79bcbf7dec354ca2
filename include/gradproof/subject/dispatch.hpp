/// Calls a kernel with the element type that a call has; for the kit's own use.
#ifndef GRADPROOF_SUBJECT_DISPATCH_HPP_
#define GRADPROOF_SUBJECT_DISPATCH_HPP_

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "gradproof/subject/gradients.hpp"
#include "gradproof/subject/options.hpp"

namespace gradproof::subject::detail {

inline std::string name_of(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return "FLOAT";
    case ACL_FLOAT16:
      return "FLOAT16";
    case ACL_BF16:
      return "BF16";
    case ACL_DOUBLE:
      return "DOUBLE";
    case ACL_COMPLEX64:
      return "COMPLEX64";
    case ACL_COMPLEX128:
      return "COMPLEX128";
    case ACL_INT32:
      return "INT32";
    default:
      return "type " + std::to_string(static_cast<int>(type));
  }
}

/// A kernel may return nothing or an Answer.
template <class Kernel, class Call>
Answer answer_of(Kernel kernel, const Call& call) {
  if constexpr (std::is_void_v<std::invoke_result_t<Kernel, const Call&>>) {
    kernel(call);
    return {};
  } else {
    return kernel(call);
  }
}

template <template <class> class Op, class T, class Kernel>
bool took(Kernel kernel, Op<void>& call, Answer& given) {
  if constexpr (std::is_invocable_v<Kernel, const Op<T>&>) {
    const aclDataType type = std::get<0>(call.views()).type;
    if (type != aclnn::element_type<T>) return false;
    given = answer_of(kernel, typed<T>(call));
    return true;
  } else {
    return false;
  }
}

template <template <class> class Op, class Kernel, class... T>
Answer dispatch(Kernel kernel, Op<void>& call, Types<T...>) {
  const aclDataType type = std::get<0>(call.views()).type;
  const auto& asked = options.types;
  const bool wanted = asked.empty() || std::find(asked.begin(), asked.end(), type) != asked.end();
  Answer given = not_supported("the kernel is not for " + name_of(type));
  if (!wanted) return given;
  constexpr bool any_typed = (std::is_invocable_v<Kernel, const Op<T>&> || ...);
  static_assert(any_typed || std::is_invocable_v<Kernel, const Op<void>&>,
                "the kernel must take a const reference to its operator's struct with a type that "
                "the operator has, e.g. const ReplicationPad2dBackward<float>&");
  if constexpr (any_typed)
    (took<Op, T>(kernel, call, given) || ...);
  else
    given = answer_of(kernel, std::as_const(call));
  return given;
}

template <template <class> class Op, class Kernel>
Answer dispatch(Kernel kernel, Op<void>& call) {
  return dispatch<Op>(kernel, call, typename Gradient<Op>::Elements{});
}

}  // namespace gradproof::subject::detail

#endif
