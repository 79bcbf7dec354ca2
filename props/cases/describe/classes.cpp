// The labelled classes of valid cases, one row a class: what a coverage report must show.
#include <algorithm>
#include <cmath>
#include <set>

#include "props/cases/describe/classes.h"
#include "props/cases/overlap.h"
#include "props/cases/shapes.h"
#include "props/cases/wide.h"
#include "ref/scales.h"
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

/// Planes of the input: samples times channels.
Wide planes(const Case& c) {
  const Shape& in = in_shape(c);
  const std::size_t first = first_spatial(c.call), axes = spatial_axes(c.call.op);
  Wide count = 1;
  for (std::size_t a = 0; a < in.size(); ++a) {
    if (a < first || a >= first + axes) count *= in[a];
  }
  return count;
}

bool empty(const ref::Tensor& t) { return element_count(t.shape) == 0; }

bool plain(const ref::Tensor& t) {
  return t.offset == 0 && (t.null_strides || t.strides == ref::contiguous_strides(t.shape));
}

bool has_gaps(const ref::Tensor& t) {
  if (t.null_strides || empty(t) || may_overlap(t)) return false;
  Wide reach = 0;
  for (std::size_t a = 0; a < t.shape.size(); ++a)
    reach += t.shape[a] > 1 ? Wide{t.shape[a] - 1} * t.strides[a] : 0;
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
Wide room(const Window& w) { return Wide{w.in} + 2 * Wide{w.pad} - w.kernel; }
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

/// A positive scale that is not the extents' own ratio.
bool other_scale(double scale, std::int64_t in, std::int64_t out) {
  const double natural = static_cast<double>(out) / static_cast<double>(in);
  return scale > 0 && std::abs(scale - natural) > 1e-9 * natural;
}

/// One scale, and the extents in and out of its axis.
template <class F>
bool some_scale(const Case& c, const F& is) {
  const std::size_t first = first_spatial(c.call);
  for (std::size_t a = 0; a < 2; ++a) {
    if (is(c.call.reals[a], in_shape(c)[first + a], out_shape(c)[first + a])) return true;
  }
  return false;
}

bool half_pixel(const Case& c) { return c.call.flags[0] == 0; }

const Shape& padding(const Case& c) { return ref::int_array(c.call, "padding").values; }

bool any_op(ref::Operator) { return true; }
bool describes_self(ref::Operator op) {
  return std::ranges::any_of(ref::signature(op).parameters,
                             [](const ref::Parameter& p) { return p.access == Access::described; });
}
bool weighs(ref::Operator op) { return family(op).weighted; }
bool pads(ref::Operator op) { return family(op).pads_each_end; }
bool resizes_to_0(ref::Operator op) { return family(op).empty_output; }

bool ignores_scales(ref::Product product) { return !ref::uses_scales(product); }

struct Row {
  const char* label;
  bool (*applies)(ref::Operator op);
  bool (*holds)(const Case& c);
  bool (*on)(ref::Product product) = nullptr;  ///< null: on every product
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
    {kManyPlanes, any_op, [](const Case& c) { return planes(c) > 65535; }},

    {"ceil", has_windows, ceil_mode},
    {"ceil-with-remainder", has_windows,
     [](const Case& c) {
       return ceil_mode(c) &&
              some_window(c, [](const Window& w) { return room(w) % w.stride != 0; });
     }},
    {"ceil-drops-window", has_windows,
     [](const Case& c) {
       return ceil_mode(c) && some_window(c, [](const Window& w) {
                return ((room(w) + w.stride - 1) / w.stride) * w.stride >= Wide{w.in} + w.pad;
              });
     }},
    {"floor-with-remainder", has_windows,
     [](const Case& c) {
       return !ceil_mode(c) &&
              some_window(c, [](const Window& w) { return room(w) % w.stride != 0; });
     }},
    {"exact-division", has_windows,
     [](const Case& c) {
       return !some_window(c, [](const Window& w) { return room(w) % w.stride != 0; });
     }},
    {"windows-overlap", has_windows,
     [](const Case& c) {
       return some_window(c, [](const Window& w) { return w.stride < w.kernel; });
     }},
    {"windows-touch", has_windows,
     [](const Case& c) {
       return !some_window(c, [](const Window& w) { return w.stride != w.kernel; });
     }},
    {"windows-with-gaps", has_windows,
     [](const Case& c) {
       return some_window(c, [](const Window& w) { return w.stride > w.kernel; });
     }},
    {"window-larger-than-input", has_windows,
     [](const Case& c) { return some_window(c, [](const Window& w) { return w.kernel > w.in; }); }},
    {"padding-0", has_windows,
     [](const Case& c) { return !some_window(c, [](const Window& w) { return w.pad != 0; }); }},
    {"padding-largest", has_windows,
     [](const Case& c) {
       return some_window(c, [](const Window& w) { return w.kernel > 1 && w.pad == w.kernel / 2; });
     }},
    {"distinct-kernels", has_windows,
     [](const Case& c) {
       const Shape& k = ref::int_array(c.call, "kernelSize").values;
       return k.size() > 1 && std::set<std::int64_t>(k.begin(), k.end()).size() == k.size();
     }},
    {"kernelSize-length-1", has_windows,
     [](const Case& c) { return ref::int_array(c.call, "kernelSize").values.size() == 1; }},
    {"kernelSize-per-axis", has_windows,
     [](const Case& c) { return ref::int_array(c.call, "kernelSize").values.size() > 1; }},
    {"stride-length-0", has_windows,
     [](const Case& c) { return ref::int_array(c.call, "stride").values.empty(); }},
    {"stride-length-1", has_windows,
     [](const Case& c) { return ref::int_array(c.call, "stride").values.size() == 1; }},
    {"stride-per-axis", has_windows,
     [](const Case& c) { return ref::int_array(c.call, "stride").values.size() > 1; }},
    {"padding-length-1", has_windows, [](const Case& c) { return padding(c).size() == 1; }},
    {"padding-per-axis", has_windows, [](const Case& c) { return padding(c).size() > 1; }},
    {"kernel-over-64", has_windows,
     [](const Case& c) {
       const std::vector<Window> axes = windows(c.call);
       double positions = 1;
       for (const Window& w : axes) positions *= static_cast<double>(w.kernel);
       return positions > 64;
     }},
    {"stride-over-32", has_windows,
     [](const Case& c) { return some_window(c, [](const Window& w) { return w.stride > 32; }); }},
    {"channels-over-16", has_mask,
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
    {"only-output-empty", resizes_to_0,
     [](const Case& c) {
       return *element_count(out_shape(c)) == 0 && *element_count(in_shape(c)) != 0;
     }},
    {"align-corners", weighs, [](const Case& c) { return c.call.flags[0] != 0; }},
    {"half-pixel", weighs, half_pixel},
    {"scale-0", weighs,
     [](const Case& c) { return some_scale(c, [](double s, auto, auto) { return s == 0; }); }},
    {"scale-consistent", weighs,
     [](const Case& c) {
       return some_scale(
           c, [](double s, auto in, auto out) { return s > 0 && ref::scale_fits(in, out, s); });
     }},
    {"scale-between-sizes", weighs,
     [](const Case& c) {
       return half_pixel(c) && some_scale(c, [](double s, auto in, auto out) {
                return other_scale(s, in, out) && ref::scale_fits(in, out, s);
              });
     }},
    {"scale-inconsistent", weighs,
     [](const Case& c) {
       return some_scale(
           c, [](double s, auto in, auto out) { return s > 0 && !ref::scale_fits(in, out, s); });
     }},
    {"scale-without-effect", weighs,
     [](const Case& c) {
       return half_pixel(c) && ignores_scales(c.call.product) && some_scale(c, other_scale);
     },
     ignores_scales},
    {"scale-negative", weighs,
     [](const Case& c) { return some_scale(c, [](double s, auto, auto) { return s < 0; }); }},
    {"scale-extreme", weighs,
     [](const Case& c) {
       return some_scale(c,
                         [](double s, auto, auto) { return s > 1e100 || (s > 0 && s < 1e-100); });
     }},
    {"padding-all-0", pads,
     [](const Case& c) { return padding(c) == Shape(padding(c).size(), 0); }},
    {"padding-positive", pads,
     [](const Case& c) { return *std::min_element(padding(c).begin(), padding(c).end()) > 0; }},
    {"padding-negative", pads,
     [](const Case& c) { return *std::min_element(padding(c).begin(), padding(c).end()) < 0; }},
    {"padding-asymmetric", pads,
     [](const Case& c) {
       for (std::size_t i = 0; i < padding(c).size(); i += 2) {
         if (padding(c)[i] != padding(c)[i + 1]) return true;
       }
       return false;
     }},
    {"padding-distinct", pads,
     [](const Case& c) {
       return std::set<std::int64_t>(padding(c).begin(), padding(c).end()).size() ==
              padding(c).size();
     }},
    {"padding-at-limit", pads,
     [](const Case& c) {
       const Shape& in = in_shape(c);
       for (std::size_t i = 0; i < padding(c).size(); ++i) {
         const std::int64_t extent = in[in.size() - 1 - i / 2];
         if (extent > 1 && padding(c)[i] == extent - 1) return true;
       }
       return false;
     }},
    {"cropped-to-1", pads,
     [](const Case& c) {
       return some_axis(c, [](auto in, auto out) { return in > 1 && out == 1; });
     }},
};

}  // namespace

std::vector<std::string> classes(const Case& c) {
  std::vector<std::string> labels;
  for (const Row& row : kRows) {
    if (row.applies(c.call.op) && row.holds(c)) labels.emplace_back(row.label);
  }
  const int data = data_slot(c.call.op), indices = indices_slot(c.call.op);
  labels.push_back("data-" + std::string(name(c.fills[data].kind)));
  // Elements that share memory are not what a forward yields.
  const bool of_indices = ref::is_backward(c.call.op) && indices >= 0;
  if (of_indices &&
      !(c.fills[indices].kind == Fill::Kind::forward && may_overlap(c.call.tensors[indices])))
    labels.push_back("indices-" + std::string(name(c.fills[indices].kind)));
  if (c.misuse != Misuse::none) labels.push_back("misuse-" + std::string(name(c.misuse)));
  return labels;
}

std::vector<std::string> all_classes(ref::Operator op, std::span<const ref::Product> products) {
  std::vector<std::string> labels;
  for (const Row& row : kRows) {
    if (row.applies(op) && (row.on == nullptr || std::ranges::any_of(products, row.on)))
      labels.emplace_back(row.label);
  }
  for (int kind = 0; kind <= static_cast<int>(Fill::Kind::one_bad); ++kind) {
    const auto fill = static_cast<Fill::Kind>(kind);
    const bool for_indices = fill >= Fill::Kind::forward;
    if (!for_indices) {
      labels.push_back("data-" + std::string(name(fill)));
    } else if (ref::is_backward(op) && indices_slot(op) >= 0 &&
               (fill != Fill::Kind::one_bad || !has_mask(op))) {
      labels.push_back("indices-" + std::string(name(fill)));
    }
  }
  for (int misuse = 1; misuse <= static_cast<int>(Misuse::dead_stream); ++misuse) {
    labels.push_back("misuse-" + std::string(name(static_cast<Misuse>(misuse))));
  }
  return labels;
}

}  // namespace gradproof::props
