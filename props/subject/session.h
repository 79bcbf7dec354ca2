// Performs cases on a library: initialised for one product at a time, on poisoned, guarded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/case.h"
#include "props/subject/library.h"

namespace gradproof::props {

/// What came out of phase 1.
struct Phase1 {
  std::int32_t status = 0;
  std::string message;          ///< aclGetRecentErrMsg after a failure
  std::uint64_t workspace = 0;  ///< *workspaceSize afterwards
  bool workspace_touched =
      false;                      ///< *workspaceSize no longer holds what was there before the call
  bool executor_touched = false;  ///< likewise *executor
  bool executor_null = false;     ///< *executor is null after success
  std::string failure;  ///< a runtime function that must work and did not; the rest is void then
};

/// What came out of the whole call.
struct Outcome {
  Phase1 phase1;
  bool ran = false;         ///< phase 2 was called
  std::int32_t phase2 = 0;  ///< its status
  std::int32_t sync = 0;    ///< status of aclrtSynchronizeStream
  std::string message;      ///< message of the first failure after phase 1
  /// The case's misuse was tried. If the contract says that it consumes nothing, the executor is
  /// run properly afterwards and `phase2`, `sync` and `outputs` are of that run.
  bool misused = false;
  std::int32_t misuse_status = 0;
  std::string misuse_message;
  std::vector<ref::Dense> outputs;  ///< by tensor slot; empty but for written tensors
  /// Memory that changed and should not have: guard zones, gaps, inputs, workspace beyond its size.
  std::vector<std::string> trespasses;
  std::string unstable;  ///< how a repeated run differed from the first
};

/// Variations of one and the same call, for properties that compare runs.
struct Manner {
  std::uint8_t poison =
      0xFF;         ///< byte of outputs, gaps, guards, workspace before the call (NaN: it spreads)
  int repeats = 1;  ///< > 1 makes the executor repeatable and runs it that often
};

class Session {
 public:
  explicit Session(const Library& library);
  ~Session();

  /// Makes the library be that product (through aclInit's configuration file), with that many
  /// threads (0: its default) and that instruction set ("": its default). False if the library is
  /// and stays another product, as real hardware does. Throws InputError if it cannot be
  /// initialised at all.
  bool select(ref::Product product, int threads = 0, std::string_view instruction_set = {});
  /// What select made it be.
  ref::Product product() const;
  int threads() const;
  const Library& library() const;
  /// aclInit with what select asked for last, bare: for callers that have called aclFinalize, or
  /// want to see a second aclInit refused.
  std::int32_t call_init();

  /// Phase 1 alone. Data pointers are non-null but point to little memory: nothing is allocated in
  /// proportion to what the call claims. The operator must be in the library.
  Phase1 get_workspace_size(const ref::Call& call);
  /// Both phases, or the case's misuse of phase 2, with `data` as make_data gives it.
  Outcome perform(const Case& c, const std::vector<ref::Dense>& data, const Manner& manner = {});

  struct State;  ///< for the files that implement it

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gradproof::props
