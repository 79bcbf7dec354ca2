// Random cases over the whole contract: valid ones of every class, and ones that break one rule.
//
// A generator draws from a Source and from nothing else, so a seeded pseudo-random Source makes it
// reproducible, and a Source over a byte string makes every byte string a case.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// Where random decisions come from.
class Source {
 public:
  virtual ~Source() = default;
  /// A number in [0, n), n > 0.
  virtual std::uint64_t below(std::uint64_t n) = 0;
};

/// splitmix64: the same seed gives the same decisions on every machine.
class SeededSource final : public Source {
 public:
  explicit SeededSource(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) override;

 private:
  std::uint64_t state_;
};

/// Decisions read from bytes; zeros after the end.
class ByteSource final : public Source {
 public:
  explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint64_t below(std::uint64_t n) override;

 private:
  std::span<const std::uint8_t> bytes_;
};

/// One cell of operator × product × dtype × rank × format that the contract allows.
struct Cell {
  ref::Operator op;
  ref::Product product;
  std::int32_t dtype;
  int rank;
  std::int32_t format;

  friend bool operator==(const Cell&, const Cell&) = default;
};
/// Every allowed cell of an operator, in a fixed order.
std::vector<Cell> cells(ref::Operator op);

/// How large generated tensors get.
struct Limits {
  std::int64_t max_elements = 4096;  ///< of the largest tensor; from 2^20 on images are large
  bool long_axis = false;  ///< one axis longer than 16 bits count, where max_elements allows it
  int layer = -1;          ///< of images that are large: this one of layers.h, if any
};

/// A valid case of that cell. Axis values differ pairwise by default; the degenerate ones (extent
/// 1, equal axes, exact division, overlap, window larger than the input, empty, strided, offset,
/// transposed, broadcast, short int arrays …) come up as labelled classes.
Case generate_valid(Source& source, const Cell& cell, const Limits& limits = {});

/// Labels of the classes that a valid case belongs to ("ceil", "overlap", "strided-output", …).
std::vector<std::string> classes(const Case& c);
/// Every label that `classes` can give for an operator: what a coverage report must show.
std::vector<std::string> all_classes(ref::Operator op);

/// A valid case, mutated at the border of one rule.
struct Mutation {
  std::string rule;      ///< rule id
  std::string argument;  ///< parameter that is changed
  std::string what;      ///< "kernelSize[1] = 0"
  bool breaks;           ///< true: just outside, the rule must be the first one broken;
                         ///< false: just inside, the call must stay valid
  Case mutated;
  static constexpr int kWhole = std::numeric_limits<int>::min();
  /// Where in the argument: the dimension or array element; the value that all tensors get (dtype,
  /// format, rank), an array's length, the slot of the tensor whose memory is shared; else kWhole.
  int at = kWhole;
};
/// All boundary cases that can be made of a valid case, on both sides of every border, for every
/// rule, argument, axis and array element that the rule speaks about.
std::vector<Mutation> mutations(const Case& valid);
/// The boundary cases of another valid case at the same border as `model` and from the same side;
/// at the same place in the argument where that has the place, else anywhere.
std::vector<Mutation> mutations_like(const Mutation& model, const Case& valid);

/// Simpler variants of a failing case, simplest first: fewer and smaller axes, plain layout,
/// integer data, default parameters. Every variant of a valid case is valid, and asks for no
/// promise (promises.h) that the case does not ask for; the rest is kept if it still breaks the
/// same rule.
std::vector<Case> simpler(const Case& c);

}  // namespace gradproof::props
