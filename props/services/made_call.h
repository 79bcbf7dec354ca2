// A case's call on memory of its own, which can be made again and again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "props/cases/data/data.h"
#include "props/cases/describe/plain.h"
#include "props/sequences/stage.h"
#include "props/services/own_pages.h"
#include "props/subject/invoke.h"
#include "ref/element.h"

namespace gradproof::props {

class MadeCall {
 public:
  static constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
  /// Whether a case can be made so: it has a result, takes at most `most_bytes`, and no tensor is
  /// in the memory of another.
  static bool possible(const Case& c, std::int64_t most_bytes = kMostBytes) {
    const auto shares = [](const ref::Tensor& t) { return t.shares >= 0; };
    return has_result(c) && runnable(c, most_bytes) &&
           std::none_of(c.call.tensors.begin(), c.call.tensors.end(), shares);
  }

  /// The tensor in the slot `apart`, which is read, has pages of memory of its own; -1: none has.
  /// Throws SubjectFailure if the library's memory functions or descriptors fail.
  MadeCall(const Case& c, const Library& library, int apart = -1)
      : world_(c, {}, 0),
        api_(library.api()),
        apart_(apart),
        stage_(world_, api_, nullptr),
        entry_(library.entry(c.call.op)),
        descriptors_(api_, c.call, addresses()) {}

  /// From now on the call is made by other functions of the same arguments.
  void enter(const EntryPoints& by) { entry_ = by; }

  /// Phase 1.
  std::int32_t plan() {
    return invoke_phase1(entry_.get_workspace_size, call(), descriptors_, &size_, &executor_);
  }
  /// Phase 2, with the executor that was planned last, in a workspace of its own or in this one.
  std::int32_t run(aclrtStream stream) { return run(stream, stage_.workspace(0, 0, size_)); }
  std::int32_t run(aclrtStream stream, void* workspace) {
    return invoke_phase2(entry_.run, workspace, size_, executor_, stream);
  }
  /// Both, and the synchronisation; the status of the first that fails.
  std::int32_t complete(aclrtStream stream) {
    std::int32_t status = plan();
    if (status == 0) status = run(stream);
    return status == 0 ? api_.synchronize_stream(stream) : status;
  }

  /// Bytes that the last phase 1 asked for.
  std::uint64_t workspace_size() const { return size_; }
  /// That of the last phase 1.
  aclOpExecutor*& executor() { return executor_; }

  const ref::Call& call() const { return world_.calls[0].call; }
  aclTensor* descriptor(int slot) const {
    return descriptors_.tensors()[static_cast<std::size_t>(slot)];
  }
  void* address(int slot) { return slot == apart_ ? own_pages() : stage_.address(0, slot, 0); }
  /// What the tensor that the call writes holds now.
  ref::Dense result() { return stage_.read(0, 0, written_slot()); }
  /// Overwrites it.
  void clear_result() {
    const Stage::Bytes bytes = stage_.output(0, 0);
    const std::vector<std::byte> zeros(bytes.size);
    require(
        api_, "aclrtMemcpy",
        api_.memcpy(bytes.data, bytes.size, zeros.data(), bytes.size, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  /// Memory that changed and is neither an element of a result nor the workspace.
  Verdict check_memory() {
    for (int slot = 0; slot < static_cast<int>(call().tensors.size()); ++slot) {
      if (access_of(call().op, slot) != ref::Access::written) continue;
      if (!stage_.check(0, 0, slot, {Contents::Kind::unspecified, {}, {}, 0}).held)
        return written("outside the elements of " + std::string(tensor_name(call().op, slot)));
    }
    if (own_pages_ && own_pages_->changed())
      return written("of or behind " + std::string(tensor_name(call().op, apart_)));
    return stage_.check_surroundings();
  }

 private:
  static Verdict written(const std::string& where) {
    return Verdict::violated("memory", "memory " + where + " was written");
  }
  int written_slot() const {
    int slot = 0;
    while (access_of(call().op, slot) != ref::Access::written) ++slot;
    return slot;
  }
  void* own_pages() {
    if (!own_pages_) {
      const ref::Tensor& tensor = call().tensors[apart_];
      const std::int64_t elements = std::accumulate(tensor.storage.begin(), tensor.storage.end(),
                                                    std::int64_t{1}, std::multiplies<>());
      own_pages_.emplace(api_, stage_.address(0, apart_, 0),
                         static_cast<std::size_t>(elements * ref::dtype_size(tensor.dtype)));
    }
    return own_pages_->data();
  }
  std::vector<void*> addresses() {
    std::vector<void*> all(call().tensors.size());
    for (std::size_t slot = 0; slot < all.size(); ++slot)
      all[slot] = address(static_cast<int>(slot));
    return all;
  }

  const World world_;
  const Api& api_;
  const int apart_;
  Stage stage_;
  std::optional<OwnPages> own_pages_;
  EntryPoints entry_;
  const Descriptors descriptors_;
  std::uint64_t size_ = 0;
  aclOpExecutor* executor_ = nullptr;
};

}  // namespace gradproof::props
