// Edits that take features from a case without making it simpler.
#include "props/cases/shrink/otherwise.h"

#include <algorithm>

#include "props/cases/shapes.h"
#include "props/cases/shrink/simpler.h"
#include "ref/rules.h"
#include "ref/types.h"

namespace gradproof::props {

std::vector<Case> otherwise(const Case& c) {
  std::vector<Case> variants;
  if (!c.sequence.empty() || ref::expect(c.call).rule != nullptr) return variants;
  const auto offer = [&](const auto& edit) {
    Case variant = c;
    edit(variant);
    if (!(variant == c) && ref::expect(variant.call).rule == nullptr)
      variants.push_back(std::move(variant));
  };
  const auto offer_fitting = [&](const auto& edit) {
    offer([&](Case& v) {
      edit(v.call);
      if (!conform(v.call)) v = c;
    });
  };
  const int indices = indices_slot(c.call.op);
  const std::size_t rank = c.call.tensors.front().shape.size();

  for (const Plainer& way : plainer(c)) variants.push_back(way.test);
  for (const std::int32_t type : {ref::kFloat16, ref::kBf16}) {
    offer([&](Case& v) {
      for (int slot = 0; slot < static_cast<int>(v.call.tensors.size()); ++slot) {
        if (slot != indices) v.call.tensors[static_cast<std::size_t>(slot)].dtype = type;
      }
    });
  }
  for (std::size_t flag = 0; flag < c.call.flags.size(); ++flag)
    offer_fitting([&](ref::Call& call) { call.flags[flag] = 1; });
  offer_fitting([&](ref::Call& call) {  // two samples
    for (ref::Tensor& t : call.tensors) resize(t, 0, 2);
  });
  offer([&](Case& v) {  // a batch of one
    for (ref::Tensor& t : v.call.tensors) {
      if (t.shape.size() != rank) continue;
      std::vector<std::int64_t> shape = t.shape;
      shape.insert(shape.begin(), 1);
      reshape(t, shape);
    }
  });
  for (std::size_t array = 0; array < c.call.arrays.size(); ++array) {
    offer([&](Case& v) {
      std::vector<std::int64_t>& values = v.call.arrays[array].values;
      if (values.size() == 1) values.resize(spatial_axes(c.call.op), values.front());
    });
  }
  if (indices >= 0) {
    for (const Fill::Kind kind : {Fill::Kind::in_range, Fill::Kind::forward})
      offer([&](Case& v) { v.fills[static_cast<std::size_t>(indices)] = {kind, 0, 0}; });
  }
  for (const Case& plain : with_plain_data(c)) variants.push_back(plain);
  for (std::size_t slot = 0; slot < c.call.tensors.size(); ++slot) {
    offer([&](Case& v) {
      ref::Tensor& t = v.call.tensors[slot];
      for (std::int64_t& stride : t.strides) stride *= 2;
      t.storage = default_storage(t);
    });
  }
  return variants;
}

}  // namespace gradproof::props
