// The rule table, the rules that all operators share, and `expect`.
#include "ref/rules.h"

#include <algorithm>
#include <array>
#include <limits>

#include "ref/element.h"
#include "ref/row.h"

namespace gradproof::ref {
namespace {

constexpr Wide kInt64Max = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMostRank = 8;  // larger than that of any tensor an operator takes

// Calls f(parameter, tensor) for the call's tensors in parameter order until it finds a violation.
template <class F>
std::optional<Violation> each_tensor(const Call& call, F&& f) {
  for (const Parameter& p : signature(call.op).parameters) {
    if (p.kind != Kind::tensor) continue;
    if (std::optional<Violation> v = f(p, call.tensors[p.slot])) return v;
  }
  return std::nullopt;
}

// `words` are what a message must say, all of them.
Violation violation(std::string_view argument, std::string detail,
                    std::vector<std::string> words = {}) {
  return {
      std::string(argument), std::string(argument) + " " + std::move(detail), {std::move(words)}};
}

std::optional<Violation> check_null(const Call& call) {
  for (const Parameter& p : signature(call.op).parameters) {
    if ((p.kind == Kind::tensor && call.tensors[p.slot].null) ||
        (p.kind == Kind::int_array && call.arrays[p.slot].null)) {
      return violation(p.name, "is a null pointer");
    }
  }
  if (call.null_workspace_size) return violation("workspaceSize", "is a null pointer");
  if (call.null_executor) return violation("executor", "is a null pointer");
  return std::nullopt;
}

std::optional<Violation> check_platform(const Call& call) {
  if (rules_of(call.op).exists_on(call.product)) return std::nullopt;
  const std::string product(name(call.product));
  return Violation{
      "", std::string(signature(call.op).api) + " does not exist on " + product, {{product}}};
}

std::optional<Violation> check_dtype(const Call& call) {
  const OperatorRules& rules = rules_of(call.op);
  const Tensor* first = nullptr;  // the floating tensor that the others must match
  return each_tensor(call, [&](const Parameter& p, const Tensor& t) -> std::optional<Violation> {
    const std::string type = dtype_name(t.dtype);
    if (p.name == rules.indices) {
      if (t.dtype == rules.indices_dtype) return std::nullopt;
      const std::string wanted = dtype_name(rules.indices_dtype);
      return violation(p.name, "has dtype " + type + ", must be " + wanted, {type, wanted});
    }
    if (!rules.accepts_dtype(call.product, t.dtype)) {
      return violation(p.name,
                       "has dtype " + type + ", which the operator does not take on " +
                           std::string(name(call.product)),
                       {type});
    }
    if (first == nullptr) first = &t;
    if (t.dtype == first->dtype) return std::nullopt;
    const std::string wanted = dtype_name(first->dtype);
    return violation(p.name, "has dtype " + type + ", the first tensor has " + wanted,
                     {type, wanted});
  });
}

std::optional<Violation> check_format(const Call& call) {
  const OperatorRules& rules = rules_of(call.op);
  const std::int32_t first = call.tensors.front().format;
  return each_tensor(call, [&](const Parameter& p, const Tensor& t) -> std::optional<Violation> {
    const std::string format = format_name(t.format);
    if (!rules.accepts_format(t.format, t.shape.size())) {
      const std::string rank = std::to_string(t.shape.size());
      return violation(p.name, "has format " + format + ", not accepted for rank " + rank,
                       {format, rank});
    }
    if (t.format == first) return std::nullopt;
    const std::string wanted = format_name(first);
    Violation v = violation(p.name, "has format " + format + ", the first tensor has " + wanted,
                            {format, wanted});
    // Not every operator takes the format with every rank: that is as good a reason.
    v.values.push_back({format, std::to_string(t.shape.size())});
    return v;
  });
}

std::optional<Violation> check_rank(const Call& call) {
  const OperatorRules& rules = rules_of(call.op);
  const std::size_t first = call.tensors.front().shape.size();
  return each_tensor(call, [&](const Parameter& p, const Tensor& t) -> std::optional<Violation> {
    const std::size_t rank = t.shape.size();
    const std::string number = std::to_string(rank);
    if (!rules.accepts_rank(rank)) {
      std::vector<std::string> words{number};
      for (std::size_t accepted = 0; accepted <= kMostRank; ++accepted) {
        if (rules.accepts_rank(accepted)) words.push_back(std::to_string(accepted));
      }
      return violation(p.name, "has rank " + number + ", shape " + text(t.shape), words);
    }
    if (rank == first) return std::nullopt;
    const std::string wanted = std::to_string(first);
    return violation(p.name, "has rank " + number + ", the first tensor has " + wanted,
                     {number, wanted});
  });
}

std::optional<Violation> check_dims(const Call& call) {
  auto negative = [](const Parameter& p, const Tensor& t) -> std::optional<Violation> {
    if (std::ranges::all_of(t.shape, [](std::int64_t d) { return d >= 0; })) return std::nullopt;
    Violation v = violation(p.name, "has a negative dimension in its shape " + text(t.shape));
    v.values.clear();
    for (const std::int64_t extent : t.shape) {
      if (extent < 0) v.values.push_back({std::to_string(extent)});
    }
    return v;
  };
  if (std::optional<Violation> v = each_tensor(call, negative)) return v;
  if (std::optional<Violation> v = rules_of(call.op).zero_dims(call)) return v;
  return each_tensor(call, [](const Parameter& p, const Tensor& t) -> std::optional<Violation> {
    if (product_up_to(t.shape, kInt64Max) * dtype_size(t.dtype) <= kInt64Max) return std::nullopt;
    return violation(p.name, "needs more bytes than an int64 counts, shape " + text(t.shape));
  });
}

// A row whose content is one of the operator's own checks.
template <Check OperatorRules::*member>
bool has(Operator op) {
  return rules_of(op).*member != nullptr;
}
template <Check OperatorRules::*member>
std::optional<Violation> own(const Call& call) {
  const Check check = rules_of(call.op).*member;
  return check == nullptr ? std::nullopt : check(call);
}

bool always(Operator) { return true; }
bool needs_platform(Operator op) { return rules_of(op).needs_platform; }

constexpr std::array<Rule, 17> kRules = {{
    {"null-argument", kParamNullptr,
     "no tensor, int array, workspaceSize or executor pointer is null",
     "001 004; contract: the pointers that they leave out, 000 002 003", always, check_null},
    {"platform", kParamInvalid, "the operator exists on the selected product",
     "000 001 004; contract: Ascend910_93 of 001, the status", needs_platform, check_platform},
    {"dtype", kParamInvalid,
     "dtypes are in the operator's list for the product, floating tensors share one, indices have "
     "theirs",
     "000 001 002 003 004; contract: one floating dtype in 000 001 004", always, check_dtype},
    {"format", kParamInvalid, "formats are in the operator's list and the same for all tensors",
     "000 001 002 003 004; contract: NCDHW and NCHW of 000 004, ND and NCL of 001, all but ND of "
     "003",
     always, check_format},
    {"rank", kParamInvalid, "ranks are in the operator's list and the same for all tensors",
     "000 002 003 004; contract: 001", always, check_rank},
    {"dim-value", kParamInvalid,
     "no dimension is negative, or empty where it may not be, and element and byte counts fit "
     "int64",
     "000: not empty; contract: the rest", always, check_dims},
    {"array-length", kParamInvalid, "int arrays have one of the lengths that the operator takes",
     "000 001 002 003; contract: dilation of 001", has<&OperatorRules::array_length>,
     own<&OperatorRules::array_length>},
    {"kernel-value", kParamInvalid, "kernel sizes are positive", "001; contract: 000",
     has<&OperatorRules::kernel_value>, own<&OperatorRules::kernel_value>},
    {"stride-value", kParamInvalid, "strides are positive", "001; contract: 000",
     has<&OperatorRules::stride_value>, own<&OperatorRules::stride_value>},
    {"padding-value", kParamInvalid,
     "pooling pads by 0 to half the kernel; replication pads each side by less than its extent",
     "001 003; contract: 000", has<&OperatorRules::padding_value>,
     own<&OperatorRules::padding_value>},
    {"dilation-value", kParamInvalid, "dilations are 1", "000 001",
     has<&OperatorRules::dilation_value>, own<&OperatorRules::dilation_value>},
    {"size-value", kParamInvalid,
     "sizes are positive (adaptive pooling: not negative), scales finite",
     "002: sizes; contract: scales, adaptive pooling", has<&OperatorRules::size_value>,
     own<&OperatorRules::size_value>},
    {"shape", kParamInvalid, "the tensors' shapes fit each other and the parameters",
     "000 001 002 003 004; contract: the formula of pooled extents", has<&OperatorRules::shape>,
     own<&OperatorRules::shape>},
    {"index-range", kParamInvalid, "a plane has at most 2^31-1 elements where indices are INT32",
     "004; contract: 000", has<&OperatorRules::index_range>, own<&OperatorRules::index_range>},
    {"view", kParamInvalid,
     "offsets and strides are not negative, a view lies inside its storage, a mask is contiguous",
     "contract", always, check_view},
    {"output-overlap", kParamInvalid, "no two elements of an output view share an address",
     "contract", always, check_output_overlap},
    {"alias", kParamInvalid,
     "an output's bytes, from its first element to its last, meet those of no tensor that is read "
     "and of no other output",
     "contract", always, check_alias},
}};

}  // namespace

std::span<const Rule> rules() { return kRules; }

Expectation expect(const Call& call) { return expect(call, {}); }

Expectation expect(const Call& call, std::span<const std::string_view> left_out) {
  for (const Rule& rule : kRules) {
    if (std::ranges::find(left_out, rule.id) != left_out.end()) continue;
    if (std::optional<Violation> v = rule.check(call)) return {rule.status, &rule, std::move(*v)};
  }
  return {};
}

const OperatorRules& rules_of(Operator op) { return *row_of(op).rules; }

}  // namespace gradproof::ref
