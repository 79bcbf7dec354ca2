// Uses the reference as an oracle: the status of an invalid call, and which results are
// right.
#include <cstdio>

#include "aclnn/aclnn_base.h"
#include "ref/bound.h"
#include "ref/element.h"
#include "ref/exact.h"
#include "ref/rules.h"

namespace ref = gradproof::ref;

int main() {
  // The gradient of padding a row of two elements with one at each side, of FLOAT ones.
  ref::Call call;
  call.op = ref::Operator::replication_pad2d_backward;
  call.tensors.resize(3);
  call.arrays.resize(1);
  for (const char* name : {"gradOutput", "self", "gradInput"}) {
    ref::Tensor& t = tensor(call, name);
    t.dtype = ACL_FLOAT;
    t.format = ACL_FORMAT_ND;
    t.shape = {1, 1, name[0] == 'g' && name[4] == 'O' ? 4 : 2};
    t.strides = ref::contiguous_strides(t.shape);
    t.storage = t.shape;
  }
  int_array(call, "padding").values = {1, 1, 0, -1};
  if (ref::expect(call).status != ACLNN_ERR_PARAM_INVALID) return 1;  // it crops the only row
  int_array(call, "padding").values = {1, 1, 0, 0};
  if (const auto expected = ref::expect(call); expected.status != ACLNN_SUCCESS) {
    std::printf("%s: %s\n", expected.rule->id.data(), expected.violation.detail.c_str());
    return 1;
  }

  ref::Dense ones{ACL_FLOAT, {1, 1, 4}, std::vector<std::byte>(16)};
  for (int i = 0; i < 4; ++i) ref::store(ones.bytes.data(), ACL_FLOAT, i, 1);
  std::vector<ref::Dense> inputs(3);
  inputs[ref::slot(call.op, "gradOutput")] = ones;
  const ref::Evaluation evaluation(call, inputs);
  const int slot = evaluation.outputs()[0];
  const ref::Plane plane = evaluation.plane(slot, 0);
  const ref::BoundSpec spec{evaluation.arithmetic(slot), evaluation.sum_type(slot),
                            evaluation.result_type(slot)};
  const bool right = judge(plane.values[0], 2, spec).right;
  const bool wrong = judge(plane.values[0], 2.001L, spec).right;
  std::printf("2 is %s, 2.001 is %s\n", right ? "right" : "wrong", wrong ? "right" : "wrong");
  return right && !wrong ? 0 : 1;
}
