// Prints calls and small tensors.
#include "props/judge/show.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "props/cases/data/data.h"
#include "props/cases/data/outside.h"
#include "props/cases/memory_layout.h"
#include "props/cases/shapes.h"
#include "props/cases/traits.h"
#include "props/judge/compare.h"
#include "props/judge/numbers.h"
#include "props/judge/positions.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr std::int64_t kLargest = 256;
std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (std::int64_t extent : shape) text += (text.empty() ? "" : ",") + std::to_string(extent);
  return "[" + text + "]";
}

/// `value(i)` is the text of the i-th element in row-major order.
/// `remark` follows the shape.
void print(std::ostream& out, std::string_view name, std::int32_t dtype,
           const std::vector<std::int64_t>& shape,
           const std::function<std::string(std::int64_t)>& value, std::string_view remark = "") {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  out << name << ' ' << ref::dtype_name(dtype) << shape_text(shape) << remark;
  if (count > kLargest) {
    out << ": " << count << " values, not shown\n";
    return;
  }
  out << (count == 0 ? ": empty\n" : ":\n");
  std::vector<std::string> texts;
  std::size_t width = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    texts.push_back(value(i));
    width = std::max(width, texts.back().size());
  }
  const std::int64_t row = shape.empty() ? 1 : shape.back();
  const std::int64_t plane = shape.size() < 2 ? row : row * shape[shape.size() - 2];
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % row == 0) out << (i > 0 && i % plane == 0 ? "\n  " : "  ");
    out << std::setw(static_cast<int>(width) + 1) << texts[static_cast<std::size_t>(i)]
        << ((i + 1) % row == 0 ? "\n" : "");
  }
}

std::string complex_or_real(const std::function<long double(std::int64_t)>& component,
                            std::int64_t i, std::int32_t dtype) {
  const std::int32_t type = ref::component_type(dtype);
  if (ref::components(dtype) == 1) return number(component(i), type);
  const std::string imaginary = number(component(2 * i + 1), type);
  return number(component(2 * i), type) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "i";
}

bool is_mask(const ref::Call& call, int slot) {
  return has_mask(call.op) && slot == indices_slot(call.op);
}

/// A mask as the position in the plane that each window names.
void print_mask(std::ostream& out, std::string_view name, const ref::Call& call,
                const ref::Dense& mask, const std::string& of_run = "") {
  const ref::Tensor& windows = call.tensors[static_cast<std::size_t>(output_side(call.op))];
  std::vector<std::int64_t> chosen(static_cast<std::size_t>(element_count(windows)), -1);
  // The content of a large output is left out, and nothing of it is printed.
  if (!mask.bytes.empty() && element_count(windows) <= kLargest) chosen = positions(call, mask);
  print(
      out, std::string(name) + " (a mask) as", ref::kInt32, windows.shape,
      [&](std::int64_t i) {
        const std::int64_t at = chosen[static_cast<std::size_t>(i)];
        return at < 0 ? std::string("?") : std::to_string(at);
      },
      of_run + ", positions in the plane (?: not one)");
}

}  // namespace

void print_tensor(std::ostream& out, std::string_view name, const ref::Dense& tensor) {
  const auto component = [&](std::int64_t i) {
    return ref::load(tensor.bytes.data(), ref::component_type(tensor.dtype), i);
  };
  print(out, name, tensor.dtype, tensor.shape,
        [&](std::int64_t i) { return complex_or_real(component, i, tensor.dtype); });
}

void print_exact(std::ostream& out, std::string_view name, const ref::Evaluation& evaluation,
                 int slot, const ref::Tensor& tensor) {
  std::int64_t count = ref::components(tensor.dtype);
  for (std::int64_t extent : tensor.shape) count *= extent;
  std::vector<long double> values;
  if (count <= 2 * kLargest) {
    values.resize(static_cast<std::size_t>(count));
    const std::int64_t parts = ref::components(tensor.dtype);
    for (std::int64_t p = 0; p < evaluation.plane_count(slot); ++p) {
      const ref::Plane plane = evaluation.plane(slot, p);
      for (std::size_t i = 0; i < plane.values.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        values[static_cast<std::size_t>((plane.first + index / parts * plane.step) * parts +
                                        index % parts)] = plane.values[i].value;
      }
    }
  }
  const std::int32_t type = ref::component_type(tensor.dtype);
  const auto exact = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  const auto rounded = [&](std::int64_t i) { return ref::round_to(type, exact(i)); };
  print(out, name, tensor.dtype, tensor.shape,
        [&](std::int64_t i) { return complex_or_real(exact, i, tensor.dtype); });
  const bool differ =
      ref::is_floating(type) && std::any_of(values.begin(), values.end(), [&](long double v) {
        return std::isfinite(v) && ref::round_to(type, v) != v;
      });
  if (!differ) return;
  print(
      out, name, tensor.dtype, tensor.shape,
      [&](std::int64_t i) { return complex_or_real(rounded, i, tensor.dtype); }, ", rounded");
}

void print_inputs(std::ostream& out, const Case& c, const std::vector<ref::Dense>& data) {
  for (std::size_t slot = 0; slot < data.size(); ++slot) {
    if (access_of(c.call.op, static_cast<int>(slot)) != ref::Access::read) continue;
    const std::string_view name = tensor_name(c.call.op, static_cast<int>(slot));
    if (is_mask(c.call, static_cast<int>(slot)))
      print_mask(out, name, c.call, data[slot]);
    else
      print_tensor(out, name, data[slot]);
  }
}

void print_expected(std::ostream& out, const Case& c, const std::vector<ref::Dense>& data) {
  const ref::Evaluation evaluation(c.call, data);
  ref::BadIndex bad{};
  if (evaluation.has_bad_index(&bad)) {
    out << "expected: synchronisation returns 507035, because indices contains " << bad.value
        << " at position " << bad.position << "\n";
    return;
  }
  for (const int slot : evaluation.outputs()) {
    print_exact(out, "expected " + std::string(tensor_name(c.call.op, slot)), evaluation, slot,
                c.call.tensors[slot]);
  }
}

/// What the profile allows may be computed in another way, so that each has its own exact values.
static std::set<std::int64_t> marked(const ref::Evaluation& documented, const Case& c,
                                     const std::vector<ref::Dense>& data, int slot,
                                     const ref::Dense& output, const ref::Numerics& of_profile) {
  const std::vector<bool> replaced = replaced_elements(c.call.tensors[slot]);
  std::set<std::int64_t> wrong = wrong_elements(documented, slot, output, {}, replaced);
  if (wrong.empty() || of_profile == ref::Numerics{}) return wrong;
  const ref::Evaluation allowed(c.call, data, of_profile);
  const std::set<std::int64_t> still = wrong_elements(allowed, slot, output, of_profile, replaced);
  std::erase_if(wrong, [&](std::int64_t position) { return !still.contains(position); });
  return wrong;
}

void print_got(std::ostream& out, const Case& c, const std::vector<ref::Dense>& data,
               const std::vector<ref::Dense>& outputs, const ref::Numerics& of_profile,
               const std::string& of_run) {
  const ref::Evaluation evaluation(c.call, data);
  ref::BadIndex bad{};
  const bool specified = !evaluation.has_bad_index(&bad);
  for (const int slot : evaluation.outputs()) {
    if (static_cast<std::size_t>(slot) >= outputs.size()) continue;
    const ref::Dense& output = outputs[static_cast<std::size_t>(slot)];
    const std::string name = "got " + std::string(tensor_name(c.call.op, slot));
    if (is_mask(c.call, slot)) {
      print_mask(out, name, c.call, output, of_run);
      continue;
    }
    std::set<std::int64_t> wrong;
    if (specified && !output.bytes.empty() && *element_count(output.shape) <= kLargest)
      wrong = marked(evaluation, c, data, slot, output, of_profile);
    const auto component = [&](std::int64_t i) {
      return ref::load(output.bytes.data(), ref::component_type(output.dtype), i);
    };
    print(
        out, name, output.dtype, output.shape,
        [&](std::int64_t i) {
          if (wrong.count(i) == 0) return complex_or_real(component, i, output.dtype);
          return '*' + (never_written(output, i)     ? "unwritten"
                        : is_from_outside(output, i) ? "outside"
                                                     : complex_or_real(component, i, output.dtype));
        },
        of_run + (wrong.empty() ? "" : ", * wrong"));
  }
}

void print_call(std::ostream& out, const Case& c) {
  const ref::Signature& signature = ref::signature(c.call.op);
  out << signature.api << " on " << ref::name(c.call.product) << '\n';
  for (const ref::Parameter& p : signature.parameters) {
    out << "  " << p.name << ": ";
    if (p.kind == ref::Kind::flag) {
      out << (c.call.flags[p.slot] != 0 ? "true" : "false") << '\n';
    } else if (p.kind == ref::Kind::real) {
      out << c.call.reals[p.slot] << '\n';
    } else if (p.kind == ref::Kind::int_array) {
      static constexpr std::string_view kEnds[] = {"left ",   "right ", "top ",
                                                   "bottom ", "front ", "back "};
      const bool of_ends = p.name == "padding" && family(c.call.op).pads_each_end;
      const ref::IntArray& array = c.call.arrays[p.slot];
      out << (array.null ? "null" : "(");
      for (std::size_t i = 0; !array.null && i < array.values.size(); ++i)
        out << (i > 0 ? ", " : "") << (of_ends && i < std::size(kEnds) ? kEnds[i] : "")
            << array.values[i];
      out << (array.null ? "\n" : ")\n");
    } else {
      const ref::Tensor& t = c.call.tensors[p.slot];
      if (t.null) {
        out << "null\n";
        continue;
      }
      const auto list = [](const std::vector<std::int64_t>& values) {
        std::string text;
        for (std::int64_t v : values) text += (text.empty() ? "" : ",") + std::to_string(v);
        return "[" + text + "]";
      };
      out << ref::dtype_name(t.dtype) << ' ' << ref::format_name(t.format) << ' ' << list(t.shape)
          << (t.null_strides ? ", null strides"
              : is_dense(t)  ? ""
                             : ", strides " + list(t.strides))
          << (t.offset != 0 ? ", offset " + std::to_string(t.offset) : "")
          << (t.storage != t.shape ? ", storage " + list(t.storage) : "")
          << (t.null_data ? ", null data" : "") << '\n';
    }
  }
}

bool can_be_pictured(const Case& c) { return largest_but_masks(c) <= kReadable; }

}  // namespace gradproof::props
