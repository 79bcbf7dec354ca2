// The reference against itself: the adjoint identity and central differences of the forwards.
#include <gtest/gtest.h>

#include <cmath>

#include "calls.h"
#include "ref/rules.h"

namespace gradproof::ref::testing {
namespace {

using Numbers = std::vector<long double>;

long double dot(const Numbers& a, const Numbers& b) {
  EXPECT_EQ(a.size(), b.size());
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Numbers read(const Dense& d) {
  Numbers values;
  for (std::int64_t i = 0; i < count(d.shape) * components(d.dtype); ++i) {
    values.push_back(load(d.bytes.data(), component_type(d.dtype), i));
  }
  return values;
}

// Forward and gradient of one problem, with all variations that the parameters of valid_call allow.
struct Pair {
  Call backward, forward;
};
std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (int i = 0; i < kOperatorCount; ++i) {
    const auto op = static_cast<Operator>(i);
    if (is_backward(op) && companion(op))
      all.push_back({valid_call(op), valid_call(*companion(op))});
  }
  for (bool align : {false, true}) {
    for (double scale : {0.0, 1.3, 2.0, 0.4}) {
      Pair p{valid_call(Operator::upsample_bilinear2d_backward),
             valid_call(Operator::upsample_bilinear2d)};
      p.backward.flags = p.forward.flags = {align};
      p.backward.reals = p.forward.reals = {scale, scale * 1.7};
      all.push_back(p);
    }
  }
  return all;
}

bool is_pool(const Call& c) {
  return slot(c.op, signature(c.op).parameters[1].name) == 1 && c.tensors.size() == 4;
}

// gradOutput, then what the operator reads besides: indices that belong to `self`.
std::vector<Dense> gradient_inputs(const Call& c, const Dense& g, const Dense& self) {
  std::vector<Dense> in(c.tensors.size());
  in[0] = g;
  if (is_pool(c)) in[2] = forward_indices(c, self);
  return in;
}

TEST(Reference, AdjointIdentity) {
  for (const Pair& p : pairs()) {
    ASSERT_EQ(expect(p.backward).status, kSuccess);
    ASSERT_EQ(expect(p.forward).status, kSuccess);
    const Dense x = numbers(p.forward.tensors[0], 2), g = numbers(p.backward.tensors[0], 9);
    std::vector<Dense> in(p.forward.tensors.size());
    in[0] = x;
    const long double left = dot(run(p.forward, in), read(g));
    const long double right = dot(read(x), run(p.backward, gradient_inputs(p.backward, g, x)));
    EXPECT_NEAR(static_cast<double>(left), static_cast<double>(right), 1e-9)
        << signature(p.backward.op).stem;
    EXPECT_NE(left, 0);
  }
}

TEST(Reference, CentralDifferences) {
  for (const Pair& p : pairs()) {
    const Dense x = numbers(p.forward.tensors[0], 4), g = numbers(p.backward.tensors[0], 7);
    const Numbers gradient = run(p.backward, gradient_inputs(p.backward, g, x));
    const Numbers weights = read(g);
    auto loss = [&](const Dense& at) {
      std::vector<Dense> in(p.forward.tensors.size());
      in[0] = at;
      return dot(run(p.forward, in), weights);
    };
    // Ties decide a pool's gradient one-sidedly, so differences are taken where they cannot arise.
    const long double step = 0.25;
    Numbers values = read(x);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += static_cast<long double>(i % 97) / 1024;
    const Dense base = make_dense(x.dtype, x.shape, values);
    const bool pool = is_pool(p.backward);
    const Numbers wanted = pool ? run(p.backward, gradient_inputs(p.backward, g, base)) : gradient;
    const long double h = pool ? 0x1p-13L : step;
    for (std::size_t i = 0; i < values.size(); i += 13) {
      Numbers up = values, down = values;
      up[i] += h;
      down[i] -= h;
      const long double slope =
          (loss(make_dense(x.dtype, x.shape, up)) - loss(make_dense(x.dtype, x.shape, down))) /
          (2 * h);
      ASSERT_NEAR(static_cast<double>(slope), static_cast<double>(wanted[i]), 1e-6)
          << signature(p.backward.op).stem << " " << i;
    }
  }
}

TEST(Reference, PlaneSumsAreKept) {
  for (const Pair& p : pairs()) {
    const Dense x = numbers(p.forward.tensors[0], 6), g = numbers(p.backward.tensors[0], 3);
    long double in = 0, out = 0;
    for (long double v : read(g)) in += v;
    for (long double v : run(p.backward, gradient_inputs(p.backward, g, x))) out += v;
    EXPECT_NEAR(static_cast<double>(in), static_cast<double>(out), 1e-9)
        << signature(p.backward.op).stem;
  }
}

}  // namespace
}  // namespace gradproof::ref::testing
