// Performs calls given as data.
#include "tests/ops/call_spec.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "aclnnop/aclnn_adaptive_max_pool3d.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"

namespace gradproof::test {
namespace {

template <class Specs>
auto& named(Specs& specs, const std::string& name) {
  for (auto& spec : specs) {
    if (spec.name == name) return spec;
  }
  throw std::logic_error("no parameter " + name);
}

/// The API's objects for a call, alive as long as this.
struct Handles {
  std::vector<aclTensor*> t;
  std::vector<aclIntArray*> a;

  explicit Handles(const CallSpec& call) {
    for (const TensorSpec& s : call.tensors) {
      const Shape& storage = s.storage.empty() ? s.shape : s.storage;
      t.push_back(s.null ? nullptr
                         : aclCreateTensor(s.shape.data(), s.shape.size(), s.dtype,
                                           s.strides.empty() ? nullptr : s.strides.data(), s.offset,
                                           s.format, storage.data(), storage.size(), s.data));
      EXPECT_EQ(t.back() == nullptr, s.null);
    }
    for (const ArraySpec& s : call.arrays) {
      a.push_back(s.null ? nullptr : aclCreateIntArray(s.values.data(), s.values.size()));
      EXPECT_EQ(a.back() == nullptr, s.null);
    }
  }
  ~Handles() {
    for (aclTensor* tensor : t) {
      if (tensor) aclDestroyTensor(tensor);
    }
    for (aclIntArray* array : a) {
      if (array) aclDestroyIntArray(array);
    }
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
};

/// The arguments of phase 1; each is the next one of its type.
struct Arguments {
  const CallSpec& call;
  const Handles& handles;
  std::uint64_t* workspace;
  aclOpExecutor** executor;
  std::size_t tensors = 0, arrays = 0, reals = 0;

  template <class T>
  T next() {
    if constexpr (std::is_same_v<T, bool>) {
      return call.flag;
    } else if constexpr (std::is_convertible_v<aclTensor*, T>) {
      return handles.t.at(tensors++);
    } else if constexpr (std::is_convertible_v<aclIntArray*, T>) {
      return handles.a.at(arrays++);
    } else if constexpr (std::is_same_v<T, double>) {
      return reals++ == 0 ? call.scale_h : call.scale_w;
    } else if constexpr (std::is_same_v<T, std::uint64_t*>) {
      return workspace;
    } else {
      return executor;
    }
  }
};

template <class... P>
aclnnStatus call_phase1(aclnnStatus (*phase1)(P...), Arguments arguments) {
  const std::tuple<P...> in_order{arguments.next<P>()...};
  return std::apply(phase1, in_order);
}

aclnnStatus call_phase1(const CallSpec& call, const Handles& handles, std::uint64_t* workspace,
                        aclOpExecutor** executor) {
  const Arguments arguments{call, handles, workspace, executor};
  switch (call.op) {
#define GRADPROOF_CALL(stem, api) \
  case Op::stem: return call_phase1(&aclnn##api##GetWorkspaceSize, arguments);
    GRADPROOF_TESTED(GRADPROOF_CALL)
#undef GRADPROOF_CALL
  }
  throw std::logic_error("unknown operator");
}

}  // namespace

const char* api_name(Op op) {
  static constexpr const char* kNames[] = {
#define GRADPROOF_NAME(stem, api) "aclnn" #api,
      GRADPROOF_TESTED(GRADPROOF_NAME)
#undef GRADPROOF_NAME
  };
  return kNames[static_cast<int>(op)];
}

bool upsamples(Op op) {
  return op == Op::upsample_bilinear2d || op == Op::upsample_bilinear2d_backward ||
         op == Op::upsample_bilinear2d_backward_first;
}

TensorSpec& CallSpec::tensor(const std::string& name) { return named(tensors, name); }
ArraySpec& CallSpec::array(const std::string& name) { return named(arrays, name); }

CallSpec& CallSpec::of_type(aclDataType dtype) {
  for (TensorSpec& t : tensors) {
    if (t.dtype != ACL_INT32 && t.dtype != ACL_INT8) t.dtype = dtype;
  }
  return *this;
}

CallSpec& CallSpec::of_format(aclFormat format) {
  for (TensorSpec& t : tensors) t.format = format;
  return *this;
}

CallSpec valid(Op op) {
  const std::vector<ArraySpec> windows3 = {
      {"kernelSize", {2, 3, 4}}, {"stride", {2, 3, 2}}, {"padding", {1, 1, 2}}, {"dilation", {1}}};
  const std::vector<ArraySpec> windows2 = {
      {"kernelSize", {3, 4}}, {"stride", {3, 2}}, {"padding", {1, 2}}, {"dilation", {1, 1}}};
  const Shape volume = {2, 3, 7, 9, 11}, pooled3 = {2, 3, 4, 3, 6};
  const Shape image = {2, 3, 9, 11}, pooled2 = {2, 3, 3, 6}, mask = {2, 3, 12, 96};
  const Shape small = {2, 3, 4, 5}, large = {2, 3, 7, 9};
  switch (op) {
    case Op::max_pool3d_with_argmax_backward:
      return {op,
              {{"gradOutput", pooled3},
               {"self", volume},
               {"indices", pooled3, ACL_INT32},
               {"gradInput", volume}},
              windows3};
    case Op::max_pool2d_with_mask_backward:
      return {op,
              {{"gradOutput", pooled2},
               {"self", image},
               {"indices", mask, ACL_INT8},
               {"gradInput", image}},
              windows2};
    case Op::upsample_bilinear2d_backward:
    case Op::upsample_bilinear2d_backward_first:
      return CallSpec{
          op, {{"gradOut", large}, {"out", small}}, {{"outputSize", {7, 9}}, {"inputSize", small}}}
          .of_format(ACL_FORMAT_NCHW);
    case Op::replication_pad2d_backward:
      return {op,
              {{"gradOutput", large}, {"self", small}, {"gradInput", small}},
              {{"padding", {1, 3, 2, 1}}}};
    case Op::adaptive_max_pool3d_backward:
      return {op,
              {{"gradOutput", pooled3},
               {"self", volume},
               {"indices", pooled3, ACL_INT32},
               {"gradInput", volume}},
              {}};
    case Op::max_pool3d_with_argmax:
      return {op, {{"self", volume}, {"out", pooled3}, {"indices", pooled3, ACL_INT32}}, windows3};
    case Op::max_pool2d_with_mask:
      return {op, {{"self", image}, {"out", pooled2}, {"indices", mask, ACL_INT8}}, windows2};
    case Op::upsample_bilinear2d:
      return CallSpec{op, {{"self", small}, {"out", large}}, {{"outputSize", {7, 9}}}}.of_format(
          ACL_FORMAT_NCHW);
    case Op::replication_pad2d:
      return {op, {{"self", small}, {"out", large}}, {{"padding", {1, 3, 2, 1}}}};
    case Op::adaptive_max_pool3d:
      return {op,
              {{"self", volume}, {"outputOut", pooled3}, {"indicesOut", pooled3, ACL_INT32}},
              {{"outputSize", {4, 3, 6}}}};
  }
  throw std::logic_error("unknown operator");
}

Shape dense(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::string recent_message() {
  const char* text = aclGetRecentErrMsg();
  return text ? text : "";
}

Phase1 get_workspace_size(const CallSpec& call) {
  const Handles handles(call);
  constexpr std::uint64_t kUntouched = 0x5A5A5A5A5A5A5A5A;
  char somewhere = 0;
  auto* const before = reinterpret_cast<aclOpExecutor*>(&somewhere);
  std::uint64_t workspace = kUntouched;
  aclOpExecutor* executor = before;
  Phase1 got;
  got.status = call_phase1(call, handles, call.null_workspace_size ? nullptr : &workspace,
                           call.null_executor ? nullptr : &executor);
  got.touched = workspace != kUntouched || executor != before;
  if (got.status == ACLNN_SUCCESS) {
    got.workspace = workspace;
    got.executor = executor == before ? nullptr : executor;
  } else {
    got.message = recent_message();
  }
  return got;
}

Phase1 probe(const CallSpec& call) {
  Phase1 got = get_workspace_size(call);
  if (got.executor) {
    EXPECT_EQ(aclDestroyAclOpExecutor(got.executor), ACLNN_SUCCESS);
  }
  return got;
}

aclnnStatus run(Op op, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                aclrtStream stream) {
  using Phase2 = aclnnStatus (*)(void*, std::uint64_t, aclOpExecutor*, aclrtStream);
  static constexpr Phase2 kRuns[] = {
#define GRADPROOF_RUN(stem, api) aclnn##api,
      GRADPROOF_TESTED(GRADPROOF_RUN)
#undef GRADPROOF_RUN
  };
  return kRuns[static_cast<int>(op)](workspace, workspace_size, executor, stream);
}

Performed perform(const CallSpec& call) {
  const Phase1 first = get_workspace_size(call);
  Performed done;
  done.phase1 = first.status;
  done.message = first.message;
  if (first.status != ACLNN_SUCCESS) return done;
  void* workspace = nullptr;
  if (first.workspace > 0) {
    EXPECT_EQ(aclrtMalloc(&workspace, first.workspace, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  done.phase2 = run(call.op, workspace, first.workspace, first.executor, nullptr);
  if (done.phase2 != ACLNN_SUCCESS) done.message = recent_message();
  done.sync = aclrtSynchronizeStream(nullptr);
  if (done.sync != ACL_SUCCESS) done.message = recent_message();
  if (workspace) {
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
  }
  return done;
}

CallSpec sample_of_mask_pool() {
  CallSpec c = valid(Op::max_pool2d_with_mask_backward);
  c.of_format(ACL_FORMAT_NCHW);
  c.tensor("gradOutput").shape = {1, 1, 2, 1};
  c.tensor("self").shape = c.tensor("gradInput").shape = {1, 1, 4, 3};
  c.tensor("indices").shape = {1, 1, 4, 64};
  c.array("kernelSize").values = c.array("stride").values = {2, 2};
  c.array("padding").values = {0, 0};
  return c;
}

AsProduct::AsProduct(const char* name, const char* conformance) {
  // A file of this process's own: CTest runs several at once.
  const std::string path =
      testing::TempDir() + "gradproof_ops_" + std::to_string(getpid()) + name + ".json";
  std::ofstream(path) << "{\"soc\": \"" << name << "\", \"conformance\": \"" << conformance
                      << "\"}";
  EXPECT_EQ(aclInit(path.c_str()), ACL_SUCCESS) << recent_message();
  std::remove(path.c_str());
}

AsProduct::~AsProduct() { EXPECT_EQ(aclFinalize(), ACL_SUCCESS); }

}  // namespace gradproof::test
