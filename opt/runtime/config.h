// What the user chose: the product to stand for, threads, instruction set, what is to be told.
#pragma once

#include <cstdint>

#include "opt/base/instruction_set.h"
#include "opt/base/status.h"

namespace gradproof {

enum class Product : std::uint8_t { Ascend910, Ascend310P, Ascend910B, Ascend910_93 };

/// Whose answers the library gives: those of the operators' documents, or CANN's where it differs
/// (docs/conformance.md).
enum class Conformance : std::uint8_t { documented, cann };

/// What goes to stderr: nothing, each operator's run, or each piece of work.
enum class LogLevel : std::uint8_t { off, info, debug };

struct Config {
  Product product = Product::Ascend910B;
  int threads = 1;  ///< upper bound for one call, at least 1
  InstructionSet instruction_set = InstructionSet::scalar;  ///< an available one
  LogLevel log = LogLevel::off;
  bool strict = false;          ///< strict device mode
  const char* trace = nullptr;  ///< the trace file's name, kept for ever; null: none
  Conformance conformance = Conformance::documented;
  std::uint8_t chip = 0;    ///< the product's chip, by its number in chip.cpp; 0 is the default
  bool statistics = false;  ///< whether the time of runs is counted
  std::uint32_t queue_limit = 65536;  ///< tasks that may wait in one stream

  bool observes() const { return log != LogLevel::off || trace != nullptr; }
};

/// The configuration in force. Of each option: what the program chose, else aclInit's file, else
/// the environment, else the default. The first call without aclInit reads the environment; a bad
/// value there counts as unset and makes `config_status` a failure.
Config config() noexcept;
/// What was wrong with the environment if it was read without aclInit: ACLNN_ERR_RUNTIME_ERROR.
/// `hand_out` asks this, so that no operator runs as a product that nobody chose. Throws
/// std::bad_alloc where there was no memory to read it.
Status config_status();

const char* name(Product product) noexcept;
const char* name(Conformance conformance) noexcept;

}  // namespace gradproof
