// The calls that a sequence mixes, and their inputs.
#include <algorithm>

#include "props/cases/memory_layout.h"
#include "props/cases/overlap.h"
#include "props/cases/traits.h"
#include "props/sequences/model.h"
#include "ref/rules.h"

namespace gradproof::props {
namespace {

/// Small calls that sequences mix with the case's own; those first that can fail on a stream.
constexpr std::string_view kOthers[] = {
    "adaptive_max_pool3d_backward gradOutput=FLOAT[1,1,1,2]:ND self=FLOAT[1,1,2,3]:ND "
    "indices=INT32[1,1,1,2]:ND gradInput=FLOAT[1,1,2,3]:ND",
    "max_pool3d_with_argmax_backward gradOutput=FLOAT[1,1,1,2]:ND self=FLOAT[1,1,1,4]:ND "
    "indices=INT32[1,1,1,2]:ND kernelSize=1,1,2 stride= padding=0 dilation=1 ceilMode=false "
    "gradInput=FLOAT[1,1,1,4]:ND",
    "replication_pad2d_backward gradOutput=FLOAT[1,2,4]:ND self=FLOAT[1,2,3]:ND padding=1,0,0,0 "
    "gradInput=FLOAT[1,2,3]:ND",
    "upsample_bilinear2d_backward gradOut=FLOAT[1,1,2,3]:NCHW outputSize=2,3 inputSize=1,1,1,2 "
    "alignCorners=false scalesH=0 scalesW=0 out=FLOAT[1,1,1,2]:NCHW"};

}  // namespace

World::World(const Case& c, std::span<const ref::Operator> operators, Functions there)
    : functions(there) {
  calls.push_back(c);
  calls.front().sequence.clear();
  for (const std::string_view text : kOthers) {
    Case other = parse_case(text);
    other.call.product = c.call.product;
    if (other.call.op == c.call.op || ref::expect(other.call).rule != nullptr ||
        std::find(operators.begin(), operators.end(), other.call.op) == operators.end())
      continue;
    other.seed = c.seed;
    calls.push_back(std::move(other));
    break;
  }
}

Case World::with_inputs(int call, int set) const {
  Case c = calls[call];
  c.seed += static_cast<std::uint64_t>(set);
  if (const int slot = failing_slot(call); slot >= 0 && set == kInputSets - 1)
    c.fills[slot].kind = Fill::Kind::one_bad;
  return c;
}

int World::failing_slot(int call) const {
  const ref::Call& c = calls[call].call;
  if (!has(functions, Function::bad_indices)) return -1;
  if (!family(c.op).has_positions() || !ref::is_backward(c.op)) return -1;
  const int slot = ref::slot(c.op, "indices");
  // Where elements share an address, a good index may lie on top of the bad one.
  return element_count(c.tensors[slot]) > 0 && !may_overlap(c.tensors[slot]) ? slot : -1;
}

}  // namespace gradproof::props
