// Which cases an entry of a profile or of a list of known findings is about.
//
// Every member that a file gives must hold; one that it leaves out holds always.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/profiles/expression.h"
#include "props/profiles/json_lines.h"
#include "ref/rules.h"

namespace gradproof::profiles {

/// How a tensor that is read or written lies in its storage.
enum class Shape : std::uint8_t { contiguous, offset, strided, broadcast };
inline constexpr std::string_view kLayouts[] = {"contiguous", "offset", "strided", "broadcast"};

/// What the data of a tensor that is read holds somewhere.
enum class Datum : std::uint8_t { nan, infinity, minus_infinity, subnormal };
inline constexpr std::string_view kData[] = {"NaN", "Inf", "-Inf", "subnormal"};

struct Predicate {
  std::vector<ref::Operator> operators;
  std::vector<ref::Product> products;
  std::vector<std::string> rules;      ///< the first one broken; "none": the call is valid
  std::vector<std::string> arguments;  ///< that the broken rule names
  std::vector<std::int32_t> dtypes;    ///< of the first tensor
  std::vector<std::int32_t> formats;   ///< of any tensor
  std::vector<std::int64_t> ranks;     ///< of any tensor
  std::vector<Shape> layouts;          ///< of any tensor that is read or written
  std::vector<Datum> data;             ///< of any tensor that is read, in valid calls that are run
  std::vector<props::Misuse> misuses;
  std::optional<Expression> condition;

  /// @param data  of the case's tensors by slot if they have been made; without them a predicate on
  /// data does not hold
  /// @param broken  the rule that counts as broken; null: the first one that the call breaks
  bool holds(const ref::Call& call, props::Misuse misuse = props::Misuse::none,
             const std::vector<ref::Dense>* data = nullptr,
             const ref::Expectation* broken = nullptr) const;
  /// That some case may match both: false only where a member of both lists has nothing in common.
  bool may_meet(const Predicate& other) const;
};

/// From the member `when` of an entry. Throws InputError.
Predicate parse_predicate(const Value& object, const std::string& file);
/// As such a member is written, for files that the suite writes.
std::string to_json(const Predicate& predicate);

}  // namespace gradproof::profiles
