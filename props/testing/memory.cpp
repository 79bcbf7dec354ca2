// Lays tensors out, and looks for changes where none should be.
#include "props/testing/memory.h"

#include <algorithm>

#include "props/cases/data/data.h"
#include "props/subject/scatter.h"
#include "props/subject/trespass.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::testing::detail {
namespace {

constexpr std::int64_t kLeastGuard = 1024;

}  // namespace

Memory::Memory(const Case& c)
    : case_(c),
      data_(props::make_data(c.own())),
      canonical_(detail::canonical(c.own(), data_)),
      layout_(props::layout_of(call())),
      blocks_(layout_.allocations.size()) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const props::Allocation& allocation = layout_.allocations[i];
    const auto access = [&](int slot) { return props::access_of(call().op, slot); };
    if (std::all_of(allocation.members.begin(), allocation.members.end(),
                    [&](int slot) { return access(slot) == ref::Access::described; }))
      continue;
    Block& block = blocks_[i];
    const ref::Tensor& root = call().tensors[static_cast<std::size_t>(allocation.root)];
    for (const int slot : allocation.members) {
      const ref::Tensor& t = call().tensors[static_cast<std::size_t>(slot)];
      block.guard =
          std::max(block.guard, kLeastGuard + props::element_count(t) * ref::dtype_size(t.dtype));
    }
    block.bytes.assign(static_cast<std::size_t>(allocation.high - allocation.low + 2 * block.guard),
                       root.dtype == ref::kInt32 ? std::byte{0} : std::byte{0xFF});
    for (const int slot : allocation.members) {
      const auto at = static_cast<std::size_t>(slot);
      if (access(slot) == ref::Access::read && !data_[at].bytes.empty())
        props::scatter(call().tensors[at], data_[at].bytes.data(),
                       block.bytes.data() + start(slot));
    }
    block.before = block.bytes;
  }
}

std::ptrdiff_t Memory::start(int slot) const {
  const auto at = static_cast<std::size_t>(slot);
  const auto allocation = static_cast<std::size_t>(layout_.allocation[at]);
  return blocks_[allocation].guard + layout_.at[at] - layout_.allocations[allocation].low;
}

void* Memory::at(int slot) {
  Block& block =
      blocks_[static_cast<std::size_t>(layout_.allocation[static_cast<std::size_t>(slot)])];
  return block.bytes.empty() ? nullptr : block.bytes.data() + start(slot);
}

ref::Dense Memory::result() const {
  const int slot = canonical_.result;
  const auto at = static_cast<std::size_t>(slot);
  const ref::Tensor view = canonical_view(call().op, call().tensors[at]);
  const Block& block = blocks_[static_cast<std::size_t>(layout_.allocation[at])];
  return props::gather(view, block.bytes.data() + start(slot));
}

std::string Memory::trespass() const {
  const auto result = static_cast<std::size_t>(canonical_.result);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    std::vector<std::byte> expected = block.before;
    if (layout_.allocation[result] == static_cast<int>(i)) {
      const ref::Tensor& view = call().tensors[result];
      const ref::Dense now = props::gather(view, block.bytes.data() + start(canonical_.result));
      if (!now.bytes.empty())
        props::scatter(view, now.bytes.data(), expected.data() + start(canonical_.result));
    }
    const auto [was, is] = std::mismatch(expected.begin(), expected.end(), block.bytes.begin());
    if (was == expected.end()) continue;
    return props::trespass(call(), layout_.allocations[i],
                           {was - expected.begin() - block.guard, static_cast<std::uint8_t>(*was),
                            static_cast<std::uint8_t>(*is)});
  }
  return "";
}

}  // namespace gradproof::testing::detail
