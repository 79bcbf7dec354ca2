// The one exception of the suite: a question that cannot be understood (exit status 2).
#pragma once

#include <stdexcept>

namespace gradproof::props {

/// A bad file, option, library or case text; what() names the place ("cases.txt:3:17: …").
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace gradproof::props
