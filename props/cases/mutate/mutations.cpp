// All boundary cases of a valid case; those of what a descriptor says: null, platform, dtype,
// format, rank.
#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/mutate/mutator.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Call;
using ref::Tensor;

template <class T>
bool contains(const std::vector<T>& values, T value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

void mutate_null(Mutator& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind == ref::Kind::tensor) {
      a.add("null-argument", p.name, std::string(p.name) + " = null", true, [&](Call& c) {
        c.tensors[p.slot] = Tensor{};
        c.tensors[p.slot].null = true;
        // Nothing can lie in the memory of a tensor that is not there.
        for (Tensor& t : c.tensors) {
          if (t.shares == p.slot) t.shares = -1, t.shares_at = 0;
        }
      });
      if (p.access == ref::Access::described) {
        a.add("null-argument", p.name, std::string(p.name) + " without data", false,
              [&](Call& c) { c.tensors[p.slot].null_data = true; });
      }
    } else if (p.kind == ref::Kind::int_array) {
      a.add("null-argument", p.name, std::string(p.name) + " = null", true, [&](Call& c) {
        c.arrays[p.slot] = {true, {}};
      });
    }
  }
  a.add("null-argument", "workspaceSize", "workspaceSize = null", true,
        [](Call& c) { c.null_workspace_size = true; });
  a.add("null-argument", "executor", "executor = null", true,
        [](Call& c) { c.null_executor = true; });
}

void mutate_platform(Mutator& a) {
  bool everywhere = true;
  for (int i = 0; i < ref::kProductCount; ++i) {
    everywhere = everywhere && !accepted_dtypes(a.op(), static_cast<ref::Product>(i)).empty();
  }
  for (int i = 0; i < ref::kProductCount; ++i) {
    const auto product = static_cast<ref::Product>(i);
    const std::vector<std::int32_t> dtypes = accepted_dtypes(a.op(), product);
    const bool dtype_too = contains(dtypes, a.call().tensors[output_side(a.op())].dtype);
    const bool about_dtype = everywhere || (!dtypes.empty() && !dtype_too);
    a.add(about_dtype ? "dtype" : "platform", "soc", "soc = " + std::string(ref::name(product)),
          !dtype_too, [&](Call& c) { c.product = product; });
  }
}

void mutate_dtype(Mutator& a) {
  const int indices = indices_slot(a.op());
  const std::vector<std::int32_t> accepted = accepted_dtypes(a.op(), a.call().product);
  for (std::int32_t dtype : kDtypes) {
    const Mutator::At at(a, dtype);
    a.add("dtype", "all tensors", "dtype = " + ref::dtype_name(dtype), !contains(accepted, dtype),
          [&](Call& c) {
            for (int slot = 0; slot < static_cast<int>(c.tensors.size()); ++slot) {
              if (slot != indices) c.tensors[slot].dtype = dtype;
            }
          });
  }
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    const std::int32_t own = a.call().tensors[p.slot].dtype;
    for (std::int32_t dtype : {own - 1, own + 1, accepted[0], accepted[1], ref::kBf16, ref::kInt64,
                               ref::kUint8, std::int32_t{77}}) {
      if (dtype == own) continue;
      a.add("dtype", p.name, std::string(p.name) + " dtype = " + ref::dtype_name(dtype), true,
            [&](Call& c) { c.tensors[p.slot].dtype = dtype; });
    }
  }
}

void mutate_format(Mutator& a) {
  const std::vector<std::int32_t> accepted =
      accepted_formats(a.op(), static_cast<int>(a.call().tensors.front().shape.size()));
  for (std::int32_t format : kFormats) {
    const Mutator::At at(a, format);
    a.add("format", "all tensors", "format = " + ref::format_name(format),
          !contains(accepted, format), [&](Call& c) {
            for (Tensor& t : c.tensors) t.format = format;
            // The format says where H and W are.
            return !contains(accepted, format) || !family(c.op).format_places_axes || conform(c);
          });
  }
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    for (std::int32_t format : kFormats) {
      if (format == a.call().tensors[p.slot].format) continue;
      a.add("format", p.name, std::string(p.name) + " format = " + ref::format_name(format), true,
            [&](Call& c) { c.tensors[p.slot].format = format; });
    }
  }
}

void mutate_rank(Mutator& a) {
  const std::vector<int> accepted = accepted_ranks(a.op());
  const int rank = static_cast<int>(a.call().tensors.front().shape.size());
  // Where the format depends on the rank, ND is the one that does not, so that rank alone decides.
  const auto free_format = [](Call& c) {
    if (!format_follows_rank(c.op)) return;
    for (Tensor& t : c.tensors) t.format = ref::kNd;
  };
  for (int wanted = 0; wanted <= 8; ++wanted) {
    if (wanted == rank) continue;
    const Mutator::At at(a, wanted);
    a.add("rank", "all tensors", "rank = " + std::to_string(wanted), !contains(accepted, wanted),
          [&](Call& c) {
            free_format(c);
            for (Tensor& t : c.tensors) {
              std::vector<std::int64_t> shape = t.shape;
              while (static_cast<int>(shape.size()) > wanted) shape.erase(shape.begin());
              while (static_cast<int>(shape.size()) < wanted) shape.insert(shape.begin(), 1);
              reshape(t, shape);
            }
            // Without its batch an empty call need not be one that may be empty, and the other way
            // round.
            return !contains(accepted, wanted) ||
                   std::none_of(a.call().tensors.begin(), a.call().tensors.end(), is_empty);
          });
  }
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    const auto edit = [&](const std::string& what, const auto& change) {
      a.add("rank", p.name, std::string(p.name) + " rank = " + what, true, [&](Call& c) {
        free_format(c);
        std::vector<std::int64_t> shape = c.tensors[p.slot].shape;
        change(shape);
        reshape(c.tensors[p.slot], shape);
      });
    };
    edit(std::to_string(rank - 1), [](auto& shape) { shape.erase(shape.begin()); });
    edit(std::to_string(rank + 1), [](auto& shape) { shape.insert(shape.begin(), 1); });
    edit(std::to_string(rank + 1) + " and empty",
         [](auto& shape) { shape.insert(shape.begin(), 0); });
  }
}

}  // namespace

std::string element_is(std::string_view argument, std::size_t i, std::int64_t value) {
  return std::string(argument) + "[" + std::to_string(i) + "] = " + std::to_string(value);
}

bool is_empty(const ref::Tensor& t) { return element_count(t.shape) == 0; }

std::int64_t needed_storage(const ref::Tensor& t) {
  const std::vector<std::int64_t> strides =
      t.null_strides ? ref::contiguous_strides(t.shape) : t.strides;
  std::int64_t last = t.offset;
  for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
    if (t.shape[axis] > 1) last += (t.shape[axis] - 1) * strides[axis];
  }
  return last + 1;
}

void mutate_descriptors(Mutator& a) {
  mutate_null(a);
  mutate_platform(a);
  mutate_dtype(a);
  mutate_format(a);
  mutate_rank(a);
}

std::vector<Mutation> mutations(const Case& valid) {
  Mutator a(valid);
  for (auto* row : {mutate_descriptors, mutate_dims, mutate_arrays, mutate_shapes, mutate_views,
                    mutate_overlap, mutate_alias, mutate_fitting}) {
    row(a);
  }
  return a.take();
}

std::vector<Mutation> mutations_like(const Mutation& model, const Case& valid) {
  std::vector<Mutation> like = mutations(valid);
  std::erase_if(like, [&](const Mutation& a) {
    return a.rule != model.rule || a.argument != model.argument || a.breaks != model.breaks;
  });
  const auto there = [&](const Mutation& a) { return a.at == model.at; };
  if (std::any_of(like.begin(), like.end(), there))
    std::erase_if(like, [&](const Mutation& a) { return !there(a); });
  // The very same edit first, where there still is one.
  std::stable_partition(like.begin(), like.end(),
                        [&](const Mutation& a) { return a.what == model.what; });
  return like;
}

}  // namespace gradproof::props
