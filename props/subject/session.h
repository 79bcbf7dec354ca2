// Performs cases on a library: initialised for one product at a time, on poisoned, guarded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/subject/library.h"

namespace gradproof::props {

/// What came out of phase 1.
struct Phase1 {
  std::int32_t status = 0;
  std::string message;          ///< aclGetRecentErrMsg after a failure
  std::uint64_t workspace = 0;  ///< *workspaceSize afterwards
  bool workspace_touched = false;  ///< *workspaceSize no longer holds what was there before the call
  bool executor_touched = false;   ///< likewise *executor
  bool executor_null = false;      ///< *executor is null after success
};

/// What came out of the whole call.
struct Outcome {
  Phase1 phase1;
  bool ran = false;                ///< phase 2 was called
  std::int32_t phase2 = 0;         ///< its status
  std::int32_t sync = 0;           ///< status of aclrtSynchronizeStream
  std::string message;             ///< message of the first failure after phase 1
  std::vector<ref::Dense> outputs; ///< by tensor slot; empty but for written tensors
  /// Memory that changed and should not have: guard zones, gaps, inputs, workspace beyond its size.
  std::vector<std::string> trespasses;
};

/// Variations of one and the same call, for properties that compare runs.
struct Manner {
  std::uint8_t poison = 0xA5;  ///< byte that outputs, gaps, guards and workspace hold before the call
  int repeats = 1;             ///< > 1 makes the executor repeatable and runs it that often
};

class Session {
 public:
  explicit Session(const Library& library);
  ~Session();

  /// Makes the library be that product (through aclInit's configuration file) and that many threads
  /// (0: its default). False if the library is and stays another product, as real hardware does.
  bool select(ref::Product product, int threads = 0);

  /// Phase 1 alone. Data pointers are non-null but point to little memory.
  Phase1 get_workspace_size(const ref::Call& call);
  /// Both phases, or the case's misuse of phase 2, with `data` as make_data gives it.
  Outcome perform(const Case& c, const std::vector<ref::Dense>& data, const Manner& manner = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gradproof::props
