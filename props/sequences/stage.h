// The memory that a sequence acts on: inputs, outputs and workspaces on the device, and what they
// must hold.
#pragma once

#include <map>
#include <memory>

#include "props/judge/verdict.h"
#include "props/sequences/model.h"
#include "props/subject/memory.h"

namespace gradproof::props {

class Stage {
 public:
  /// Throws SubjectFailure, here and below, if the library's memory functions fail.
  Stage(const World& world, const Api& api, profiles::Use* use);

  /// The device address that a binding of a tensor stands for; null for kNullTarget.
  void* address(int call, int slot, std::uint8_t binding);
  /// A workspace of that size for a stream's runs of a call.
  void* workspace(int stream, int call, std::uint64_t bytes);
  /// Memory of the stream that nothing else uses, and its size.
  void* idle_memory(int stream);
  static constexpr std::size_t kIdleBytes = std::size_t{2} << 20;
  /// The first tensor that the call writes, in that place, whole.
  struct Bytes {
    void* data;
    std::size_t size;
  };
  Bytes output(int call, int place);

  /// What an output holds now.
  ref::Dense read(int call, int place, int slot);
  /// Compares an output with its settled contents.
  Verdict check(int call, int place, int slot, const Contents& contents);
  /// Inputs and everything around all memory: nothing may have changed.
  Verdict check_surroundings();

 private:
  using Key = std::tuple<int, int, int>;
  struct Output {
    std::unique_ptr<Block> block;
    std::optional<Contents> checked;
  };

  const ref::Tensor& tensor(int call, int slot) const {
    return world_.calls[call].call.tensors[slot];
  }
  std::string name_of(int call, int place, int slot) const;
  const std::vector<ref::Dense>& inputs(int call, int set);
  Block& input(int call, int set, int slot);
  Output& output_of(int call, int place, int slot);
  /// Whether the profile lets the bits of the call's results differ from run to run.
  bool bits_vary(int call) const {
    return use_ != nullptr &&
           use_->terms(world_.calls[call].call).lets_depend(profiles::Dependence::runs) != nullptr;
  }
  Verdict check_values(int call, int slot, const Bindings& inputs, const ref::Dense& got,
                       const std::string& where);

  const World& world_;
  const Api& api_;
  profiles::Use* use_;
  std::map<std::pair<int, int>, std::vector<ref::Dense>> data_;
  std::map<Key, std::unique_ptr<Block>> inputs_;
  std::map<Key, Output> outputs_;
  std::map<std::pair<int, int>, std::unique_ptr<Block>> workspaces_;
  std::map<int, std::unique_ptr<Block>> idle_;
  /// Results that were compared with the reference once; the same bits have to come again.
  std::map<std::tuple<int, int, Bindings>, ref::Dense> known_;
};

}  // namespace gradproof::props
