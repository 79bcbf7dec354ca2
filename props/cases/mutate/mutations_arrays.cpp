// Boundary cases of int arrays: lengths, and the values of extents. Those on other values are with
// the families.
#include "props/cases/mutate/edits.h"

namespace gradproof::props {
namespace {

using ref::Call;
using ref::Tensor;

void mutate_length(Mutator& a, const ref::Parameter& p, const std::vector<int>& legal) {
  // All up to one more than the longest, and one far from it.
  const int last = std::max(6, legal.back() + 1), far = 9;
  for (int i = 0; i <= last + 1; ++i) {
    const auto length = static_cast<std::size_t>(i <= last ? i : far);
    const Mutator::At at(a, length);
    const bool fine =
        std::find(legal.begin(), legal.end(), static_cast<int>(length)) != legal.end();
    a.add("array-length", p.name, std::string(p.name) + " of length " + std::to_string(length),
          !fine, [&](Call& c) {
            ref::IntArray& array = c.arrays[p.slot];
            if (array.values.size() > length && length == 1) {
              // One value for all axes that cannot break a value rule: the largest kernel, the
              // least padding.
              const auto [least, most] =
                  std::minmax_element(array.values.begin(), array.values.end());
              array.values = {p.name == "padding" ? *least : *most};
            } else {
              set_all(array, length);
            }
            return !fine || conform(c);
          });
  }
}

}  // namespace

void mutate_sizes(Mutator& a, const char* argument, std::int64_t least) {
  const std::size_t length = ref::int_array(a.call(), argument).values.size();
  for (std::size_t i = 0; i < length; ++i) {
    const Mutator::At at(a, i);
    for (std::int64_t value : {least - 1, std::int64_t{-1}, kInt64Min}) {
      a.add("size-value", argument, element_is(argument, i, value), true,
            [&](Call& c) { ref::int_array(c, argument).values[i] = value; });
    }
    a.add("size-value", argument, element_is(argument, i, least), false, [&](Call& c) {
      if (std::string_view(argument) == "inputSize") return set_lead(c, i, least);
      ref::int_array(c, argument).values[i] = least;
      // A pooled extent of `least` must still have a plane to come from.
      return conform(c) && (least > 0 || !is_empty(ref::tensor(c, "self")));
    });
    a.add_shape(argument, element_is(argument, i, kInt64Max),
                [&](Call& c) { ref::int_array(c, argument).values[i] = kInt64Max; });
  }
}

void mutate_arrays(Mutator& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind == ref::Kind::int_array) mutate_length(a, p, accepted_lengths(a.op(), p.name));
  }
  family(a.op()).mutate_values(a);
}

}  // namespace gradproof::props
