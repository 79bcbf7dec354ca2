// The labelled classes of valid cases, one row a class: what a coverage report must show.
#include <algorithm>
#include <cmath>
#include <set>

#include "props/cases/layout.h"
#include "props/cases/shapes.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using ref::Access;
using Shape = std::vector<std::int64_t>;

const Shape& in_shape(const Case& c) { return c.call.tensors[input_side(c.call.op).front()].shape; }
const Shape& out_shape(const Case& c) { return c.call.tensors[output_side(c.call.op)].shape; }

/// Whether any tensor of that access (all of them: `any`) is as `is` says.
template <class F>
bool some_tensor(const Case& c, const F& is, bool written, bool inputs = true) {
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    if ((p.access == Access::written ? written : inputs) && is(c.call.tensors[p.slot])) return true;
  }
  return false;
}

bool empty(const ref::Tensor& t) { return element_count(t.shape) == 0; }

bool plain(const ref::Tensor& t) {
  return t.offset == 0 && (t.null_strides || t.strides == ref::contiguous_strides(t.shape));
}

bool has_gaps(const ref::Tensor& t) {
  if (t.null_strides || empty(t) || may_overlap(t)) return false;
  std::int64_t reach = 0;
  for (std::size_t a = 0; a < t.shape.size(); ++a)
    reach += t.shape[a] > 1 ? (t.shape[a] - 1) * t.strides[a] : 0;
  return reach + 1 > *element_count(t.shape);
}

bool transposed(const ref::Tensor& t) {
  if (t.null_strides || may_overlap(t)) return false;
  std::int64_t outer = 0;
  for (std::size_t a = 0; a < t.shape.size(); ++a) {
    if (t.shape[a] < 2) continue;
    if (outer != 0 && t.strides[a] > outer) return true;
    outer = t.strides[a];
  }
  return false;
}

bool broadcast(const ref::Tensor& t) {
  for (std::size_t a = 0; !t.null_strides && a < t.shape.size(); ++a) {
    if (t.shape[a] > 1 && t.strides[a] == 0) return true;
  }
  return false;
}

bool odd_unit_stride(const ref::Tensor& t) {
  if (t.null_strides) return false;
  const std::vector<std::int64_t> plain_strides = ref::contiguous_strides(t.shape);
  for (std::size_t a = 0; a < t.shape.size(); ++a) {
    if (t.shape[a] == 1 && t.strides[a] != plain_strides[a]) return true;
  }
  return false;
}

bool large_storage(const ref::Tensor& t) {
  return element_count(t.storage).value_or(0) > element_count(default_storage(t)).value_or(0);
}

template <class F>
bool some_window(const Case& c, const F& is) {
  if (empty(c.call.tensors.front())) return false;
  const std::vector<Window> axes = windows(c.call);
  return std::any_of(axes.begin(), axes.end(), is);
}
std::int64_t room(const Window& w) { return w.in + 2 * w.pad - w.kernel; }
bool ceil_mode(const Case& c) { return c.call.flags[0] != 0; }

/// One spatial axis of a resizing: extents in and out.
template <class F>
bool some_axis(const Case& c, const F& is) {
  const std::size_t first = first_spatial(c.call);
  for (int a = 0; a < spatial_axes(c.call.op); ++a) {
    if (is(in_shape(c)[first + a], out_shape(c)[first + a])) return true;
  }
  return false;
}

template <class F>
bool some_scale(const Case& c, const F& is) {
  const std::size_t first = first_spatial(c.call);
  for (std::size_t a = 0; a < 2; ++a) {
    const double natural =
        static_cast<double>(out_shape(c)[first + a]) / static_cast<double>(in_shape(c)[first + a]);
    if (is(c.call.reals[a], natural)) return true;
  }
  return false;
}

const Shape& padding(const Case& c) { return ref::int_array(c.call, "padding").values; }

bool any_op(ref::Operator) { return true; }
bool backward(ref::Operator op) { return ref::is_backward(op); }
bool describes_self(ref::Operator op) { return backward(op) && family(op) != Family::upsample; }
bool can_be_empty(ref::Operator op) {
  return family(op) != Family::max_pool3d && family(op) != Family::upsample;
}
bool pool(ref::Operator op) { return has_windows(op); }
bool mask(ref::Operator op) { return family(op) == Family::max_pool2d; }
bool upsample(ref::Operator op) { return family(op) == Family::upsample; }
bool pad(ref::Operator op) { return family(op) == Family::pad; }
bool adaptive(ref::Operator op) { return family(op) == Family::adaptive; }
bool resizes(ref::Operator op) { return upsample(op) || adaptive(op); }

struct Row {
  const char* label;
  bool (*applies)(ref::Operator op);
  bool (*holds)(const Case& c);
};

const Row kRows[] = {
    {"all-contiguous", any_op,
     [](const Case& c) {
       return !some_tensor(
           c, [](const auto& t) { return !plain(t); }, true);
     }},
    {"null-strides", any_op,
     [](const Case& c) {
       return some_tensor(
           c, [](const auto& t) { return t.null_strides; }, true);
     }},
    {"offset-input", any_op,
     [](const Case& c) {
       return some_tensor(
           c, [](const auto& t) { return t.offset != 0; }, false);
     }},
    {"offset-output", any_op,
     [](const Case& c) {
       return some_tensor(
           c, [](const auto& t) { return t.offset != 0; }, true, false);
     }},
    {"strided-input", any_op, [](const Case& c) { return some_tensor(c, has_gaps, false); }},
    {"strided-output", any_op, [](const Case& c) { return some_tensor(c, has_gaps, true, false); }},
    {"transposed-input", any_op, [](const Case& c) { return some_tensor(c, transposed, false); }},
    {"transposed-output", any_op,
     [](const Case& c) { return some_tensor(c, transposed, true, false); }},
    {"broadcast-input", any_op, [](const Case& c) { return some_tensor(c, broadcast, false); }},
    {"overlapping-input", any_op,
     [](const Case& c) {
       return some_tensor(
           c, [](const auto& t) { return may_overlap(t) && !broadcast(t); }, false);
     }},
    {"extent-1-odd-stride", any_op,
     [](const Case& c) { return some_tensor(c, odd_unit_stride, true); }},
    {"storage-larger", any_op, [](const Case& c) { return some_tensor(c, large_storage, true); }},
    {"self-shares-gradInput", describes_self,
     [](const Case& c) { return ref::tensor(c.call, "self").shares >= 0; }},
    {"self-null-data", describes_self,
     [](const Case& c) { return ref::tensor(c.call, "self").null_data; }},
    {"empty", can_be_empty, [](const Case& c) { return some_tensor(c, empty, true); }},
    {"distinct-extents", any_op,
     [](const Case& c) {
       const Shape& in = in_shape(c);
       return std::set<std::int64_t>(in.begin(), in.end()).size() == in.size();
     }},
    {"equal-spatial-extents", any_op,
     [](const Case& c) {
       const auto first = in_shape(c).begin() + static_cast<std::ptrdiff_t>(first_spatial(c.call));
       return *first > 1 && std::equal(first + 1, first + spatial_axes(c.call.op), first);
     }},
    {"extent-1", any_op,
     [](const Case& c) { return std::count(in_shape(c).begin(), in_shape(c).end(), 1) > 0; }},
    {"first-extent-1", any_op, [](const Case& c) { return in_shape(c)[0] == 1; }},
    {"extent-over-64", any_op,
     [](const Case& c) { return *std::max_element(in_shape(c).begin(), in_shape(c).end()) > 64; }},
    {"extent-over-256", any_op,
     [](const Case& c) { return *std::max_element(in_shape(c).begin(), in_shape(c).end()) > 256; }},

    {"ceil", pool, ceil_mode},
    {"ceil-with-remainder", pool,
     [](const Case& c) {
       return ceil_mode(c) &&
              some_window(c, [](const Window& w) { return room(w) % w.stride != 0; });
     }},
    {"ceil-drops-window", pool,
     [](const Case& c) {
       return ceil_mode(c) && some_window(c, [](const Window& w) {
                return ((room(w) + w.stride - 1) / w.stride) * w.stride >= w.in + w.pad;
              });
     }},
    {"floor-with-remainder", pool,
     [](const Case& c) {
       return !ceil_mode(c) &&
              some_window(c, [](const Window& w) { return room(w) % w.stride != 0; });
     }},
    {"exact-division", pool,
     [](const Case& c) {
       return !some_window(c, [](const Window& w) { return room(w) % w.stride != 0; });
     }},
    {"windows-overlap", pool,
     [](const Case& c) {
       return some_window(c, [](const Window& w) { return w.stride < w.kernel; });
     }},
    {"windows-touch", pool,
     [](const Case& c) {
       return !some_window(c, [](const Window& w) { return w.stride != w.kernel; });
     }},
    {"windows-with-gaps", pool,
     [](const Case& c) {
       return some_window(c, [](const Window& w) { return w.stride > w.kernel; });
     }},
    {"window-larger-than-input", pool,
     [](const Case& c) { return some_window(c, [](const Window& w) { return w.kernel > w.in; }); }},
    {"padding-0", pool,
     [](const Case& c) { return !some_window(c, [](const Window& w) { return w.pad != 0; }); }},
    {"padding-largest", pool,
     [](const Case& c) {
       return some_window(c, [](const Window& w) { return w.kernel > 1 && w.pad == w.kernel / 2; });
     }},
    {"distinct-kernels", pool,
     [](const Case& c) {
       const Shape& k = ref::int_array(c.call, "kernelSize").values;
       return k.size() > 1 && std::set<std::int64_t>(k.begin(), k.end()).size() == k.size();
     }},
    {"kernelSize-length-1", pool,
     [](const Case& c) { return ref::int_array(c.call, "kernelSize").values.size() == 1; }},
    {"kernelSize-per-axis", pool,
     [](const Case& c) { return ref::int_array(c.call, "kernelSize").values.size() > 1; }},
    {"stride-length-0", pool,
     [](const Case& c) { return ref::int_array(c.call, "stride").values.empty(); }},
    {"stride-length-1", pool,
     [](const Case& c) { return ref::int_array(c.call, "stride").values.size() == 1; }},
    {"stride-per-axis", pool,
     [](const Case& c) { return ref::int_array(c.call, "stride").values.size() > 1; }},
    {"padding-length-1", pool, [](const Case& c) { return padding(c).size() == 1; }},
    {"padding-per-axis", pool, [](const Case& c) { return padding(c).size() > 1; }},
    {"kernel-over-64", pool,
     [](const Case& c) {
       const std::vector<Window> axes = windows(c.call);
       std::int64_t positions = 1;
       for (const Window& w : axes) positions *= w.kernel;
       return positions > 64;
     }},
    {"stride-over-32", pool,
     [](const Case& c) { return some_window(c, [](const Window& w) { return w.stride > 32; }); }},
    {"channels-over-16", mask,
     [](const Case& c) { return in_shape(c)[in_shape(c).size() - 3] > 16; }},

    {"resize-up", resizes,
     [](const Case& c) { return some_axis(c, [](auto in, auto out) { return out > in; }); }},
    {"resize-down", resizes,
     [](const Case& c) { return some_axis(c, [](auto in, auto out) { return out < in; }); }},
    {"resize-by-whole-factor", resizes,
     [](const Case& c) {
       return some_axis(c, [](auto in, auto out) {
         return in > 0 && out > 0 && in != out && (in % out == 0 || out % in == 0);
       });
     }},
    {"same-extents", resizes,
     [](const Case& c) { return !some_axis(c, [](auto in, auto out) { return in != out; }); }},
    {"from-1", resizes,
     [](const Case& c) {
       return some_axis(c, [](auto in, auto out) { return in == 1 && out > 1; });
     }},
    {"to-1", resizes,
     [](const Case& c) {
       return some_axis(c, [](auto in, auto out) { return in > 1 && out == 1; });
     }},
    {"only-output-empty", adaptive,
     [](const Case& c) {
       return *element_count(out_shape(c)) == 0 && *element_count(in_shape(c)) != 0;
     }},
    {"align-corners", upsample, [](const Case& c) { return c.call.flags[0] != 0; }},
    {"half-pixel", upsample, [](const Case& c) { return c.call.flags[0] == 0; }},
    {"scale-0", upsample,
     [](const Case& c) { return some_scale(c, [](double s, double) { return s == 0; }); }},
    {"scale-consistent", upsample,
     [](const Case& c) {
       return some_scale(c,
                         [](double s, double n) { return s > 0 && std::abs(s - n) <= 1e-9 * n; });
     }},
    {"scale-inconsistent", upsample,
     [](const Case& c) {
       return some_scale(c, [](double s, double n) { return s > 0 && std::abs(s - n) > 1e-9 * n; });
     }},
    {"scale-negative", upsample,
     [](const Case& c) { return some_scale(c, [](double s, double) { return s < 0; }); }},
    {"scale-extreme", upsample,
     [](const Case& c) {
       return some_scale(c, [](double s, double) { return s > 1e100 || (s > 0 && s < 1e-100); });
     }},
    {"padding-all-0", pad, [](const Case& c) { return padding(c) == Shape(4, 0); }},
    {"padding-positive", pad,
     [](const Case& c) { return *std::min_element(padding(c).begin(), padding(c).end()) > 0; }},
    {"padding-negative", pad,
     [](const Case& c) { return *std::min_element(padding(c).begin(), padding(c).end()) < 0; }},
    {"padding-asymmetric", pad,
     [](const Case& c) {
       return padding(c)[0] != padding(c)[1] || padding(c)[2] != padding(c)[3];
     }},
    {"padding-distinct", pad,
     [](const Case& c) {
       return std::set<std::int64_t>(padding(c).begin(), padding(c).end()).size() == 4;
     }},
    {"padding-at-limit", pad,
     [](const Case& c) {
       const Shape& in = in_shape(c);
       const std::int64_t h = in[in.size() - 2], w = in[in.size() - 1];
       return (w > 1 && (padding(c)[0] == w - 1 || padding(c)[1] == w - 1)) ||
              (h > 1 && (padding(c)[2] == h - 1 || padding(c)[3] == h - 1));
     }},
    {"cropped-to-1", pad,
     [](const Case& c) {
       return some_axis(c, [](auto in, auto out) { return in > 1 && out == 1; });
     }},
};

/// The tensor whose data the operator is about: the gradient, or self of a forward.
int data_slot(ref::Operator op) { return backward(op) ? output_side(op) : ref::slot(op, "self"); }

}  // namespace

std::vector<std::string> classes(const Case& c) {
  std::vector<std::string> labels;
  for (const Row& row : kRows) {
    if (row.applies(c.call.op) && row.holds(c)) labels.emplace_back(row.label);
  }
  const int data = data_slot(c.call.op), indices = indices_slot(c.call.op);
  labels.push_back("data-" + std::string(name(c.fills[data].kind)));
  if (backward(c.call.op) && indices >= 0)
    labels.push_back("indices-" + std::string(name(c.fills[indices].kind)));
  if (c.misuse != Misuse::none) labels.push_back("misuse-" + std::string(name(c.misuse)));
  return labels;
}

std::vector<std::string> all_classes(ref::Operator op) {
  std::vector<std::string> labels;
  for (const Row& row : kRows) {
    if (row.applies(op)) labels.emplace_back(row.label);
  }
  for (int kind = 0; kind <= static_cast<int>(Fill::Kind::one_bad); ++kind) {
    const auto fill = static_cast<Fill::Kind>(kind);
    const bool for_indices = fill >= Fill::Kind::forward;
    if (!for_indices) {
      // The forward of the mask pool takes no NaN.
      if (fill != Fill::Kind::special || op != ref::Operator::max_pool2d_with_mask) {
        labels.push_back("data-" + std::string(name(fill)));
      }
    } else if (backward(op) && indices_slot(op) >= 0 &&
               (fill != Fill::Kind::one_bad || !mask(op))) {
      labels.push_back("indices-" + std::string(name(fill)));
    }
  }
  for (int misuse = 1; misuse <= static_cast<int>(Misuse::dead_stream); ++misuse) {
    labels.push_back("misuse-" + std::string(name(static_cast<Misuse>(misuse))));
  }
  return labels;
}

}  // namespace gradproof::props
