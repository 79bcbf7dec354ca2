// The operator part of the fake library: ReplicationPad2dBackward by its formula.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>

#include "props/subject/scatter.h"
#include "ref/element.h"
#include "tests/suite/fake.h"

namespace ref = gradproof::ref;
using gradproof::props::gather;
using gradproof::props::scatter;

struct aclOpExecutor {
  aclTensor in, out;
  std::int64_t left, top;
};

namespace {

constexpr std::uint64_t kWorkspace = 40;

/// The executors that were handed out last; there is no function to give one back. So many that
/// those of a thread are still there when another one has used up its rounds of `streams`.
class Executors {
 public:
  aclOpExecutor* keep(aclOpExecutor executor) {
    const std::lock_guard lock(mutex_);
    if (last_.size() > 100) last_.pop_front();
    return last_.emplace_back(std::make_unique<aclOpExecutor>(std::move(executor))).get();
  }
  /// A copy of one of them.
  std::optional<aclOpExecutor> find(const aclOpExecutor* executor) {
    const std::lock_guard lock(mutex_);
    for (const auto& e : last_) {
      if (e.get() == executor) return *e;
    }
    return std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::deque<std::unique_ptr<aclOpExecutor>> last_;
};
Executors executors;

/// Defects of values that need a feature of the call each: causes.sh looks for many at once.
void overwrite(const aclOpExecutor& e, std::vector<long double>& sums) {
  const ref::Tensor &in = e.in.view, &out = e.out.view;
  const std::size_t rank = in.shape.size();
  const std::int32_t type = ref::component_type(in.dtype);
  const auto times = [&](long double factor) {
    for (long double& sum : sums) sum *= factor;
  };
  const auto start_with_nan = [&] {
    if (!sums.empty()) sums.front() = std::numeric_limits<long double>::quiet_NaN();
  };
  const auto forget_last = [&] {
    const std::size_t parts = ref::components(in.dtype);
    if (sums.size() >= parts) sums.resize(sums.size() - parts);
  };
  const bool broadcast =
      std::ranges::any_of(std::views::iota(std::size_t{0}, rank),
                          [&](auto axis) { return in.shape[axis] > 1 && in.strides[axis] == 0; });
  if (fault("coarse FLOAT16") && type == ref::kFloat16) times(1 + 0x1p-8L);
  if (fault("coarse rank 3") && rank == 3)
    times(1 + (type == ref::kFloat16 ? 0x1p-8L : type == ref::kFloat ? 0x1p-21L : 0x1p-50L));
  if (fault("doubles asymmetric") && (in.shape[rank - 1] - out.shape[rank - 1] != 2 * e.left ||
                                      in.shape[rank - 2] - out.shape[rank - 2] != 2 * e.top))
    times(2);
  if (fault("negates COMPLEX64") && in.dtype == ref::kComplex64) times(-1);
  if (fault("NaN if cropped") && e.left < 0) start_with_nan();
  if (fault("NaN if broadcast") && broadcast) start_with_nan();
  static int calls = 0;
  ++calls;
  if (fault("differs")) times(calls + 1);
  if (fault("every other call") && calls % 2 == 1) times(2);
  if (fault("from call 40 on") && calls >= 40) times(2);
  static bool cropped = false;  // by the call before
  if (fault("remembers cropping") && cropped) times(2);
  cropped = e.left < 0;
  if (fault("forgets views") && out.offset > 0) forget_last();
  if (fault("forgets NHWC") && in.format == ref::kNhwc) forget_last();
}

void compute(const aclOpExecutor& e) {
  const ref::Dense grad = gather(e.in.view, e.in.data);
  const std::vector<std::int64_t>&in = e.in.view.shape, &out = e.out.view.shape;
  const std::size_t rank = in.size();
  const std::int64_t ho = in[rank - 2], wo = in[rank - 1], h = out[rank - 2], w = out[rank - 1];
  std::int64_t planes = 1;
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) planes *= in[axis];
  const std::int32_t type = ref::component_type(e.in.view.dtype);
  const std::int64_t parts = ref::components(e.in.view.dtype);
  std::vector<long double> sums(static_cast<std::size_t>(planes * h * w * parts));
  for (std::int64_t p = 0; p < planes; ++p) {
    for (std::int64_t i = 0; i < ho; ++i) {
      for (std::int64_t j = 0; j < wo - (fault("last column") ? 1 : 0); ++j) {
        const std::int64_t y = std::clamp<std::int64_t>(i - e.top, 0, h - 1),
                           x = std::clamp<std::int64_t>(j - e.left, 0, w - 1);
        for (std::int64_t part = 0; part < parts; ++part) {
          sums[static_cast<std::size_t>(((p * h + y) * w + x) * parts + part)] +=
              ref::load(grad.bytes.data(), type, ((p * ho + i) * wo + j) * parts + part);
        }
      }
    }
  }
  overwrite(e, sums);
  ref::Dense result = gather(e.out.view, e.out.data);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const long double stale = fault("stale") ? ref::load(result.bytes.data(), type, at) : 0;
    ref::store(result.bytes.data(), type, at, ref::round_to(type, sums[i] + stale));
  }
  scatter(e.out.view, result.bytes.data(), e.out.data);
  if (fault("writes a gap")) {
    auto* const bytes = static_cast<unsigned char*>(static_cast<void*>(e.out.data));
    bytes[(e.out.view.offset + 1) * ref::dtype_size(e.out.view.dtype)] ^= 1;
  }
}

std::int64_t storage_bytes(const aclTensor& tensor) {
  std::int64_t bytes = ref::dtype_size(tensor.view.dtype);
  for (std::int64_t dim : tensor.view.storage) bytes *= dim;
  return bytes;
}

}  // namespace

FAKE_API aclnnStatus aclnnReplicationPad2dBackwardGetWorkspaceSize(
    const aclTensor* in, const aclTensor* self, const aclIntArray* padding, aclTensor* out,
    uint64_t* workspace_size, aclOpExecutor** executor) {
  if (in == nullptr || self == nullptr || padding == nullptr || out == nullptr ||
      workspace_size == nullptr || executor == nullptr) {
    if (fault("writes workspaceSize") && workspace_size != nullptr) *workspace_size = 0;
    if (fault("writes executor") && executor != nullptr) *executor = nullptr;
    if (fault("leaks if null")) new std::int64_t[8]{};
    if (fault("leaks without padding") && padding == nullptr) new std::int64_t[32]{};
    return fault("null status") ? 161002 : 161001;
  }
  // The rules that it needs for itself.
  if (padding->values.size() != 4 || in->view.shape.size() < 3 || out->view.shape.size() < 3)
    return 161002;
  const bool wide = out->view.shape.back() > 2;
  if (wide && fault("abort in phase 1")) std::abort();
  if (fault("leaks")) new std::int64_t[4]{};
  if (fault("clears in phase 1") && out->data != nullptr) *out->data = std::byte{0};
  aclOpExecutor* planned = executors.keep({*in, *out, padding->values[0], padding->values[2]});
  *executor = fault("null executor") ? nullptr : planned;
  if (!fault("no size")) *workspace_size = fault("huge workspace") ? ~std::uint64_t{0} : kWorkspace;
  return 0;
}

FAKE_API aclnnStatus aclnnReplicationPad2dBackward(void* workspace, uint64_t size,
                                                   aclOpExecutor* executor, aclrtStream) {
  if (executor == nullptr && fault("executor status")) return 161002;
  if (workspace == nullptr && executor != nullptr && fault("workspace status")) {
    const std::optional<aclOpExecutor> e = executors.find(executor);
    return e && e->in.view.dtype == ref::kDouble && fault("another of DOUBLE") ? 561103 : 161002;
  }
  if (executor == nullptr || workspace == nullptr) return 161001;
  std::optional<aclOpExecutor> known = executors.find(executor);
  if (size < kWorkspace || !known || fault("refuses")) return 161002;
  aclOpExecutor& e = *known;
  running_wide = e.out.view.shape.back() > 2;
  if (running_wide && fault("abort in phase 2")) std::abort();
  if (running_wide && fault("exit in phase 2")) std::exit(0);
  if (running_wide && fault("prints")) std::puts("hello from the fake");
  if (running_wide && fault("complains")) std::fputs("the fake complains\n", stderr);
  const auto missing = [](const aclTensor& t) {
    return t.data == nullptr && std::count(t.view.shape.begin(), t.view.shape.end(), 0) == 0;
  };
  if (missing(e.in) || missing(e.out)) return 161001;
  e.in.data = static_cast<std::byte*>(to_host(e.in.data));
  e.out.data = static_cast<std::byte*>(to_host(e.out.data));
  // Likewise, not of values.
  if (fault("refuses empty") && storage_bytes(e.in) == 0) return 161002;
  if (fault("allocates rows")) {  // of an image without samples, too
    void* const row = std::malloc(static_cast<std::size_t>(e.out.view.shape.back()) * 8);
    if (row == nullptr) std::abort();
    std::free(row);
  }
  if (fault("aborts if cropped to 1") && e.out.view.shape.back() > 1 && e.in.view.shape.back() == 1)
    std::abort();
  static int calls = 0;
  if (++calls == 40 && fault("aborts at call 40")) std::abort();
  if (fault("leaks COMPLEX128") && e.in.view.dtype == ref::kComplex128) new std::int64_t[4]{};
  compute(e);
  const std::int64_t out_bytes = storage_bytes(e.out), in_bytes = storage_bytes(e.in);
  const volatile std::byte* const read = e.in.data;
  if (fault("reads before")) (void)read[-1];
  if (fault("reads behind")) (void)read[in_bytes];
  if (fault("before")) e.out.data[-3] = std::byte{1};
  if (fault("behind") || (fault("behind DOUBLE") && e.in.view.dtype == ref::kDouble))
    e.out.data[out_bytes + 4] = std::byte{1};
  if (fault("gap") && e.out.view.offset > 0) e.out.data[0] = std::byte{1};
  if (fault("input") && in_bytes > 0) e.in.data[in_bytes - 1] ^= std::byte{1};
  if (fault("workspace by 4"))
    std::memset(static_cast<std::byte*>(to_host(workspace)) + kWorkspace, 1, 4);
  if (fault("workspace")) static_cast<std::byte*>(to_host(workspace))[kWorkspace] = std::byte{1};
  return 0;
}
