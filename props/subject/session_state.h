// What a session holds; shared by the files that implement it.
#pragma once

#include <array>

#include "props/subject/invoke.h"
#include "props/subject/layout.h"
#include "props/subject/memory.h"
#include "props/subject/session.h"

namespace gradproof::props {

struct Session::State {
  explicit State(const Library& subject);
  ~State();

  bool select(ref::Product wanted, int wanted_threads);
  void start(std::int32_t status, const char* name) const;
  void shut_down();
  std::string recent_error() const;
  /// `*executor` is what a successful phase 1 handed out, else null.
  Phase1 phase1(const ref::Call& call, const Descriptors& descriptors, aclOpExecutor** executor);
  Phase1 phase1_alone(const ref::Call& call);
  /// Throws SubjectFailure.
  void perform(const Case& c, const std::vector<ref::Dense>& data, const Manner& manner,
               Outcome& outcome);

  const Library& library;
  const Api& api;
  std::array<EntryPoints, ref::kOperatorCount> entries;
  bool initialised = false;
  bool fixed =
      false;  ///< the library stays the product that it is, whatever aclInit's file asks for
  ref::Product product = ref::Product::Ascend910B;
  int threads = 0;
  aclrtStream stream = nullptr;

  /// One block per allocation of a call; no operator has more than four tensors.
  std::array<Block, 4> blocks{Block(api), Block(api), Block(api), Block(api)};
  Block workspace{api};
  Block little{api};  ///< behind the data pointers of calls that are never run
};

}  // namespace gradproof::props
