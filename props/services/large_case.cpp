// A call that is worth several threads, and one that is not, of whichever gradient a library has.
#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "props/services/questions.h"

namespace gradproof::props {
namespace {

/// gradInput has 512 KiB each. The default data are small whole numbers, and weights are
/// quarters, so that sums are exact.
constexpr std::string_view kLarge[] = {
    ("replication_pad2d_backward gradOutput=FLOAT[1,8,130,130]:ND self=FLOAT[1,8,128,128]:ND "
     "padding=1,1,1,1 gradInput=FLOAT[1,8,128,128]:ND"),
    ("upsample_bilinear2d_backward gradOut=FLOAT[1,8,256,256]:NCHW outputSize=256,256 "
     "inputSize=1,8,128,128 alignCorners=false scalesH=0 scalesW=0 out=FLOAT[1,8,128,128]:NCHW"),
    ("max_pool3d_with_argmax_backward gradOutput=FLOAT[4,4,32,32]:ND self=FLOAT[4,8,64,64]:ND "
     "indices=INT32[4,4,32,32]:ND kernelSize=2 stride= padding=0 dilation=1 ceilMode=false "
     "gradInput=FLOAT[4,8,64,64]:ND"),
    ("adaptive_max_pool3d_backward gradOutput=FLOAT[4,4,32,32]:ND self=FLOAT[4,8,64,64]:ND "
     "indices=INT32[4,4,32,32]:ND gradInput=FLOAT[4,8,64,64]:ND"),
    ("max_pool2d_with_mask_backward gradOutput=FLOAT[1,8,64,64]:NCHW self=FLOAT[1,8,128,128]:NCHW "
     "indices=INT8[1,8,4,4128]:NCHW kernelSize=2,2 stride=2,2 padding=0,0 dilation=1,1 "
     "ceilMode=false gradInput=FLOAT[1,8,128,128]:NCHW")};

constexpr std::string_view kSmall[] = {
    ("replication_pad2d_backward gradOutput=FLOAT[1,1,4,4]:ND self=FLOAT[1,1,2,2]:ND "
     "padding=1,1,1,1 gradInput=FLOAT[1,1,2,2]:ND"),
    ("upsample_bilinear2d_backward gradOut=FLOAT[1,1,4,4]:NCHW outputSize=4,4 inputSize=1,1,2,2 "
     "alignCorners=false scalesH=0 scalesW=0 out=FLOAT[1,1,2,2]:NCHW"),
    ("max_pool3d_with_argmax_backward gradOutput=FLOAT[1,1,1,1]:ND self=FLOAT[1,2,2,2]:ND "
     "indices=INT32[1,1,1,1]:ND kernelSize=2 stride= padding=0 dilation=1 ceilMode=false "
     "gradInput=FLOAT[1,2,2,2]:ND"),
    ("adaptive_max_pool3d_backward gradOutput=FLOAT[1,1,1,1]:ND self=FLOAT[1,2,2,2]:ND "
     "indices=INT32[1,1,1,1]:ND gradInput=FLOAT[1,2,2,2]:ND"),
    ("max_pool2d_with_mask_backward gradOutput=FLOAT[1,1,2,2]:NCHW self=FLOAT[1,1,4,4]:NCHW "
     "indices=INT8[1,1,4,64]:NCHW kernelSize=2,2 stride=2,2 padding=0,0 dilation=1,1 "
     "ceilMode=false gradInput=FLOAT[1,1,4,4]:NCHW")};

/// The first of an operator that the library has.
Case first_of(std::span<const std::string_view> texts, const Library& library) {
  const std::vector<ref::Operator> there = library.operators();
  for (const std::string_view text : texts) {
    Case c = parse_case(text);
    if (std::find(there.begin(), there.end(), c.call.op) != there.end()) return c;
  }
  throw NotAsked{"the library has no gradient"};
}

}  // namespace

Case large_case(const Library& library) { return first_of(kLarge, library); }

Case small_case(const Library& library) { return first_of(kSmall, library); }

}  // namespace gradproof::props
