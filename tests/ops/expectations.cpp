// What phase 1 must have answered.
#include "tests/ops/expectations.h"

#include <gtest/gtest.h>

namespace gradproof::test {

void expect_done(const CallSpec& call) {
  const Performed done = perform(call);
  EXPECT_TRUE(done.ok()) << api_name(call.op) << ": " << done.message;
}

void expect_valid(const CallSpec& call, const std::string& what) {
  const Phase1 got = probe(call);
  EXPECT_EQ(got.status, ACLNN_SUCCESS) << api_name(call.op) << ": " << what << ": " << got.message;
  EXPECT_TRUE(got.status != ACLNN_SUCCESS || got.executor) << api_name(call.op) << ": " << what;
}

void expect_refused(const CallSpec& call, const std::string& rule, const std::string& argument,
                    const std::string& what) {
  const Phase1 got = probe(call);
  const std::string where = std::string(api_name(call.op)) + ": " + what + ": " + got.message;
  const aclnnStatus status =
      rule == "null-argument" ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_PARAM_INVALID;
  EXPECT_EQ(got.status, status) << where;
  EXPECT_FALSE(got.touched) << where;
  const std::string head = std::string(api_name(call.op)) + ": " + rule + ": ";
  EXPECT_EQ(got.message.substr(0, head.size()), head) << what;
  EXPECT_NE(got.message.find(argument, head.size()), std::string::npos) << where;
}

}  // namespace gradproof::test
