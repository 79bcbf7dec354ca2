// A case as a program of its own: what `gradproof emit` writes.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/cases/memory_layout.h"

namespace gradproof::cli {

/// One output's right results, component by component in row-major order.
struct EmittedOutput {
  int slot = 0;
  std::vector<double> exact, low, high;
  /// What is right besides, because sums may overflow: 1 for -Inf, 2 for +Inf, 4 for NaN.
  std::vector<int> also;
};

/// What a program needs to know of a case.
struct Emitted {
  props::Case test;
  std::string line;         ///< the case as text
  std::int32_t phase1 = 0;  ///< the status that is due
  std::string rule;         ///< that is broken, and how; empty: none
  bool runs = false;        ///< phase 2 is called
  std::int32_t sync = 0;    ///< the status that is due
  props::Layout layout;
  std::vector<std::vector<double>> values;  ///< by slot, of tensors that are read; components count
  std::vector<EmittedOutput> outputs;
};

/// What is due by the profile; "": as documented. Throws InputError if the case is no single call
/// or too large to be read as a program, or the profile leaves open what is right.
Emitted emitted(const std::string& line, const std::string& profile_word);
/// "{1, 2}", or "[1, 2]" for Python, wrapped behind `indent` blanks.
std::string numbers(const std::vector<double>& values, bool python, std::size_t indent);

void print_cpp(std::ostream& out, const Emitted& e);
void print_python(std::ostream& out, const Emitted& e);

}  // namespace gradproof::cli
