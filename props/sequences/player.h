// Performs commands on a library, one by one, and compares every answer with the model.
#pragma once

#include <map>

#include "props/sequences/model.h"
#include "props/sequences/stage.h"

namespace gradproof::props {

class Player {
 public:
  /// As run_sequence says. Throws SubjectFailure, here and below, if the runtime fails.
  Player(const Case& c, Session& session, profiles::Use* use = nullptr);
  /// Ends whatever is still alive.
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// Performs a command, if the model takes it, and compares.
  Verdict take(const Command& command);
  /// Ends what is alive and compares what is left, after a sequence that passed.
  Verdict finish();
  const World& world() const { return world_; }
  /// What the commands' operand `c` stands for, where there are two calls.
  std::string calls() const;
  /// Commands that the model did not take.
  int left_out() const { return left_out_; }

 private:
  struct Descriptors {
    std::vector<aclTensor*> tensors;
    std::vector<aclIntArray*> arrays;
  };

  /// Performs a command that the model takes, and fills in what it answered.
  std::int32_t perform(const Command& c, std::optional<bool>& answer, std::string& text);
  std::int32_t describe(const Command& c);
  std::int32_t forget(Descriptors& d);
  std::int32_t plan(const Command& c);
  std::int32_t address(const Command& c);
  std::int32_t run(const Command& c);
  std::int32_t poll(aclrtStream stream, std::optional<bool>& done);
  /// Where the first element of one of the executor's tensors is.
  void* first_byte(int executor);
  std::int32_t restart(Restart manner);
  Verdict check_outputs();
  void found(std::string what) {
    if (trouble_.empty()) trouble_ = std::move(what);
  }

  /// An address that no handle of any library is; the handles of streams that were never made.
  alignas(64) static inline std::byte never_handed_out[4096];

  Session& session_;
  const Api& api_;
  World world_;
  Model model_;
  Stage stage_;
  std::array<Descriptors, kDescriptorSets> descriptors_;
  std::array<aclOpExecutor*, kExecutors> executors_{};
  std::array<int, kExecutors> call_of_{};  ///< of the executor that was planned last
  std::array<aclrtStream, kStreams> streams_{};
  std::array<aclrtEvent, kEvents> events_{};
  std::map<std::tuple<int, int, int>, Contents> checked_;
  std::string trouble_;  ///< what went wrong besides a status
  double worst_ = 0;
  int left_out_ = 0;
  bool ended_ = false;
};

}  // namespace gradproof::props
