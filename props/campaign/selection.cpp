// Decides whether a case is wanted.
#include "props/campaign/selection.h"

#include <fnmatch.h>

#include <algorithm>

#include "props/cases/describe/classes.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/memory_layout.h"
#include "props/cases/shapes.h"
#include "props/report/record.h"
#include "ref/element.h"
#include "ref/rules.h"

namespace gradproof::campaign {
namespace {

bool is_exclusion(const std::string& word) { return word.starts_with('^'); }

bool fits_any(const std::string& word, const std::vector<std::string_view>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return Globs::fits(word, name); });
}

std::int64_t largest_extent(const ref::Call& call) {
  std::vector<int> slots = props::input_side(call.op);
  slots.push_back(props::output_side(call.op));
  std::int64_t largest = 0;
  for (const int slot : slots) {
    for (const std::int64_t extent : call.tensors[static_cast<std::size_t>(slot)].shape)
      largest = std::max(largest, extent);
  }
  return largest;
}

}  // namespace

bool Globs::fits(const std::string& word, std::string_view name) {
  const char* pattern = word.c_str() + (is_exclusion(word) ? 1 : 0);
  return fnmatch(pattern, std::string(name).c_str(), FNM_CASEFOLD) == 0;
}

bool Globs::takes(const std::vector<std::string_view>& names) const {
  bool taken = std::all_of(words_.begin(), words_.end(), is_exclusion);
  for (const std::string& word : words_) {
    if (!fits_any(word, names)) continue;
    if (is_exclusion(word)) return false;
    taken = true;
  }
  return taken;
}

bool Globs::excludes(std::string_view name) const {
  return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
    return is_exclusion(word) && fits(word, name);
  });
}

bool Globs::names(const std::vector<std::string_view>& names) const {
  return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
    return !is_exclusion(word) && word.find_first_of("*?[") == std::string::npos &&
           fits_any(word, names);
  });
}

bool Selection::takes(const props::CoveragePoint& point) const {
  return types.takes(ref::dtype_name(point.dtype)) && ranks.takes(std::to_string(point.rank)) &&
         formats.takes(ref::format_name(point.format)) && products.takes(ref::name(point.product));
}

bool Selection::takes_any_of(ref::Operator op) const {
  const std::vector<std::string> labels = drawn_classes(op);
  const std::vector<props::CoveragePoint> points = props::coverage_points(op);
  return std::any_of(labels.begin(), labels.end(),
                     [&](const std::string& label) { return classes.takes(label); }) &&
         std::any_of(points.begin(), points.end(),
                     [&](const props::CoveragePoint& point) { return takes(point); });
}

bool Selection::takes_point_of(const props::Case& c) const {
  const auto slot = static_cast<std::size_t>(props::input_side(c.call.op).front());
  const ref::Tensor& t = c.call.tensors[slot];
  const int rank = static_cast<int>(t.shape.size());
  return takes(props::CoveragePoint{c.call.op, c.call.product, t.dtype, rank, t.format});
}

bool Selection::takes(const props::Case& c) const {
  if (empty()) return true;
  if (!takes_point_of(c)) return false;
  if (at_most > 0 && largest_extent(c.call) > at_most) return false;
  if (classes.empty()) return true;
  const bool valid = ref::expect(c.call).rule == nullptr;
  const std::vector<std::string> of = valid ? props::classes(c) : std::vector<std::string>();
  return classes.takes(std::vector<std::string_view>(of.begin(), of.end()));
}

bool Selection::takes_edited(const props::Case& valid, const props::Mutation& edit) const {
  const props::Case& edited = edit.mutated;
  if (!products.takes(ref::name(edited.call.product))) return false;
  if (!edit.breaks) return takes(edited);
  for (std::size_t slot = 0; slot < edited.call.tensors.size(); ++slot) {
    const ref::Tensor &before = valid.call.tensors[slot], &now = edited.call.tensors[slot];
    if ((now.dtype != before.dtype && types.excludes(ref::dtype_name(now.dtype))) ||
        (now.format != before.format && formats.excludes(ref::format_name(now.format))) ||
        (now.shape.size() != before.shape.size() &&
         ranks.excludes(std::to_string(now.shape.size()))))
      return false;
  }
  return true;
}

bool Selection::takes(const props::BoundarySide& side) const {
  if (side.rank > 0 && !ranks.takes(std::to_string(side.rank))) return false;
  if (side.at == props::Mutation::kWhole) return true;
  const auto wanted = [&](const Globs& globs, const std::string& name) {
    return side.broken ? !globs.excludes(name) : globs.takes(name);
  };
  // The indices' type belongs to no selection.
  const int indices = props::indices_slot(side.op);
  const bool of_indices = indices >= 0 && side.argument == props::tensor_name(side.op, indices);
  if (side.rule == "dtype") return of_indices || wanted(types, ref::dtype_name(side.at));
  if (side.rule == "format") return wanted(formats, ref::format_name(side.at));
  return side.rule != "rank" || wanted(ranks, std::to_string(side.at));
}

std::set<std::string> Selection::leaves_out(ref::Operator op,
                                            const std::vector<ref::Product>& of) const {
  std::set<std::string> names;
  for (const std::string& label : drawn_classes(op)) {
    if (!classes.takes(label)) names.insert(label);
  }
  for (const props::CoveragePoint& point : props::coverage_points(op)) {
    if (!takes(point)) names.insert(report::point_name(point));
  }
  for (const ref::Product product : of) {
    for (const props::BoundarySide& side : props::boundary_sides(op, product)) {
      if (!takes(side)) names.insert(props::to_text(side));
    }
  }
  return names;
}

std::vector<std::string> drawn_classes(ref::Operator op, std::span<const ref::Product> products) {
  std::vector<std::string> labels = props::all_classes(op, products);
  std::erase_if(labels, [](const std::string& label) { return label.starts_with("misuse-"); });
  return labels;
}

}  // namespace gradproof::campaign
