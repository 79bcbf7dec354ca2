// The per-thread recent message.
#include "opt/runtime/message.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "acl/acl.h"
#include "tests/runtime/expect_error.h"

namespace gradproof::test {
namespace {

TEST(Message, IsGivenOnceAndNotTouchedBySuccess) {
  EXPECT_EQ(report(Status(7, "first")), 7);
  EXPECT_EQ(report(Status()), 0);
  EXPECT_EQ(report(Status(8, "second")), 8);
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  const char* text = aclGetRecentErrMsg();
  EXPECT_STREQ(text, "second");
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  EXPECT_STREQ(text, "second");  // still there to be read
}

TEST(Message, BelongsToItsThread) {
  report(Status(1, "mine"));
  std::thread([] {
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
    report(Status(2, "theirs"));
    EXPECT_EQ(message(), "theirs");
  }).join();
  EXPECT_EQ(message(), "mine");
}

TEST(Message, TooLongIsCut) {
  report(Status(1, std::string(100000, 'x')));
  const std::string text = message();
  EXPECT_GT(text.size(), 2000u);
  EXPECT_EQ(text.find_first_not_of('x'), std::string::npos);
  EXPECT_EQ(fail(3, "%s", std::string(100000, 'y').c_str()), 3);
  EXPECT_EQ(message().size(), text.size());
}

TEST(Message, ExceptionsEndAtTheApi) {
  EXPECT_ERROR(without_throwing("f", 5, []() -> std::int32_t { throw std::bad_alloc(); }), 5,
               "f: out of memory");
  EXPECT_ERROR(
      without_throwing("g", 6, []() -> std::int32_t { throw std::runtime_error("no thread"); }), 6,
      "g: no thread");
}

}  // namespace
}  // namespace gradproof::test
