// The classes of windows and of the arrays that say what they are, one row a class.
#include "props/cases/describe/class_rows.h"

#include <algorithm>
#include <set>

#include "props/cases/wide.h"

namespace gradproof::props {
namespace {

template <class F>
bool some_window(const Case& c, const F& is) {
  if (element_count(c.call.tensors.front().shape) == 0) return false;
  const std::vector<Window> axes = windows(c.call);
  return std::any_of(axes.begin(), axes.end(), is);
}
Wide room(const Window& w) { return Wide{w.in} + 2 * Wide{w.pad} - w.kernel; }
bool ceil_mode(const Case& c) { return c.call.flags[0] != 0; }

const ClassRow kRows[] = {
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
    {"padding-length-1", has_windows, [](const Case& c) { return padding_of(c).size() == 1; }},
    {"padding-per-axis", has_windows, [](const Case& c) { return padding_of(c).size() > 1; }},
    {"kernel-over-64", has_windows,
     [](const Case& c) {
       const std::vector<Window> axes = windows(c.call);
       double positions = 1;
       for (const Window& w : axes) positions *= static_cast<double>(w.kernel);
       return positions > 64;
     }},
    {"stride-over-64", has_windows,
     [](const Case& c) {  // of two windows: a single one lies where it would without a stride
       return some_window(c, [](const Window& w) { return w.stride > 64 && room(w) >= w.stride; });
     }},
    {"channels-over-16", has_mask,
     [](const Case& c) { return in_shape(c)[in_shape(c).size() - 3] > 16; }},
};

}  // namespace

std::span<const ClassRow> window_classes() { return kRows; }

}  // namespace gradproof::props
