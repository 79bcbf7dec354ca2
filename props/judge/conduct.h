// Makes a session call a library as its profile says.
#pragma once

#include "props/profiles/use.h"
#include "props/subject/session.h"

namespace gradproof::props {

class ProfileConduct final : public Conduct {
 public:
  /// @param declines  a kernel behind a kit may say that a call is not for it
  ProfileConduct(const profiles::Use& use, bool declines) : use_(use), declines_(declines) {}

  /// Throws profiles::NotJudged for a call that is not to be made.
  void admit(const ref::Call& call, Misuse misuse, const std::vector<ref::Dense>* data) override;
  void settle(const Outcome& outcome) override;
  bool has_positions(const ref::Call& call) override;
  bool ignores_mask_view(const ref::Call& call) override;

 private:
  const profiles::Use& use_;
  const bool declines_;
};

}  // namespace gradproof::props
