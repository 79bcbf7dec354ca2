// Whether a case has a result, and what of it stands in the way.
#pragma once

#include "props/cases/case.h"

namespace gradproof::props {

/// A case whose call keeps every rule and that misuses nothing.
bool is_plain(const Case& c);
/// Whether the data let a run succeed: no bad index, no missing data.
bool has_good_data(const Case& c);
/// Whether a run of the case must succeed with defined outputs.
bool has_result(const Case& c);

}  // namespace gradproof::props
