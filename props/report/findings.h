// The texts for findings in a report.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "props/report/report.h"

namespace gradproof::report {

/// "values, not written".
std::string sort_of(const Failure& f);
/// "wrong result: replication_pad2d_backward, equivalence, values, not written".
std::string headline(const Failure& f);
/// "397 failing checks with ceil, BF16 (382 of equivalence, 12 of adjoint, 3 of support)"; "" for a
/// single check.
std::string extent_of(const Failure& f);

/// Of the features that `failing` cases share: those that few of the operator's cases have, so that
/// as many cases share them by chance with a probability below 5 %.
std::vector<std::string> telling(const OperatorReport& o, const std::set<std::string>& features,
                                 std::uint64_t failing);

}  // namespace gradproof::report
