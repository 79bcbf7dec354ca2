// Makes a session call a library as its profile says.
#pragma once

#include "props/profiles/use.h"
#include "props/subject/session.h"

namespace gradproof::props {

class ProfileConduct final : public Conduct {
 public:
  explicit ProfileConduct(const profiles::Use& use) : use_(use) {}

  /// Throws profiles::NotJudged for a call that is not to be made.
  void admit(const ref::Call& call, Misuse misuse, const std::vector<ref::Dense>* data) override;
  bool has_positions(const ref::Call& call) override;

 private:
  const profiles::Use& use_;
};

}  // namespace gradproof::props
