// The operator that a target was built for. See case_target.h.
#include "fuzz/case_target.h"

namespace gradproof::fuzz {

std::optional<ref::Operator> only_operator() {
#ifdef FUZZ_OPERATOR
  return ref::Operator::FUZZ_OPERATOR;
#else
  return std::nullopt;
#endif
}

}  // namespace gradproof::fuzz
