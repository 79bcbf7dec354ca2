// Calls an operator's two functions with a call's arguments.
#pragma once

#include <span>
#include <vector>

#include "props/subject/library.h"

namespace gradproof::props {

/// The descriptors of one call, destroyed with it.
class Descriptors {
 public:
  /// `data` holds the tensors' data pointers by slot. Throws SubjectFailure if the library makes
  /// none of something that it must hold.
  Descriptors(const Api& api, const ref::Call& call, std::span<void* const> data);
  ~Descriptors();
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  std::span<aclTensor* const> tensors() const { return tensors_; }
  std::span<aclIntArray* const> arrays() const { return arrays_; }

 private:
  void destroy();

  const Api& api_;
  std::vector<aclTensor*> tensors_;
  std::vector<aclIntArray*> arrays_;
};

/// One tensor's descriptor; null where the library makes none.
aclTensor* create_tensor(const Api& api, const ref::Tensor& tensor, void* data);

aclnnStatus invoke_phase1(void* function, const ref::Call& call,
                          std::span<aclTensor* const> tensors, std::span<aclIntArray* const> arrays,
                          std::uint64_t* workspace_size, aclOpExecutor** executor);
inline aclnnStatus invoke_phase1(void* function, const ref::Call& call,
                                 const Descriptors& descriptors, std::uint64_t* workspace_size,
                                 aclOpExecutor** executor) {
  return invoke_phase1(function, call, descriptors.tensors(), descriptors.arrays(), workspace_size,
                       executor);
}
aclnnStatus invoke_phase2(void* function, void* workspace, std::uint64_t workspace_size,
                          aclOpExecutor* executor, aclrtStream stream);

}  // namespace gradproof::props
