// The kernels of ReplicationPad2dBackward.
#include "opt/kernels/pad/replication_pad2d_backward.h"

#include "opt/kernels/pad/copies_and_edges.h"
#include "opt/kernels/pad/gather_rows.h"

namespace gradproof::kernels {
namespace {

constexpr ReplicationPadBackwardKernel kTable[] = {pad::copies_and_edges::kKernel,
                                                   pad::gather_rows::kKernel};

}  // namespace

std::span<const ReplicationPadBackwardKernel> replication_pad2d_backward() { return kTable; }

}  // namespace gradproof::kernels
