// What a test reports that is to fail, and the counterexample in it.
#pragma once

#include <gtest/gtest-spi.h>

#include <string>

#include "gradproof/testing.hpp"

namespace gradproof::testing {

/// The messages of the failures that `statements` lead to.
template <class F>
std::string failures_of(F statements) {
  ::testing::TestPartResultArray results;
  {
    ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
    statements();
  }
  std::string text;
  for (int i = 0; i < results.size(); ++i) text += results.GetTestPartResult(i).message();
  return text;
}

/// The first line of the message that begins with the operator's name and a space.
inline std::string case_line(const std::string& message, const std::string& stem) {
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(stem + " ", 0) == 0 && line.find('=') != std::string::npos) return line;
  }
  return "";
}

/// The counterexample of a property that fails; empty if it does not. As many cases of one type as
/// GRADPROOF_EXPECT takes of it: the rarest bug shows in one of 25, and a hundred missed it in 2 %
/// of runs.
template <class Property>
std::string counterexample(Property property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess *= 10;
  const rc::detail::TestResult result =
      rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  if (!result.is<rc::detail::FailureResult>()) return "";
  return result.get<rc::detail::FailureResult>().counterExample.at(0).second;
}

}  // namespace gradproof::testing
