// The classes of what resizes an image: extents, scales and padding, one row a class.
#include "props/cases/describe/class_rows.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "ref/scales.h"

namespace gradproof::props {
namespace {

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

bool weighs(ref::Operator op) { return family(op).weighted; }
bool pads(ref::Operator op) { return family(op).pads_each_end; }
bool resizes_to_0(ref::Operator op) { return family(op).empty_output; }

bool ignores_scales(ref::Product product) { return !ref::uses_scales(product); }

const ClassRow kRows[] = {
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
     [](const Case& c) { return padding_of(c) == Shape(padding_of(c).size(), 0); }},
    {"padding-positive", pads,
     [](const Case& c) {
       return *std::min_element(padding_of(c).begin(), padding_of(c).end()) > 0;
     }},
    {"padding-negative", pads,
     [](const Case& c) {
       return *std::min_element(padding_of(c).begin(), padding_of(c).end()) < 0;
     }},
    {"padding-asymmetric", pads,
     [](const Case& c) {
       for (std::size_t i = 0; i < padding_of(c).size(); i += 2) {
         if (padding_of(c)[i] != padding_of(c)[i + 1]) return true;
       }
       return false;
     }},
    {"padding-distinct", pads,
     [](const Case& c) {
       return std::set<std::int64_t>(padding_of(c).begin(), padding_of(c).end()).size() ==
              padding_of(c).size();
     }},
    {"padding-at-limit", pads,
     [](const Case& c) {
       const Shape& in = in_shape(c);
       for (std::size_t i = 0; i < padding_of(c).size(); ++i) {
         const std::int64_t extent = in[in.size() - 1 - i / 2];
         if (extent > 1 && padding_of(c)[i] == extent - 1) return true;
       }
       return false;
     }},
    {"cropped-to-1", pads,
     [](const Case& c) {
       return some_axis(c, [](auto in, auto out) { return in > 1 && out == 1; });
     }},
};

}  // namespace

std::span<const ClassRow> resizing_classes() { return kRows; }

}  // namespace gradproof::props
