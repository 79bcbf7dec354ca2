// A program of which one translation unit has exceptions and one has not: Expected::value throws in
// the first.
#include <gtest/gtest.h>

#include "gradproof/runtime.hpp"

using namespace gradproof::aclnn;

std::size_t plain_size();
Expected<Buffer<float>> plain_failure();

namespace {

TEST(Mixed, ValueThrowsWhereThereAreExceptions) {
  EXPECT_EQ(plain_size(), 3u);
  EXPECT_THROW((void)Buffer<float>::allocate(0).value(), StatusException);
  EXPECT_THROW((void)plain_failure().value(), StatusException);
  try {
    plain_failure().value();
  } catch (const StatusException& failure) {
    EXPECT_EQ(failure.error().status(), ACL_ERROR_INVALID_PARAM);
  }
}

}  // namespace
