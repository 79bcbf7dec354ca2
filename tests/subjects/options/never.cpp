// Kernels that were never written: one is for no call, one has no type that the operator has.
#include <gradproof/subject.hpp>

namespace {

auto pad(const gradproof::subject::ReplicationPad2dBackward<void>&) {
  return gradproof::subject::not_supported("it was never written");
}

}  // namespace

GRADPROOF_KERNEL(replication_pad2d_backward, pad)
