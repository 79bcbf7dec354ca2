// Prints calls and small tensors.
#include "props/judge/show.h"

#include <algorithm>
#include <functional>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <string>

#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "props/cases/traits.h"
#include "props/judge/numbers.h"
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
void print(std::ostream& out, std::string_view name, std::int32_t dtype,
           const std::vector<std::int64_t>& shape,
           const std::function<std::string(std::int64_t)>& value) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  out << name << ' ' << ref::dtype_name(dtype) << shape_text(shape);
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
  const auto component = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  print(out, name, tensor.dtype, tensor.shape,
        [&](std::int64_t i) { return complex_or_real(component, i, tensor.dtype); });
}

void print_inputs(std::ostream& out, const Case& c, const std::vector<ref::Dense>& data) {
  for (std::size_t slot = 0; slot < data.size(); ++slot) {
    if (access_of(c.call.op, static_cast<int>(slot)) != ref::Access::read) continue;
    print_tensor(out, tensor_name(c.call.op, static_cast<int>(slot)), data[slot]);
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

void print_got(std::ostream& out, const Case& c, const std::vector<ref::Dense>& outputs) {
  for (std::size_t slot = 0; slot < outputs.size(); ++slot) {
    if (access_of(c.call.op, static_cast<int>(slot)) != ref::Access::written) continue;
    print_tensor(out, "got " + std::string(tensor_name(c.call.op, static_cast<int>(slot))),
                 outputs[slot]);
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
      static constexpr std::string_view kEnds[] = {"left ", "right ", "top ", "bottom "};
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

bool can_be_pictured(const Case& c) {
  return std::all_of(c.call.tensors.begin(), c.call.tensors.end(),
                     [](const ref::Tensor& t) { return element_count(t) <= kReadable; });
}

}  // namespace gradproof::props
