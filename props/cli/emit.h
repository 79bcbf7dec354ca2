// A case as a stand-alone program: what `gradproof emit` writes.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/cases/memory_layout.h"

namespace gradproof::cli {

/// Correct results of one output, by component in row-major order.
struct EmittedOutput {
  int slot = 0;
  std::vector<double> exact, low, high;
  /// Also correct, because sums may overflow: 1 for -Inf, 2 for +Inf, 4 for NaN.
  std::vector<int> also;
};

/// What the program needs to know about a case.
struct Emitted {
  props::Case test;
  std::string line;         ///< the case as text
  std::int32_t phase1 = 0;  ///< expected status
  std::string rule;         ///< broken rule, and how it is broken; empty: none
  bool runs = false;        ///< phase 2 is called
  std::int32_t sync = 0;    ///< expected status of aclrtSynchronizeStream
  props::Layout layout;
  std::vector<std::vector<double>> values;  ///< by slot, of tensors that are read; components count
  std::vector<EmittedOutput> outputs;
};

/// What is due by the profile; "": as documented. Throws InputError if the case is not a single
/// call or too large for a readable program, or the profile leaves open what is right.
Emitted emitted(const std::string& line, const std::string& profile_word);
/// "{1, 2}", or "[1, 2]" for Python; further lines are indented by `indent` blanks.
std::string numbers(const std::vector<double>& values, bool python, std::size_t indent);

/// The text as a string literal of C++ or Python.
std::string quoted_text(const std::string& text);

/// "self, gradInput": the tensors whose memory is in that block.
std::string tensors_of_block(const Emitted& e, int block);

void print_cpp(std::ostream& out, const Emitted& e);
void print_python(std::ostream& out, const Emitted& e);

}  // namespace gradproof::cli
