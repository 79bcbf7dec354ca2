// How questions that called aclFinalize leave the library: as the session had begun it.
#pragma once

#include <string>

#include "props/services/answers.h"
#include "props/subject/product.h"
#include "props/subject/session.h"

namespace gradproof::props {

/// aclInit with the session's product and threads, and aclrtSetDevice: the first of a sequence's
/// calls counts from one.
inline void initialise_again(Answers& is, const Session& session) {
  const Api& api = session.library().api();
  const ConfigFile before(session.product(), session.threads());
  is.status("aclInit with " + std::string(before.path()), api.init(before.path()), ACL_SUCCESS);
  is.status("aclrtSetDevice", api.set_device(0), ACL_SUCCESS);
}

}  // namespace gradproof::props
