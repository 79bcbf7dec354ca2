// Rules on views, outputs that overlap themselves and shared memory, from both sides.
#include <functional>

#include "rules_common.h"

namespace gradproof::ref::testing {
namespace {

TEST(Rules, Views) {
  for (Operator op : all_operators()) {
    each_tensor(op, [&](const Parameter& p) {
      const Call valid = valid_call(op);
      const std::size_t last = valid.tensors[p.slot].shape.size() - 1;
      auto edit = [&](const std::function<void(Tensor&)>& f) {
        Call c = valid;
        f(c.tensors[p.slot]);
        return c;
      };
      const std::int64_t elements = count(valid.tensors[p.slot].shape);
      for (std::int64_t bad : {std::int64_t{-1}, kMin}) {
        EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.offset = bad; }), "view", p.name));
        EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.strides[last] = bad; }), "view", p.name));
        EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {bad}; }), "view", p.name));
      }
      for (std::int64_t bad : {std::int64_t{1}, kMax})
        EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.offset = bad; }), "view", p.name));
      EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {elements - 1}; }), "view", p.name));
      EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {kMax, kMax}; }), "view", p.name));
      EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {kMax / 4, 8}; }), "view", p.name));
      EXPECT_TRUE(
          breaks(edit([&](Tensor& t) { std::fill(t.strides.begin(), t.strides.end(), kMax); }),
                 "view", p.name));
      EXPECT_TRUE(holds(edit([&](Tensor& t) { t.storage = {elements}; })));
      EXPECT_TRUE(holds(edit([&](Tensor& t) { t.storage = {elements + 3}, t.offset = 3; })));
      EXPECT_TRUE(breaks(edit([&](Tensor& t) { t.storage = {elements + 2}, t.offset = 3; }), "view",
                         p.name));
      EXPECT_TRUE(holds(edit([&](Tensor& t) { t.null_strides = true, t.strides.clear(); })));
      // Two elements apart: fits a storage of 2n − 1, but a mask must be contiguous.
      const Call spread = edit([&](Tensor& t) {
        for (std::int64_t& s : t.strides) s *= 2;
        t.storage = {2 * elements - 1};
      });
      if (is_mask(op) && is_indices(p))
        EXPECT_TRUE(breaks(spread, "view", p.name));
      else
        EXPECT_TRUE(holds(spread));
    });
  }
}

TEST(Rules, OutputOverlap) {
  for (Operator op : all_operators()) {
    each_tensor(op, [&](const Parameter& p) {
      Call broadcast = valid_call(op);
      broadcast.tensors[p.slot].strides[0] = 0;
      if (is_mask(op) && is_indices(p))
        EXPECT_EQ(first_broken(broadcast), "view");
      else if (p.access == Access::written)
        EXPECT_TRUE(breaks(broadcast, "output-overlap", p.name));
      else
        EXPECT_TRUE(holds(broadcast));
      if (p.access != Access::written || is_indices(p)) return;
      Call c = valid_call(op);
      Tensor& t = c.tensors[p.slot];
      std::swap(t.strides[0], t.strides[1]);  // any order, if every stride clears the smaller ones
      t.strides[0] = t.strides[2] * t.shape[2];
      t.strides[1] = t.strides[0] * t.shape[0];
      EXPECT_TRUE(holds(c));
      t.strides[1] =
          t.strides[0] * (t.shape[0] - 1) + t.strides[0] - 1;  // the smaller ones reach just there
      EXPECT_TRUE(breaks(c, "output-overlap", p.name));
    });
  }
  Call ones = valid_call(Operator::replication_pad2d);
  reshape(ones.tensors[0], {1, 3, 4, 5});
  reshape(ones.tensors[1], {1, 3, 6, 8});
  ones.tensors[1].strides[0] = 0;  // an extent of 1 may have any stride
  EXPECT_TRUE(holds(ones));
  ones.tensors[1].strides[0] = kMax;
  EXPECT_TRUE(holds(ones));
}

TEST(Rules, Alias) {
  for (Operator op : all_operators()) {
    const std::span<const Parameter> parameters = signature(op).parameters;
    for (const Parameter& a : parameters) {
      for (const Parameter& b : parameters) {
        if (a.kind != Kind::tensor || b.kind != Kind::tensor || a.slot >= b.slot) continue;
        const bool judged = a.access != Access::described && b.access != Access::described &&
                            (a.access == Access::written || b.access == Access::written);
        const Call valid = valid_call(op);
        const std::int64_t size_a =
            count(valid.tensors[a.slot].shape) * dtype_size(valid.tensors[a.slot].dtype);
        const std::int64_t size_b =
            count(valid.tensors[b.slot].shape) * dtype_size(valid.tensors[b.slot].dtype);
        auto shared = [&](std::int64_t at) {
          Call c = valid;
          c.tensors[b.slot].shares = a.slot;
          c.tensors[b.slot].shares_at = at;
          return c;
        };
        for (std::int64_t at : {std::int64_t{0}, size_a - 1, 1 - size_b}) {
          if (judged)
            EXPECT_TRUE(breaks(shared(at), "alias", b.name)) << a.name << at;
          else
            EXPECT_TRUE(holds(shared(at)));
        }
        for (std::int64_t at : {size_a, -size_b, kMin, kMax}) EXPECT_TRUE(holds(shared(at)));
        Call null = shared(0);
        null.tensors[a.slot].null_data = true;
        EXPECT_TRUE(holds(null));
      }
    }
  }
  // Two that share a third one's memory meet there.
  Call c = valid_call(Operator::replication_pad2d_backward);
  tensor(c, "gradOutput").shares = tensor(c, "gradInput").shares = slot(c.op, "self");
  EXPECT_TRUE(breaks(c, "alias", "gradInput"));
  tensor(c, "gradInput").shares_at = 4 * 6 * 48;
  EXPECT_TRUE(holds(c));
  // A tensor in its own memory is where it is, whatever the distance.
  Call own = valid_call(Operator::replication_pad2d_backward);
  tensor(own, "gradInput").shares = tensor(own, "gradOutput").shares = slot(own.op, "gradInput");
  tensor(own, "gradInput").shares_at = 1 << 20;
  EXPECT_TRUE(breaks(own, "alias", "gradInput"));
}

}  // namespace
}  // namespace gradproof::ref::testing
