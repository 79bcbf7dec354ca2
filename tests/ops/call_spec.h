// A call of any operator as plain data: made, edited and performed through the C API.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "ref/operator_list.h"

namespace gradproof::test {

/// Those of the reference, and the first version of a gradient.
#define GRADPROOF_TESTED(X) \
  GRADPROOF_OPERATORS(X) X(upsample_bilinear2d_backward_first, UpsampleBilinear2dBackward)

enum class Op {
#define GRADPROOF_ENUMERATOR(stem, api) stem,
  GRADPROOF_TESTED(GRADPROOF_ENUMERATOR)
#undef GRADPROOF_ENUMERATOR
};
inline constexpr Op kOps[] = {
#define GRADPROOF_OP(stem, api) Op::stem,
    GRADPROOF_TESTED(GRADPROOF_OP)
#undef GRADPROOF_OP
};
const char* api_name(Op op);
/// Whether it is bilinear upsampling, forward or one of the gradients.
bool upsamples(Op op);
inline void PrintTo(Op op, std::ostream* to) { *to << api_name(op); }

using Shape = std::vector<std::int64_t>;

struct TensorSpec {
  std::string name;
  Shape shape;
  aclDataType dtype = ACL_FLOAT;
  aclFormat format = ACL_FORMAT_ND;
  bool null = false;
  Shape strides = {};  ///< empty: contiguous
  std::int64_t offset = 0;
  Shape storage = {};  ///< empty: as the shape
  void* data = nullptr;
};

struct ArraySpec {
  std::string name;
  std::vector<std::int64_t> values;
  bool null = false;
};

struct CallSpec {
  Op op;
  std::vector<TensorSpec> tensors;  ///< in parameter order
  std::vector<ArraySpec> arrays;    ///< in parameter order
  bool flag = false;                ///< ceilMode or alignCorners
  double scale_h = 0, scale_w = 0;
  bool null_workspace_size = false, null_executor = false;

  TensorSpec& tensor(const std::string& name);
  ArraySpec& array(const std::string& name);
  /// Gives every tensor of floating type another type.
  CallSpec& of_type(aclDataType dtype);
  CallSpec& of_format(aclFormat format);
};

using Floats = std::vector<float>;

/// Makes all of `memory` a tensor's storage.
template <class T>
CallSpec& give(CallSpec& c, const char* name, std::vector<T>& memory) {
  TensorSpec& t = c.tensor(name);
  t.data = memory.data();
  t.storage = {static_cast<std::int64_t>(memory.size())};
  return c;
}

/// A valid call whose axes all differ.
CallSpec valid(Op op);
/// The sample of the 2-D pool's document, without data: a [1,1,4,3] image pooled 2 x 2 in steps of
/// 2, with outputs at rows 0 and 2.
CallSpec sample_of_mask_pool();
/// The dense strides of a shape.
Shape dense(const Shape& shape);

struct Phase1 {
  aclnnStatus status = 0;
  std::string message;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  bool touched = false;  ///< an output no longer holds what it held before
};
/// Phase 1; descriptors are destroyed before it returns. The caller owns the executor.
Phase1 get_workspace_size(const CallSpec& call);
/// Phase 1, the executor destroyed.
Phase1 probe(const CallSpec& call);

/// Phase 2.
aclnnStatus run(Op op, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                aclrtStream stream);

struct Performed {
  aclnnStatus phase1 = 0, phase2 = 0;
  aclError sync = 0;
  std::string message;  ///< of the first failure
  bool ok() const { return phase1 == 0 && phase2 == 0 && sync == 0; }
};
/// A whole call on the default stream, synchronised.
Performed perform(const CallSpec& call);

/// The thread's recent message, or nothing.
std::string recent_message();

/// Initialises the library as a product, and ends it.
class AsProduct {
 public:
  explicit AsProduct(const char* name, const char* conformance = "documented");
  ~AsProduct();
  AsProduct(const AsProduct&) = delete;
  AsProduct& operator=(const AsProduct&) = delete;
};

}  // namespace gradproof::test
