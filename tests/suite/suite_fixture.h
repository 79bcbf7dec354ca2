// What the tests of the suite share: the libraries to judge and small cases by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "props/cases/data/data.h"
#include "props/judge/verdict.h"
#include "props/properties/property.h"
#include "props/subject/session.h"

namespace gradproof::props {

/// Makes the fake library misbehave as long as it lives.
class Fault {
 public:
  explicit Fault(const char* name) { setenv("FAKE_FAULT", name, 1); }
  ~Fault() { unsetenv("FAKE_FAULT"); }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// ReplicationPad2dBackward of FLOAT [1,2,3,4] padded by (1,2,0,1); gradInput lies strided in a
/// larger storage.
inline Case pad_case() {
  Case c = blank_case(ref::Operator::replication_pad2d_backward);
  const auto dense = [](std::vector<std::int64_t> shape) {
    ref::Tensor t;
    t.shape = t.storage = shape;
    t.strides = ref::contiguous_strides(shape);
    return t;
  };
  c.call.tensors[0] = dense({1, 2, 4, 7});
  c.call.tensors[1] = dense({1, 2, 3, 4});
  c.call.tensors[2] = dense({1, 2, 3, 4});
  c.call.tensors[2].strides = {60, 30, 8, 2};
  c.call.tensors[2].offset = 5;
  c.call.tensors[2].storage = {70};
  c.call.arrays[0].values = {1, 2, 0, 1};
  c.seed = 7;
  return c;
}

/// Our library; a process can initialise it for one session only.
inline Session& our_session() {
  static const Library library(std::vector<std::string>{GRADPROOF_LIBRARY});
  static Session session(library);
  return session;
}

inline Verdict judged(Session& session, const Case& c) {
  const std::vector<ref::Dense> data = make_data(c);
  return judge_outcome(c, data, session.perform(c, data));
}

}  // namespace gradproof::props
