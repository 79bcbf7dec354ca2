// Makes a session call a library as its profile says.
#pragma once

#include "props/profiles/use.h"
#include "props/subject/session.h"

namespace gradproof::props {

class ProfileConduct final : public Conduct {
 public:
  /// @param behind_kit  failures of calls are a kernel's own, which may say that a call is not for
  /// it
  ProfileConduct(const profiles::Use& use, bool behind_kit) : use_(use), behind_kit_(behind_kit) {}

  /// Throws profiles::NotJudged for a call that is not to be made.
  void admit(const ref::Call& call, Misuse misuse, const std::vector<ref::Dense>* data) override;
  void settle(Outcome& outcome) override;
  bool has_positions(const ref::Call& call) override;
  bool ignores_mask_view(const ref::Call& call) override;

 private:
  const profiles::Use& use_;
  const bool behind_kit_;
};

}  // namespace gradproof::props
