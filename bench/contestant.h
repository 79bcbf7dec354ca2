// Whoever can be timed on a problem: this library, another build of it, a peer, the memory itself.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/tensors.h"

namespace gradproof::bench {

class Contestant {
 public:
  virtual ~Contestant() = default;
  /// Computes gradInput once. All of it is in memory when this returns.
  virtual void run() = 0;
  /// Starts threads that wait for the next run, and ends them after it, where they would otherwise
  /// be in the way of another contestant.
  virtual void start_threads() {}
  virtual void end_threads() {}
  /// What `run` reads and writes.
  virtual std::vector<std::span<std::byte>> memory() const = 0;
  /// gradInput of the latest run in the problem's type, dense and in row-major order of its shape;
  /// nothing from who computes none. Whose memory is shared overwrites it.
  virtual std::optional<ref::Dense> take_result() = 0;
  /// What is worth saying about how it computes, such as a chosen layout; may be empty.
  virtual std::string remark() const { return ""; }
};

/// The library of `session`, on a stream of its own: both phases and the synchronisation are timed,
/// descriptors are made before, the workspace by the first call. The session must live longer and
/// stay selected.
std::unique_ptr<Contestant> make_gradproof(const props::Session& session,
                                           std::shared_ptr<Tensors> tensors);

/// The same while the library leaves out a kernel (gradproof_leave_out_kernel). Throws
/// std::runtime_error if the library cannot.
std::unique_ptr<Contestant> make_gradproof_without(const props::Session& session,
                                                   std::shared_ptr<Tensors> tensors,
                                                   const std::string& kernel);
/// The kernel that phase 1 chooses there; empty if the library does not tell.
std::string kernel_without(const props::Session& session, std::shared_ptr<Tensors> tensors,
                           const std::string& kernel);
/// The kernel that the library of `session` chooses for a problem; empty if it does not tell.
std::string chosen_kernel(const props::Session& session, const Problem& problem);

/// Allocations a call in its steady state, of any thread: by phase 1, and by phase 2 with the
/// synchronisation.
struct Allocations {
  double phase1 = 0, phase2 = 0;
};
Allocations count_allocations(const props::Session& session, const Problem& problem);

/// Reads as many bytes as the problem's inputs have and writes as many as its output has: with
/// non-temporal stores if the caches are flushed, else with those or ordinary ones, the faster.
std::unique_ptr<Contestant> make_limit(const Problem& problem, int threads);

/// The reference, for small problems; null for others.
std::unique_ptr<Contestant> make_reference(const Problem& problem);

/// ATen's out-variant on equal tensors; null if it does not have the operator for this type.
std::unique_ptr<Contestant> make_aten(const Problem& problem, int threads);

/// oneDNN's primitive in the problem's own layout, or in the one that oneDNN likes best; null where
/// it has none.
enum class DnnLayout : unsigned char { same, best };
std::unique_ptr<Contestant> make_onednn(const Problem& problem, int threads, DnnLayout layout);

}  // namespace gradproof::bench
