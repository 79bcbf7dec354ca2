// Memory of sequences, and its comparison with the reference.
#include "props/sequences/stage.h"

#include <algorithm>
#include <cstring>

#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "props/judge/compare.h"
#include "props/subject/scatter.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr std::uint8_t kPoison = 0xFF;  // NaN in every floating type

std::size_t storage_bytes(const ref::Tensor& t) {
  std::int64_t count = 1;
  for (const std::int64_t extent : t.storage) count *= extent;
  return static_cast<std::size_t>(count * ref::dtype_size(t.dtype));
}

}  // namespace

Stage::Stage(const World& world, const Api& api, profiles::Use* use)
    : world_(world), api_(api), use_(use) {
  if (use == nullptr) return;
  for (const Case& c : world.calls) {
    use->admit(c.call, Misuse::none, nullptr);
    const profiles::Terms terms = use->terms(c.call);
    if (terms.mask != nullptr || terms.mask_view != nullptr)
      throw profiles::NotJudged{"sequences have masks of bits where their views say"};
  }
}

std::string Stage::name_of(int call, int place, int slot) const {
  const ref::Operator op = world_.calls[call].call.op;
  return std::string(tensor_name(op, slot)) + " of " + std::string(ref::signature(op).stem) +
         " in place " + std::to_string(place);
}

const std::vector<ref::Dense>& Stage::inputs(int call, int set) {
  const auto [at, fresh] = data_.try_emplace({call, set});
  if (fresh) at->second = make_data(world_.with_inputs(call, set));
  return at->second;
}

Block& Stage::input(int call, int set, int slot) {
  const bool read = access_of(world_.calls[call].call.op, slot) == ref::Access::read;
  std::unique_ptr<Block>& block = inputs_[{call, read ? set : 0, slot}];
  if (block != nullptr) return *block;
  block = std::make_unique<Block>(api_);
  block->prepare(storage_bytes(tensor(call, slot)));
  std::byte* image = block->make_image(kPoison).data() + Block::kGuard;
  if (read) {
    const ref::Dense& dense = inputs(call, set)[static_cast<std::size_t>(slot)];
    if (!dense.bytes.empty()) scatter(tensor(call, slot), dense.bytes.data(), image);
  }
  block->upload();
  return *block;
}

Stage::Output& Stage::output_of(int call, int place, int slot) {
  Output& output = outputs_[{call, place, slot}];
  if (output.block != nullptr) return output;
  output.block = std::make_unique<Block>(api_);
  output.block->prepare(storage_bytes(tensor(call, slot)));
  output.block->make_image(kPoison);
  output.block->upload();
  return output;
}

void* Stage::address(int call, int slot, std::uint8_t binding) {
  if (binding == kNullTarget) return nullptr;
  const bool written = access_of(world_.calls[call].call.op, slot) == ref::Access::written;
  return written ? output_of(call, binding, slot).block->data() : input(call, binding, slot).data();
}

void* Stage::workspace(int stream, int call, std::uint64_t bytes) {
  if (bytes == 0) return nullptr;
  std::unique_ptr<Block>& block = workspaces_[{stream, call}];
  if (block == nullptr) {
    block = std::make_unique<Block>(api_);
    block->prepare(static_cast<std::size_t>(bytes));
    block->poison_guards(kPoison, kPoison);
  }
  return block->data();
}

void* Stage::idle_memory(int stream) {
  std::unique_ptr<Block>& block = idle_[stream];
  if (block == nullptr) {
    block = std::make_unique<Block>(api_);
    block->prepare(kIdleBytes);
  }
  return block->data();
}

Stage::Bytes Stage::output(int call, int place) {
  int slot = 0;
  while (access_of(world_.calls[call].call.op, slot) != ref::Access::written ||
         element_count(tensor(call, slot)) == 0)
    ++slot;
  return {output_of(call, place, slot).block->data(), storage_bytes(tensor(call, slot))};
}

ref::Dense Stage::read(int call, int place, int slot) {
  return gather(tensor(call, slot),
                output_of(call, place, slot).block->download().data() + Block::kGuard);
}

Verdict Stage::check_values(int call, int slot, const Bindings& bindings, const ref::Dense& got,
                            const std::string& where) {
  const auto [known, fresh] = known_.try_emplace({call, slot, bindings});
  if (!fresh) {
    if (known->second.bytes == got.bytes || bits_vary(call)) return {};
    return Verdict::violated("sequence bits", where + " has other bits than the same call before");
  }
  const ref::Call& c = world_.calls[call].call;
  std::vector<ref::Dense> data(c.tensors.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (access_of(c.op, static_cast<int>(i)) == ref::Access::read && bindings[i] != kNullTarget)
      data[i] = inputs(call, bindings[i])[i];
    else if (access_of(c.op, static_cast<int>(i)) == ref::Access::read)
      data[i] = inputs(call, 0)[i];  // without elements, or its null address would be refused
  }
  const ref::Numerics numerics = use_ != nullptr ? use_->terms(c).numerics : ref::Numerics{};
  const ref::Evaluation evaluation(c, data, numerics);
  const Comparison comparison = compare(evaluation, slot, got, numerics);
  if (comparison.wrong > 0) {
    known_.erase(known);
    return Verdict::violated("sequence values",
                             describe(comparison, where, got, evaluation.result_type(slot)));
  }
  known->second = got;
  Verdict held;
  held.worst_fraction = comparison.worst_fraction;
  return held;
}

Verdict Stage::check(int call, int place, int slot, const Contents& contents) {
  const auto at = outputs_.find({call, place, slot});
  if (at == outputs_.end()) return {};
  Output& output = at->second;
  Block& block = *output.block;
  const ref::Tensor& view = tensor(call, slot);
  const std::size_t size = storage_bytes(view);
  if (contents.byte) std::memset(block.image().data() + Block::kGuard, *contents.byte, size);
  const std::byte* got = block.download().data() + Block::kGuard;
  const std::string where = name_of(call, place, slot);
  Verdict verdict;
  if (contents.kind != Contents::Kind::bytes) {
    const ref::Dense dense = gather(view, got);
    if (contents.kind == Contents::Kind::result)
      verdict = check_values(call, slot, contents.inputs, dense, where);
    if (!verdict.held) return verdict;
    // What the view holds was judged; the rest must be as it was.
    if (!dense.bytes.empty())
      scatter(view, dense.bytes.data(), block.image().data() + Block::kGuard);
  }
  if (const auto change = block.first_change(true)) {
    return Verdict::violated("sequence memory", where + ": byte " + std::to_string(change->at) +
                                                    " of " + std::to_string(size) +
                                                    " was changed by nothing that is done");
  }
  return verdict;
}

Verdict Stage::check_surroundings() {
  for (const auto& [key, block] : inputs_) {
    if (!block->first_change(false)) continue;
    const auto& [call, set, slot] = key;
    const ref::Operator op = world_.calls[call].call.op;
    return Verdict::violated(
        "sequence memory", "an input was written: " + std::string(tensor_name(op, slot)) + " of " +
                               std::string(ref::signature(op).stem));
  }
  for (const auto& [key, block] : workspaces_) {
    const std::optional<Change> change = block->first_guard_change(kPoison);
    if (!change) continue;
    Verdict verdict =
        Verdict::violated("sequence memory", "memory outside a workspace was written");
    if (change->at >= 0) verdict.symptom = behind_workspace(block->changed_behind(kPoison));
    return verdict;
  }
  return {};
}

}  // namespace gradproof::props
