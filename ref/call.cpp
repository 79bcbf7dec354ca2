// The operators by number: their rows, names and signatures.
#include "ref/call.h"

#include <array>
#include <cstdlib>

#include "ref/row.h"

namespace gradproof::ref {
namespace {

struct Names {
  std::string_view stem, api;
};

// A row stands at its operator's number.
constexpr const OperatorRow* kRows[] = {
#define GRADPROOF_ROW(stem, api) &rows::stem,
    GRADPROOF_OPERATORS(GRADPROOF_ROW)
#undef GRADPROOF_ROW
};
constexpr Names kNames[] = {
#define GRADPROOF_NAMES(stem, api) {#stem, "aclnn" #api},
    GRADPROOF_OPERATORS(GRADPROOF_NAMES)
#undef GRADPROOF_NAMES
};

constexpr std::string_view kProductNames[kProductCount] = {"Ascend910", "Ascend310P", "Ascend910B",
                                                           "Ascend910_93"};

}  // namespace

const OperatorRow& row_of(Operator op) { return *kRows[static_cast<std::size_t>(op)]; }

const Signature& signature(Operator op) {
  static const auto kSignatures = [] {
    std::array<Signature, kOperatorCount> all;
    for (int i = 0; i < kOperatorCount; ++i) {
      const OperatorRow& of = *kRows[i];
      all[i] = {static_cast<Operator>(i),
                kNames[i].stem,
                kNames[i].api,
                of.parameters,
                of.backward,
                of.companion};
    }
    return all;
  }();
  return kSignatures[static_cast<std::size_t>(op)];
}

int slot(Operator op, std::string_view parameter) {
  for (const Parameter& p : signature(op).parameters) {
    if (p.name == parameter) return p.slot;
  }
  std::abort();  // a misspelt name in our own code
}

std::string_view name(Product product) { return kProductNames[static_cast<std::size_t>(product)]; }

std::vector<std::int64_t> contiguous_strides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::uint64_t next = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::int64_t>(next);
    next *= static_cast<std::uint64_t>(shape[axis]);
  }
  return strides;
}

}  // namespace gradproof::ref
