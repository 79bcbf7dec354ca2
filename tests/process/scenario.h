// What the programs about processes share: scenarios by name, children that run one, and a call
// that is large enough for several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_pad2d_backward.h"

namespace gradproof::test {

/// Says where, and ends the scenario as failed.
#define REQUIRE(condition)                                                             \
  do {                                                                                 \
    if (!(condition)) {                                                                \
      const char* const told_ = aclGetRecentErrMsg();                                  \
      std::fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, \
                   told_ != nullptr ? told_ : "no message");                           \
      std::_Exit(1);                                                                   \
    }                                                                                  \
  } while (false)

/// A function that a program runs when its name is the first argument.
struct Scenario {
  const char* name;
  void (*run)();
};

/// "exit 0", "signal 11", "no end": how a child that runs the scenario ended within the time.
std::string outcome_of(const char* scenario, int seconds);
/// The same of a child of fork() that exists already.
std::string outcome_of(int child, int seconds);

/// Runs the scenario in so many children and demands that each exits with 0.
void all_exit_well(const char* scenario, int children, int seconds);

/// Of a fill that the stream's thread does, or who synchronises: more than is done inside the call.
constexpr std::size_t kSlowBytes = std::size_t{192} << 10;

/// ReplicationPad2dBackward on planes of 128 x 128, padded by one. Every gradient is 1 inside.
class PadCall {
 public:
  explicit PadCall(std::int64_t planes = 16);
  ~PadCall();
  PadCall(const PadCall&) = delete;
  PadCall& operator=(const PadCall&) = delete;

  /// Phase 1 and phase 2; the status of the first that fails. A null workspace is the call's own.
  int launch(aclrtStream stream, void* workspace = nullptr);
  /// Whether the result is there.
  bool done() const;
  void clear();
  float* gradient() { return gradient_.data(); }
  float* result() { return result_.data(); }

 private:
  std::vector<float> gradient_, result_;
  std::vector<std::byte> workspace_;
  aclTensor *gradient_tensor_, *self_, *result_tensor_;
  aclIntArray* padding_;
};

}  // namespace gradproof::test
