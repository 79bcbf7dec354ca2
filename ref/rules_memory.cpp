// Rules about memory: view, output-overlap, alias.
#include <algorithm>
#include <limits>

#include "ref/element.h"
#include "ref/rules_internal.h"

namespace gradproof::ref {
namespace {

constexpr Wide kInt64Max = std::numeric_limits<std::int64_t>::max();
constexpr Wide kHuge =
    Wide{1} << 100;  // larger than any reach in question; sums of it do not overflow

bool is_empty(const Tensor& t) { return std::ranges::find(t.shape, 0) != t.shape.end(); }

// Distance in elements from a non-empty view's first element to its furthest; strides not negative.
Wide reach(const Tensor& t) {
  if (t.null_strides) return product_up_to(t.shape, kInt64Max) - 1;
  Wide sum = 0;
  for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
    sum = std::min(kHuge, sum + std::min(kHuge, Wide{t.shape[axis] - 1} * t.strides[axis]));
  }
  return sum;
}

bool is_contiguous(const Tensor& t) {
  if (t.null_strides || is_empty(t)) return true;
  Wide next = 1;
  for (std::size_t axis = t.shape.size(); axis-- > 0;) {
    if (t.shape[axis] > 1 && t.strides[axis] != next) return false;
    next *= t.shape[axis];
  }
  return true;
}

using Values = std::vector<std::vector<std::string>>;

Violation about(const Parameter& p, const std::string& detail, Values values = {}) {
  return {std::string(p.name), std::string(p.name) + " " + detail, std::move(values)};
}

// Any of the negative numbers.
Values each_negative(const std::vector<std::int64_t>& numbers) {
  Values values;
  for (const std::int64_t number : numbers) {
    if (number < 0) values.push_back({std::to_string(number)});
  }
  return values;
}

std::optional<Violation> check_one_view(const Parameter& p, const Tensor& t) {
  if (t.offset < 0) {
    const std::string offset = std::to_string(t.offset);
    return about(p, "has the negative offset " + offset, {{offset}});
  }
  if (!t.null_strides && std::ranges::any_of(t.strides, [](std::int64_t s) { return s < 0; })) {
    return about(p, "has a negative stride: " + text(t.strides), each_negative(t.strides));
  }
  if (std::ranges::any_of(t.storage, [](std::int64_t d) { return d < 0; })) {
    return about(p, "has a negative storage dimension: " + text(t.storage),
                 each_negative(t.storage));
  }
  const Wide elements = product_up_to(t.storage, kInt64Max);
  if (elements * dtype_size(t.dtype) > kInt64Max) {
    return about(p, "has a storage of more bytes than an int64 counts: " + text(t.storage));
  }
  if (!is_empty(t) && t.offset + reach(t) >= elements) {
    const std::string last = text(t.offset + reach(t)), count = text(elements);
    return about(p, "reaches element " + last + " of a storage of " + count + " elements",
                 {{last, count}});
  }
  return std::nullopt;
}

// Bytes that a view spans, as positions in the memory that tensors of a call may share.
struct Span {
  std::size_t allocation = 0;  // slot of the tensor that owns it
  Wide first = 0, end = 0;
};

Span span_of(const Call& call, std::size_t slot) {
  const Tensor& t = call.tensors[slot];
  const int size = dtype_size(t.dtype);
  Span s{slot, Wide{t.offset} * size, (t.offset + reach(t) + 1) * size};
  // Follows a chain of shared allocations to its owner, which one that shares its own is as well;
  // as many steps as tensors end any circle.
  for (std::size_t step = 0; step < call.tensors.size(); ++step) {
    const Tensor& at = call.tensors[s.allocation];
    if (at.shares < 0 || static_cast<std::size_t>(at.shares) >= call.tensors.size() ||
        static_cast<std::size_t>(at.shares) == s.allocation)
      break;
    s.first += at.shares_at;
    s.end += at.shares_at;
    s.allocation = static_cast<std::size_t>(at.shares);
  }
  return s;
}

// The number of bytes between the first and the last that both views span.
Wide shared_bytes(const Call& call, const Parameter& a, const Parameter& b) {
  const Tensor& ta = call.tensors[a.slot];
  const Tensor& tb = call.tensors[b.slot];
  if (ta.null_data || tb.null_data || is_empty(ta) || is_empty(tb)) return 0;
  const Span sa = span_of(call, static_cast<std::size_t>(a.slot));
  const Span sb = span_of(call, static_cast<std::size_t>(b.slot));
  if (sa.allocation != sb.allocation) return 0;
  return std::max(Wide{0}, std::min(sa.end, sb.end) - std::max(sa.first, sb.first));
}

}  // namespace

std::optional<Violation> check_view(const Call& call) {
  const OperatorRules& rules = rules_of(call.op);
  for (const Parameter& p : signature(call.op).parameters) {
    if (p.kind != Kind::tensor) continue;
    const Tensor& t = call.tensors[p.slot];
    if (std::optional<Violation> v = check_one_view(p, t)) return v;
    if (rules.contiguous_indices && p.name == rules.indices && !is_contiguous(t)) {
      return about(
          p, "must be contiguous, has shape " + text(t.shape) + " and strides " + text(t.strides));
    }
  }
  return std::nullopt;
}

std::optional<Violation> check_output_overlap(const Call& call) {
  for (const Parameter& p : signature(call.op).parameters) {
    const Tensor* t = p.kind == Kind::tensor ? &call.tensors[p.slot] : nullptr;
    if (t == nullptr || p.access != Access::written || t->null_strides || is_empty(*t)) continue;
    std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, extent − 1
    for (std::size_t axis = 0; axis < t->shape.size(); ++axis) {
      if (t->shape[axis] > 1) axes.emplace_back(t->strides[axis], t->shape[axis] - 1);
    }
    std::ranges::sort(axes);
    Wide smaller = 0;  // reach of the axes with smaller strides together
    Wide below = 0;    // the same without those whose stride is equal to the last one
    std::int64_t last = -1;
    for (const auto& [stride, steps] : axes) {
      if (stride <= smaller) {
        // Of axes with equal strides any may count as the smaller one.
        Values values{{std::to_string(stride), text(smaller)}};
        for (const auto& [equal, its_steps] : axes) {
          if (equal == stride)
            values.push_back({std::to_string(stride), text(below + Wide{stride} * its_steps)});
        }
        return about(p,
                     "has strides " + text(t->strides) + " that do not nest over its shape " +
                         text(t->shape),
                     std::move(values));
      }
      if (stride != last) below = smaller;
      last = stride;
      smaller += Wide{stride} * steps;  // fits: the rule view bounds the whole reach
    }
  }
  return std::nullopt;
}

std::optional<Violation> check_alias(const Call& call) {
  const std::span<const Parameter> parameters = signature(call.op).parameters;
  for (std::size_t b = 0; b < parameters.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (parameters[a].kind != Kind::tensor || parameters[b].kind != Kind::tensor) continue;
      const bool described =
          parameters[a].access == Access::described || parameters[b].access == Access::described;
      const bool written =
          parameters[a].access == Access::written || parameters[b].access == Access::written;
      if (described || !written) continue;
      const Wide bytes = shared_bytes(call, parameters[a], parameters[b]);
      if (bytes > 0) {
        const std::string other(parameters[a].name);
        return about(parameters[b], "shares " + text(bytes) + " bytes with " + other,
                     {{text(bytes), other}});
      }
    }
  }
  return std::nullopt;
}

}  // namespace gradproof::ref
