// What a session holds; shared by the files that implement it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "props/cases/memory_layout.h"
#include "props/subject/invoke.h"
#include "props/subject/memory.h"
#include "props/subject/product.h"
#include "props/subject/session.h"

namespace gradproof::props {

struct Session::State {
  State(const Library& subject, const Treatment& how);
  ~State();

  bool select(ref::Product wanted, int wanted_threads, std::string_view wanted_set);
  void begin(std::optional<ref::Product> wanted, int wanted_threads, std::string_view wanted_set);
  /// The product that the library is. Throws InputError where nobody can tell.
  ref::Product told_product() const;
  std::int32_t init(std::optional<ref::Product> wanted, int wanted_threads,
                    std::string_view wanted_set);
  void start(std::int32_t status, const char* name) const;
  void shut_down();
  /// Makes the stream that phase 2 runs on, unless there is one.
  void make_stream();
  std::string recent_error() const;
  /// `*executor` is what a successful phase 1 handed out, else null.
  Phase1 phase1(const ref::Call& call, const Descriptors& descriptors, aclOpExecutor** executor);
  Phase1 phase1_alone(const ref::Call& call);
  /// Throws SubjectFailure.
  void perform(const Case& c, const std::vector<ref::Dense>& data, const Manner& manner,
               Outcome& outcome);

  const Treatment treatment;
  Conduct* conduct = nullptr;
  const Library& library;
  const Api& api;
  /// Kernels compute on the caller's memory. If a kit gives them copies, addresses say nothing
  /// about the caller's tensors.
  const bool on_given_memory;
  std::array<EntryPoints, ref::kOperatorCount> entries;
  bool initialised = false;
  bool fixed =
      false;  ///< the library stays the product that it is, whatever aclInit's file asks for
  ref::Product product = ref::Product::Ascend910B;
  std::optional<ref::Product> asked;  ///< of aclInit's file, last
  int threads = 0;
  std::string instruction_set;
  /// aclInit's files. They are kept: instruction sets and numbers of threads change often, and to
  /// make a file takes longer than a small call.
  std::map<std::tuple<std::optional<ref::Product>, int, std::string>, ConfigFile> files;
  std::optional<std::vector<std::string_view>> instruction_sets;  ///< nothing: not asked yet
  std::string told_set;  ///< the instruction set in force, as the library tells it
  const Kernels kernels{library};
  KernelUses uses;
  aclrtStream stream = nullptr;  ///< null until the first phase 2

  /// One block per allocation of a call; no operator has more than four tensors.
  std::array<Block, 4> blocks{Block(api), Block(api), Block(api), Block(api)};
  Block workspace{api};
  const Forbidden forbidden;  ///< behind the data pointers of calls that are never run
};

}  // namespace gradproof::props
