// A kernel meets the same struct here as behind the subject kit, which reads it off descriptors.
#include "acl/acl.h"
#include "gradproof/subject.hpp"
#include "props/cases/case.h"
#include "tests/testing/failures.h"

namespace gradproof::testing {
namespace {

/// The descriptors of a case's call.
class Descriptors {
 public:
  explicit Descriptors(const Case& c) : call_(c.own().call) {
    for (const ref::Tensor& t : call_.tensors)
      tensors_.push_back(aclCreateTensor(
          t.shape.data(), t.shape.size(), static_cast<aclDataType>(t.dtype),
          t.null_strides ? nullptr : t.strides.data(), t.offset, static_cast<aclFormat>(t.format),
          t.storage.data(), t.storage.size(), &anything_));
    for (const ref::IntArray& a : call_.arrays)
      arrays_.push_back(aclCreateIntArray(a.values.data(), a.values.size()));
  }
  ~Descriptors() {
    for (const aclTensor* t : tensors_) aclDestroyTensor(t);
    for (const aclIntArray* a : arrays_) aclDestroyIntArray(a);
  }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  aclTensor* tensor(const char* name) const { return tensors_.at(at(name)); }
  aclIntArray* array(const char* name) const { return arrays_.at(at(name)); }
  bool flag() const { return call_.flags.at(0) != 0; }
  double real(std::size_t i) const { return call_.reals.at(i); }

 private:
  std::size_t at(const char* name) const {
    return static_cast<std::size_t>(ref::slot(call_.op, name));
  }
  static inline char anything_;
  const ref::Call& call_;
  std::vector<aclTensor*> tensors_;
  std::vector<aclIntArray*> arrays_;
};

template <class Call>
Call pooled(const Call& call, const Descriptors& d) {
  return subject::detail::describe(
      call, d.tensor("gradOutput"), d.tensor("self"), d.tensor("indices"), d.array("kernelSize"),
      d.array("stride"), d.array("padding"), d.array("dilation"), d.flag(), d.tensor("gradInput"));
}
auto described(const subject::MaxPool3dWithArgmaxBackward<void>& call, const Descriptors& d) {
  return pooled(call, d);
}
auto described(const subject::MaxPool2dWithMaskBackward<void>& call, const Descriptors& d) {
  return pooled(call, d);
}
auto described(const subject::AdaptiveMaxPool3dBackward<void>& call, const Descriptors& d) {
  return subject::detail::describe(call, d.tensor("gradOutput"), d.tensor("self"),
                                   d.tensor("indices"), d.tensor("gradInput"));
}
auto described(const subject::UpsampleBilinear2dBackward<void>& call, const Descriptors& d) {
  return subject::detail::describe(call, d.tensor("gradOut"), d.array("outputSize"),
                                   d.array("inputSize"), d.flag(), d.real(0), d.real(1),
                                   d.tensor("out"));
}
auto described(const subject::ReplicationPad2dBackward<void>& call, const Descriptors& d) {
  return subject::detail::describe(call, d.tensor("gradOutput"), d.tensor("self"),
                                   d.array("padding"), d.tensor("gradInput"));
}

/// All numbers of the parameters; a double holds those of cases' calls.
template <class Parameters>
std::vector<double> values(const Parameters& parameters) {
  std::vector<double> all;
  subject::detail::each_parameter(parameters, [&](const char*, const auto& value) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>)
      all.push_back(static_cast<double>(value));
    else
      all.insert(all.end(), value.begin(), value.end());
  });
  return all;
}

template <class T, int rank>
bool same(const subject::View<T, rank>& a, const subject::View<T, rank>& b) {
  return a.shape == b.shape && a.strides == b.strides && a.type == b.type && a.offset == b.offset &&
         a.storage == b.storage;
}
template <class A, class B, std::size_t... i>
bool same_views(const A& a, const B& b, std::index_sequence<i...>) {
  return (same(std::get<i>(a), std::get<i>(b)) && ...);
}

template <template <class> class Op>
void expect_same_structs() {
  ASSERT_EQ(setenv("GRADPROOF_SOC", "Ascend910B", 1), 0);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(counterexample([] {
              const auto c = *rc::gen::arbitrary<CaseOf<Op>>();
              const Tensors<Op> tensors(c);
              Op<void> here = tensors.call();
              Op<void> there = described(Op<void>{}, Descriptors(c));
              using Parameters = typename Op<void>::Parameters;
              RC_ASSERT(values(static_cast<const Parameters&>(here)) ==
                        values(static_cast<const Parameters&>(there)));
              RC_ASSERT(same_views(
                  here.views(), there.views(),
                  std::make_index_sequence<std::tuple_size_v<decltype(here.views())>>{}));
            }),
            "");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

#define GRADPROOF_TEST_OF(stem, Struct) \
  TEST(Kit, HasTheSame##Struct) { expect_same_structs<subject::Struct>(); }
GRADPROOF_GRADIENTS(GRADPROOF_TEST_OF)
#undef GRADPROOF_TEST_OF

}  // namespace
}  // namespace gradproof::testing
