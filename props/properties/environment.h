// What a library says of a bad environment.
#pragma once

#include <string>

#include "props/subject/session.h"

namespace gradproof::props {

/// Whether messages name the variable and its value; "" if they do. For libraries that promise
/// messages and read GRADPROOF_SOC. The session goes on as before.
std::string ask_environment_messages(Session& session, const ref::Call& call);

}  // namespace gradproof::props
