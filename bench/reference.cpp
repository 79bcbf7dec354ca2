// The reference as a contestant, where a call is small enough for it.
#include "bench/contestant.h"
#include "props/cases/memory_layout.h"
#include "ref/exact.h"

namespace gradproof::bench {
namespace {

constexpr std::int64_t kMostElements = 1 << 18;

class Reference final : public Contestant {
 public:
  explicit Reference(const Problem& problem)
      : slot_(problem.output_slot()), evaluation_(problem.call, problem.data) {}

  void run() override {
    for (std::int64_t i = 0; i < evaluation_.plane_count(slot_); ++i)
      sum_ += static_cast<double>(evaluation_.plane(slot_, i).values.front().value);
  }

  std::vector<std::span<std::byte>> memory() const override { return {}; }
  std::optional<ref::Dense> take_result() override { return std::nullopt; }

 private:
  int slot_;
  ref::Evaluation evaluation_;
  double sum_ = 0;
};

}  // namespace

std::unique_ptr<Contestant> make_reference(const Problem& problem) {
  const ref::Tensor& output = problem.call.tensors[problem.output_slot()];
  if (props::element_count(output) > kMostElements) return nullptr;
  return std::make_unique<Reference>(problem);
}

}  // namespace gradproof::bench
