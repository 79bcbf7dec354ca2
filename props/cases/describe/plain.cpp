// Whether a case has a result.
#include "props/cases/describe/plain.h"

#include "ref/rules.h"

namespace gradproof::props {

bool is_plain(const Case& c) {
  return c.misuse == Misuse::none && c.sequence.empty() && ref::expect(c.call).rule == nullptr;
}

bool has_good_data(const Case& c) {
  for (const Fill& fill : c.fills) {
    if (fill.kind == Fill::Kind::one_bad) return false;
  }
  for (const ref::Tensor& tensor : c.call.tensors) {
    if (tensor.null_data) return false;
  }
  return true;
}

bool has_result(const Case& c) { return is_plain(c) && has_good_data(c); }

}  // namespace gradproof::props
