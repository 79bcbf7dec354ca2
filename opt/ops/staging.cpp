// Copying operands into a workspace and back, element by element.
#include "opt/ops/staging.h"

#include <cstring>

#include "opt/kernels/workspace.h"

namespace gradproof::ops {
namespace {

/// Calls f(offset) for each element of a view in row-major order, with its distance in bytes from
/// index 0.
template <class F>
void each(const Staging::Copy& c, std::size_t axis, std::int64_t at, const F& f) {
  if (axis == c.shape.size()) return f(at);
  for (std::int64_t i = 0; i < c.shape[axis]; ++i) each(c, axis + 1, at + i * c.strides[axis], f);
}

}  // namespace

Addresses Staging::bring(const Addresses& views, std::byte* workspace) const noexcept {
  Addresses at = views;
  for (const Copy& c : copies_) {
    std::byte* const copy = workspace + c.offset;
    at[c.operand] = copy;
    std::byte* to = copy;
    if (!c.written) {
      each(c, 0, 0, [&](std::int64_t offset) {
        std::memcpy(to, views[c.operand] + offset, static_cast<std::size_t>(c.element_bytes));
        to += c.element_bytes;
      });
    }
    std::memset(to, c.rest, static_cast<std::size_t>(copy + c.room - to));
  }
  return at;
}

void Staging::give_back(const Addresses& views, const Addresses& copies) const noexcept {
  for (const Copy& c : copies_) {
    if (!c.written) continue;
    const std::byte* from = copies[c.operand];
    each(c, 0, 0, [&](std::int64_t offset) {
      std::memcpy(views[c.operand] + offset, from, static_cast<std::size_t>(c.element_bytes));
      from += c.element_bytes;
    });
  }
}

std::unique_ptr<const Staging> make_staging(const Call& call, std::uint64_t& workspace_bytes) {
  std::vector<Staging::Copy> copies;
  kernels::WorkspaceLayout layout;
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const TensorArgument& a = call.tensors[i];
    if (!a.staged || a.access == Access::described) continue;
    if (copies.empty()) layout.take(workspace_bytes, 1);
    Staging::Copy copy{i, a.access == Access::written, {}, {}, a.element_bytes, 0, 0, a.rest};
    if (a.content == Content::mask) {  // as bytes
      copy.shape = {a.end};
      copy.strides = {1};
      copy.room = a.room;
    } else {
      copy.shape.assign(a->shape.begin(), a->shape.end());
      for (std::size_t axis = 0; axis < copy.shape.size(); ++axis) {  // an extent of 1: any stride
        copy.strides.push_back(copy.shape[axis] == 1 ? 0 : a->strides[axis] * a.element_bytes);
      }
      copy.room = static_cast<std::uint64_t>(a.elements * a.element_bytes);
    }
    copy.offset = layout.take(copy.room, 1);
    copies.push_back(std::move(copy));
  }
  if (copies.empty()) return nullptr;
  workspace_bytes = layout.bytes();
  return std::make_unique<const Staging>(std::move(copies));
}

}  // namespace gradproof::ops
