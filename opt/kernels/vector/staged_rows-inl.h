// Finished rows on their way to memory, gathered into whole lines.
#include "opt/kernels/vector/staged_rows.h"
#include "opt/kernels/vector/stream-inl.h"

#if defined(GRADPROOF_KERNELS_VECTOR_STAGED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_STAGED_ROWS_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_STAGED_ROWS_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_STAGED_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// Rows that follow each other in memory are gathered until they fill a good number of whole lines,
/// since a row alone need not start at a line.
template <class Scalar>
class StagedRows {
 public:
  /// `staged` has room for staged_bytes() of the longest row.
  void start(std::byte* staged, bool streaming) {
    staged_ = staged;
    streaming_ = streaming;
  }

  /// Where to put n scalars that belong at `to`; a line more may be overwritten.
  Scalar* append(Scalar* to, std::int64_t n) {
    if (count_ == 0 || to != to_ + count_) {
      finish();
      to_ = to;
      lead_ = misfit(to);
    }
    Scalar* place = front() + count_;
    count_ += n;
    return place;
  }

  /// After a row was put there.
  void settle() {
    if (count_ * std::int64_t{sizeof(Scalar)} < kStaged) return;
    const std::int64_t rest = misfit(to_ + count_), whole = count_ - rest;
    write_copy(to_, front(), static_cast<std::size_t>(whole), streaming_);
    const Scalar* from = front() + whole;
    lead_ = 0;
    std::memmove(front(), from, static_cast<std::size_t>(rest) * sizeof(Scalar));
    to_ += whole;
    count_ = rest;
  }

  void finish() {
    write_copy(to_, front(), static_cast<std::size_t>(count_), streaming_);
    count_ = 0;
  }

 private:
  /// Scalars between `at` and the line's beginning.
  static std::int64_t misfit(const Scalar* at) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at) % kLine / sizeof(Scalar));
  }
  Scalar* front() const { return reinterpret_cast<Scalar*>(staged_) + lead_; }

  std::byte* staged_ = nullptr;
  bool streaming_ = false;
  Scalar* to_ = nullptr;
  std::int64_t lead_ = 0, count_ = 0;  ///< lead_: so that staged lines are gradInput's
};

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_STAGED_ROWS_INL_H_
