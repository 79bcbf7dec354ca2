// Rules on handles, types, formats, ranks and extents: what one descriptor shows by itself.
#include <algorithm>

#include "opt/base/checked.h"
#include "opt/ops/check.h"
#include "opt/ops/element.h"
#include "opt/runtime/handles.h"

namespace gradproof::ops {
namespace {

std::string list(std::span<const aclDataType> types) {
  std::string names;
  for (aclDataType type : types) names += (names.empty() ? "" : ", ") + dtype_name(type);
  return names;
}

Status refuse_type(const Call& call, const TensorArgument& a, std::span<const aclDataType> allowed,
                   Product product) {
  return refuse(call, "dtype", a.name, " is ", dtype_name(a->dtype), ", must be one of ",
                list(allowed), " on ", name(product));
}

/// What is wrong with the pointers of a call, as the first of them shows it.
struct WrongPointers {
  const char* null = nullptr;     ///< the first that is null
  const char* foreign = nullptr;  ///< the first before it that is no live handle of its kind, ...
  std::string is;                 ///< ... and what it is

  void operator()(const TensorArgument& a) { look(a.name, a.handle, !!a.tensor, "aclTensor"); }
  void operator()(const ArrayArgument& a) { look(a.name, a.handle, !!a.array, "aclIntArray"); }
  void operator()(const ValueArgument&) {}
  void look(const char* name, const void* handle, bool right, const char* kind) {
    if (right || null != nullptr) return;
    if (handle == nullptr) {
      null = name;
    } else if (foreign == nullptr) {
      foreign = name;
      const char* const other = kind_name(handle);
      const bool same = other == nullptr || std::string_view(other) == kind;
      is = same ? words(" is not a live ", kind) : words(" is an ", other, ", must be an ", kind);
    }
  }
};

/// A handle of another kind often means that an argument before it is missing, which makes a later
/// one null: so it is named although the null decides the status.
Status refuse_pointers(const Call& call) {
  WrongPointers wrong;
  each_argument(call, wrong);
  wrong.look("workspaceSize", call.workspace_size, call.workspace_size != nullptr, "");
  wrong.look("executor", call.executor, call.executor != nullptr, "");
  if (wrong.null == nullptr) return refuse(call, "handle", wrong.foreign, wrong.is);
  if (wrong.foreign == nullptr) {
    return refuse(call, "null-argument", wrong.null, " is a null pointer");
  }
  return refused(call, "null-argument", judge(call, "null-argument", wrong.null),
                 words(call.api, ": handle: ", wrong.foreign, wrong.is,
                       "; null-argument: ", wrong.null, " is a null pointer"));
}

constexpr aclDataType kIndices[] = {ACL_INT32};
constexpr aclDataType kMask[] = {ACL_INT8};

}  // namespace

Status check_handles(const Call& call) {
  bool complete = call.workspace_size != nullptr && call.executor != nullptr;
  for (TensorArgument& a : call.tensors) {
    if (!a.tensor) {
      a.tensor = find(a.handle);
      if (a.tensor) a.data = a.tensor.beside().data;
    }
    complete = complete && a.tensor;
  }
  for (ArrayArgument& a : call.arrays) {
    if (!a.array) a.array = find(a.handle);
    complete = complete && a.array;
  }
  return complete ? Status() : refuse_pointers(call);
}

Status check_types(const Call& call, const ProductTypes& types) {
  const Product product = call.config.product;
  const auto& values = types[static_cast<std::size_t>(product)];
  if (values.empty()) {
    return refuse(call, "platform", "the product ", name(product), " does not have this operator");
  }
  const TensorArgument* first = nullptr;
  for (const TensorArgument& a : call.tensors) {
    if (a.content != Content::values) {
      const std::span<const aclDataType, 1> only = a.content == Content::mask ? kMask : kIndices;
      if (a->dtype == only[0]) continue;
      return refuse_type(call, a, only, product);
    }
    if (first && a->dtype == (*first)->dtype) continue;
    if (std::find(values.begin(), values.end(), a->dtype) == values.end()) {
      GRADPROOF_TRY(refuse_type(call, a, values, product));
    }
    if (!first) first = &a;
    if (a->dtype != (*first)->dtype) {
      GRADPROOF_TRY(refuse(call, "dtype", a.name, " is ", dtype_name(a->dtype), " but ",
                           first->name, " is ", dtype_name((*first)->dtype)));
    }
  }
  return {};
}

Status check_formats(const Call& call, bool (*accepts)(const Call&, aclFormat, int)) {
  const TensorArgument& first = call.tensors.front();
  for (const TensorArgument& a : call.tensors) {
    const bool judged = &a != &first && a->format == first->format && a.rank() == first.rank();
    if (!judged && !accepts(call, a->format, a.rank())) {
      GRADPROOF_TRY(refuse(call, "format", a.name, " is ", format_name(a->format), " with rank ",
                           a.rank(), ", which the operator does not accept"));
    }
    if (a->format != first->format) {
      GRADPROOF_TRY(refuse(call, "format", a.name, " is ", format_name(a->format), " but ",
                           first.name, " is ", format_name(first->format)));
    }
  }
  return {};
}

Status check_ranks(const Call& call, int low, int high) {
  const TensorArgument& first = call.tensors.front();
  for (const TensorArgument& a : call.tensors) {
    if (a.rank() < low || a.rank() > high) {
      std::string ranks = std::to_string(low);
      if (low != high) ranks += " or " + std::to_string(high);
      GRADPROOF_TRY(refuse(call, "rank", a.name, " has rank ", a.rank(), ", must have ", ranks));
    }
    if (a.rank() != first.rank()) {
      GRADPROOF_TRY(refuse(call, "rank", a.name, " has rank ", a.rank(), " but ", first.name,
                           " has ", first.rank()));
    }
  }
  return {};
}

Status check_extents(const Call& call, bool (*may_be_zero)(int, int)) {
  for (TensorArgument& a : call.tensors) {
    a.element_bytes = element_size(a->dtype);
    a.elements = a->elements;
    std::int64_t bytes;
    const bool overflows = __builtin_mul_overflow(a.elements, a.element_bytes, &bytes);
    if (a.elements > 0 && !overflows) continue;

    bool zero = false;  // which makes the count 0 whatever the other extents are
    const int rank = a.rank();
    for (int axis = 0; axis < rank; ++axis) {
      const std::int64_t extent = a->shape[axis];
      if (extent >= 1) continue;
      const std::int64_t low = may_be_zero(rank, axis) ? 0 : 1;
      if (extent < low) {
        GRADPROOF_TRY(refuse(call, "dim-value", a.name, "[", axis, "] is ", extent,
                             ", must be at least ", low));
      }
      zero = true;
    }
    if (!zero) {
      return refuse(call, "dim-value", a.name, " has more elements or bytes than fit in int64");
    }
    a.elements = 0;
  }
  return {};
}

Status refuse_length(const Call& call, const ArrayArgument& array,
                     std::initializer_list<std::size_t> lengths) {
  std::string allowed;
  for (std::size_t length : lengths) {
    allowed += (allowed.empty() ? "" : " or ") + std::to_string(length);
  }
  return refuse(call, "array-length", array.name, " has ", array.size(), " values, must have ",
                allowed);
}

Status check_at_least(const Call& call, std::string_view rule, const ArrayArgument& array,
                      std::int64_t low) {
  const std::size_t size = array.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (array[i] < low) {
      GRADPROOF_TRY(
          refuse(call, rule, array.name, "[", i, "] is ", array[i], ", must be at least ", low));
    }
  }
  return {};
}

Status check_same_shape(const Call& call, const TensorArgument& a, const TensorArgument& b) {
  return check_same_extents(call, a, b, a.rank());
}

Status check_same_extents(const Call& call, const TensorArgument& a, const TensorArgument& b,
                          int axes) {
  const std::int64_t* const extents_a = a->shape.data();
  const std::int64_t* const extents_b = b->shape.data();
  for (int axis = 0; axis < axes; ++axis) {
    if (extents_a[axis] != extents_b[axis]) GRADPROOF_TRY(refuse_extent(call, a, b, axis));
  }
  return {};
}

Status refuse_extent(const Call& call, const TensorArgument& a, const TensorArgument& b, int axis) {
  return refuse(call, "shape", b.name, "[", axis, "] is ", b->shape[axis], " but ", a.name, "[",
                axis, "] is ", a->shape[axis]);
}

Status check_sized(const Call& call, const TensorArgument& a, int axis, const ArrayArgument& sizes,
                   int i) {
  if (a->shape[axis] == sizes[i]) return {};
  return refuse(call, "shape", a.name, "[", axis, "] is ", a->shape[axis], " but ", sizes.name, "[",
                i, "] is ", sizes[i]);
}

}  // namespace gradproof::ops
