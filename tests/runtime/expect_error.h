// Failing calls: the code and what the message says.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "acl/acl.h"

namespace gradproof::test {

/// The thread's recent message, empty if there is none.
inline std::string message() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? std::string() : text;
}

inline void expect_error(int code, int expected, const std::string& part, const char* call,
                         int line) {
  EXPECT_EQ(code, expected) << call << " at line " << line;
  const std::string text = message();
  EXPECT_NE(text.find(part), std::string::npos)
      << call << " at line " << line << ": message is '" << text << "', without '" << part << "'";
}

}  // namespace gradproof::test

/// `call` answers `expected` and its message holds `part`.
#define EXPECT_ERROR(call, expected, part) \
  ::gradproof::test::expect_error((call), (expected), (part), #call, __LINE__)
