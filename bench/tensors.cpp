// Makes the tensors of a problem.
#include "bench/tensors.h"

#include <algorithm>

#include "props/subject/scatter.h"
#include "ref/element.h"

namespace gradproof::bench {
namespace {

std::size_t storage_bytes(const ref::Tensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : tensor.storage) elements *= extent;
  return static_cast<std::size_t>(elements * ref::dtype_size(tensor.dtype));
}

}  // namespace

Tensors::Tensors(const Problem& problem) : problem_(problem) {
  const int count = static_cast<int>(problem.call.tensors.size());
  for (int slot = 0; slot < count; ++slot) {
    const ref::Tensor& tensor = problem.call.tensors[slot];
    const ref::Dense& data = problem.data[slot];
    const bool used = slot == problem.output_slot() || !data.bytes.empty();
    tensors_.emplace_back(used ? storage_bytes(tensor) : 0, slot);
    if (!data.bytes.empty()) props::scatter(tensor, data.bytes.data(), tensors_.back().data());
  }
}

std::vector<void*> Tensors::data() const {
  std::vector<void*> all;
  for (const Buffer& tensor : tensors_) all.push_back(tensor.data());
  return all;
}

void* Tensors::workspace(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (!workspace_ || workspace_->bytes().size() < bytes)
    workspace_.emplace(bytes, static_cast<int>(tensors_.size()));
  return workspace_->data();
}

std::vector<std::span<std::byte>> Tensors::memory() const {
  std::vector<std::span<std::byte>> all;
  for (const Buffer& tensor : tensors_) all.push_back(tensor.bytes());
  if (workspace_) all.push_back(workspace_->bytes());
  return all;
}

ref::Dense Tensors::take_result() {
  const int slot = problem_.output_slot();
  ref::Dense result = props::gather(problem_.call.tensors[slot], tensors_[slot].data());
  const std::span<std::byte> bytes = tensors_[slot].bytes();
  std::fill(bytes.begin(), bytes.end(), std::byte{0xff});  // NaN in every type
  return result;
}

}  // namespace gradproof::bench
