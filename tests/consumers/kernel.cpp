// A kernel behind the subject kit, in a project of its own; the library is only built here.
#include <gradproof/subject.hpp>

namespace {

gradproof::subject::Answer none(const gradproof::subject::ReplicationPad2dBackward<float>&) {
  return gradproof::subject::not_supported("it was never written");
}

}  // namespace

GRADPROOF_KERNEL(replication_pad2d_backward, none)
