// Case → one line of text. The inverse of parse_case.cpp; the grammar is in docs/case.md.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "props/cases/case.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// The shortest decimal form that reads back to the same bits; NaNs other than the default one show
/// their bits, since sign and payload are part of what a caller passes.
std::string real_text(double value) {
  if (std::isnan(value)) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits == 0x7FF8000000000000u) return "nan";
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "nan#%016llx", static_cast<unsigned long long>(bits));
    return buffer;
  }
  char buffer[40];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

std::string list_text(const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::int64_t v : values) {
    if (!text.empty()) text += ',';
    text += std::to_string(v);
  }
  return text;
}

std::string flag_text(std::uint8_t value) {
  return value == 0 ? "false" : value == 1 ? "true" : std::to_string(value);
}

std::string fill_text(const Fill& fill) {
  std::string text(name(fill.kind));
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  const Fill defaults;
  const bool b = !same(fill.b, defaults.b);
  if (b || !same(fill.a, defaults.a)) text += ',' + real_text(fill.a);
  if (b) text += ',' + real_text(fill.b);
  return text;
}

std::string_view tensor_name(ref::Operator op, int slot) {
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if (p.kind == ref::Kind::tensor && p.slot == slot) return p.name;
  }
  return "?";
}

std::string tensor_text(const Case& c, int slot) {
  const ref::Tensor& t = c.call.tensors[slot];
  ref::Tensor bare;
  bare.null = true;
  std::string text;
  if (t == bare) {
    text = "null";
  } else {
    text = ref::dtype_name(t.dtype) + '[' + list_text(t.shape) + "]:" + ref::format_name(t.format);
    if (t.null) text += ":null";
    if (t.null_strides) text += ":null_strides";
    if (t.strides != ref::contiguous_strides(t.shape))
      text += ":strides(" + list_text(t.strides) + ')';
    if (t.offset != 0) text += ":offset(" + std::to_string(t.offset) + ')';
    if (t.storage != default_storage(t)) text += ":storage(" + list_text(t.storage) + ')';
    if (t.null_data) text += ":null_data";
    if (t.shares != -1 || t.shares_at != 0) {
      text += ":memory(";
      text += t.shares == -1 ? std::string_view("own") : tensor_name(c.call.op, t.shares);
      if (t.shares_at != 0) text += ',' + std::to_string(t.shares_at);
      text += ')';
    }
  }
  const std::string fill = fill_text(c.fills[slot]);
  if (fill != fill_text(default_fill(c.call.op, slot))) text += ":fill(" + fill + ')';
  return text;
}

std::string array_text(const ref::IntArray& array) {
  if (!array.null) return list_text(array.values);
  return array.values.empty() ? "null" : "null:" + list_text(array.values);
}

}  // namespace

std::string to_text(const Case& c) {
  const ref::Signature& signature = ref::signature(c.call.op);
  std::string text(signature.stem);
  if (c.call.product != ref::Product::Ascend910B)
    text += " soc=" + std::string(ref::name(c.call.product));
  for (const ref::Parameter& p : signature.parameters) {
    text += ' ';
    text += p.name;
    text += '=';
    switch (p.kind) {
      case ref::Kind::tensor: text += tensor_text(c, p.slot); break;
      case ref::Kind::int_array: text += array_text(c.call.arrays[p.slot]); break;
      case ref::Kind::flag: text += flag_text(c.call.flags[p.slot]); break;
      case ref::Kind::real: text += real_text(c.call.reals[p.slot]); break;
    }
  }
  if (c.call.null_workspace_size) text += " workspaceSize=null";
  if (c.call.null_executor) text += " executor=null";
  if (c.seed != 0) text += " seed=" + std::to_string(c.seed);
  if (c.misuse != Misuse::none) text += " misuse=" + std::string(name(c.misuse));
  if (!c.sequence.empty()) text += " sequence=" + to_text(std::span(c.sequence));
  return text;
}

}  // namespace gradproof::props
