// Performs cases on a library: initialised for one product at a time, on poisoned, guarded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/case.h"
#include "props/subject/kernels.h"
#include "props/subject/library.h"
#include "props/subject/memory.h"

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
  std::string kernel;             ///< that was chosen; "" if the library does not tell
  std::string failure;  ///< a runtime function that must work and did not; the rest is void then
};

/// What came out of the whole call.
struct Outcome {
  Phase1 phase1;
  bool ran = false;         ///< phase 2 was called
  std::int32_t phase2 = 0;  ///< its status
  std::int32_t sync = 0;    ///< status of aclrtSynchronizeStream
  std::string message;      ///< message of the first failure after phase 1
  std::string exception;  ///< what a kernel behind a kit failed with, in its own words; else empty
  /// The case's misuse was tried. If the contract says that it consumes nothing, the executor is
  /// run properly afterwards and `phase2`, `sync` and `outputs` are of that run.
  bool misused = false;
  std::int32_t misuse_status = 0;
  std::string misuse_message;
  std::vector<ref::Dense> outputs;  ///< by tensor slot; empty but for written tensors
  /// Memory that changed and should not have: guard zones, gaps, inputs, workspace beyond its size.
  std::vector<std::string> trespasses;
  std::int64_t behind_workspace = 0;  ///< bytes up to the last one that was written behind it
  /// Outputs of later runs of a repeatable executor that differ from the first one's.
  std::vector<std::vector<ref::Dense>> other_runs;
  bool wrote = false;      ///< some element of an output no longer is as it was before the call
  std::string unreadable;  ///< what of the outputs does not mean anything in the mask's encoding
};

/// Variations of one and the same call, for properties that compare runs.
struct Manner {
  std::uint8_t poison = 0xFF;     ///< byte of outputs, their gaps and guards before the call (NaN:
                                  ///< it spreads)
  std::uint8_t workspace = 0xFF;  ///< byte of the workspace before the call
  /// Gaps of an input hold its first element, not a NaN of their own (props/cases/data/outside.h),
  /// which a library that reads them mistakes for an element.
  bool plausible_gaps = false;
  int repeats = 1;  ///< > 1 makes the executor repeatable and runs it that often
  /// Among which runs of its kernel the run counts (take_kernel_uses).
  enum class Counted { no, chosen, compared } counted = Counted::chosen;
  /// Tensors and arrays go as soon as phase 1 has returned. Else they stay until the stream was
  /// synchronised and the executor is gone.
  bool early_destruction = false;
  /// Of each tensor and the workspace, while the call runs.
  Fence fence = Fence::none;
};

/// How calls are made that a library is known to take otherwise.
class Conduct {
 public:
  virtual ~Conduct() = default;
  /// Before each call; what it throws ends the check. `data` is null where phase 1 alone is called.
  virtual void admit(const ref::Call& call, Misuse misuse, const std::vector<ref::Dense>* data) = 0;
  /// After each call, whose outcome it may complete; what it throws ends the check.
  virtual void settle(Outcome& outcome) = 0;
  /// Whether the 2-D pool's mask holds INT32 positions instead of bits (mask_positions.h).
  virtual bool has_positions(const ref::Call& call) = 0;
  /// Whether the mask's elements lie at its data pointer without gaps, whatever its view says.
  virtual bool ignores_mask_view(const ref::Call& call) = 0;
};

/// What a library allows a session; each but the last is a promise of its profile.
struct Treatment {
  bool configurable = true;             ///< aclInit's file chooses the product
  bool executors_after_failure = true;  ///< an executor that phase 2 refused is still there
  bool repeatable_executors = true;     ///< every executor can be made repeatable
  /// The product of a library that does not tell: it lacks aclrtGetSocName, or the name is unknown.
  std::optional<ref::Product> assumed = {};
};

class Session {
 public:
  explicit Session(const Library& library, const Treatment& treatment = {});
  ~Session();

  /// From now on each call is made as it says; null: as the API is documented.
  void follow(Conduct* conduct);

  /// Initialises the library without naming a product, with that many threads (0: its default),
  /// and returns the product that it is. Throws StartError if that cannot be done, InputError if
  /// the product cannot be told.
  ref::Product begin(int threads = 0);
  /// Makes a configurable library be that product (through aclInit's file), with that many
  /// threads (0: its default) and that instruction set ("": its default). False if the library is
  /// and stays another product, as real hardware does; such a library is initialised once for each
  /// number of threads and instruction set, and never given a product. Throws StartError if it
  /// cannot be initialised at all.
  bool select(ref::Product product, int threads = 0, std::string_view instruction_set = {});
  /// The values of aclInit's "instruction_set" that the library takes on this machine; none if it
  /// lacks the key. The library is asked the first time; select must have been called before.
  const std::vector<std::string_view>& instruction_sets();
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

  const Kernels& kernels() const;
  /// The kernels that `perform` has run since this was last called.
  KernelUses take_kernel_uses();

  struct State;  ///< for the files that implement it

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gradproof::props
