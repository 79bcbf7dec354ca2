// Collects the attacks on one valid case. attacks.cpp holds the table by rule.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "props/cases/generator.h"
#include "props/cases/shapes.h"

namespace gradproof::props {

inline constexpr std::int64_t kInt64Max = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kInt64Min = std::numeric_limits<std::int64_t>::min();

/// The types and formats that the attacks try: all that the headers name, and one that they do not.
inline constexpr std::int32_t kDtypes[] = {-1, 0,  1,  2,  3,  4,  6,  7,  8,  9, 10,
                                           11, 12, 13, 16, 17, 27, 29, 30, 33, 77};
inline constexpr std::int32_t kFormats[] = {-1, 0,  1,  2,  3,  4,  12, 16,
                                            27, 29, 30, 32, 33, 35, 47, 77};

class Attacker {
 public:
  /// As long as it lives, attacks are on that place in their argument.
  class At {
   public:
    template <class T>
    At(Attacker& a, T at) : a_(a), before_(a.at_) {
      a.at_ = static_cast<int>(at);
    }
    ~At() { a_.at_ = before_; }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    Attacker& a_;
    int before_;
  };

  explicit Attacker(const Case& valid) : valid_(valid) { valid_.misuse = Misuse::none; }

  ref::Operator op() const { return valid_.call.op; }
  const ref::Call& call() const { return valid_.call; }

  /// Attacks on one rule by an edit of the call; an edit that returns false makes none.
  template <class Edit>
  void add(const char* rule, std::string_view argument, std::string what, bool breaks,
           const Edit& edit) {
    Case attacked = valid_;
    if constexpr (std::is_void_v<decltype(edit(attacked.call))>)
      edit(attacked.call);
    else if (!edit(attacked.call))
      return;
    out_.push_back(
        {rule, std::string(argument), std::move(what), breaks, std::move(attacked), at_});
  }
  /// An edit after which only the rule **shape** decides: it breaks unless the tensors happen to
  /// fit.
  template <class Edit>
  void add_shape(std::string_view argument, std::string what, const Edit& edit) {
    Case attacked = valid_;
    edit(attacked.call);
    ref::Call fitting = attacked.call;
    bool fits = conform(fitting);
    for (std::size_t i = 0; i < fitting.tensors.size(); ++i) {
      fits = fits && fitting.tensors[i].shape == attacked.call.tensors[i].shape;
    }
    fits = fits && fitting.arrays == attacked.call.arrays;
    out_.push_back(
        {"shape", std::string(argument), std::move(what), !fits, std::move(attacked), at_});
  }

  std::vector<Attack> take() { return std::move(out_); }

 private:
  Case valid_;
  std::vector<Attack> out_;
  int at_ = Attack::kWhole;
};

/// "kernelSize[1] = 0"
std::string element_is(std::string_view argument, std::size_t i, std::int64_t value);
bool is_empty(const ref::Tensor& t);
/// Last position of the view in its storage, plus one.
std::int64_t needed_storage(const ref::Tensor& t);

/// Attacks on the elements of outputSize or inputSize, of which `least` is the smallest legal one.
void attack_sizes(Attacker& a, const char* argument, std::int64_t least);

// The rows of the table, in groups.
void attack_descriptors(Attacker& a);  ///< null-argument … rank
void attack_dims(Attacker& a);         ///< dim-value, index-range
void attack_arrays(Attacker& a);       ///< array-length … size-value
void attack_shapes(Attacker& a);       ///< shape
void attack_views(Attacker& a);        ///< view
void attack_overlap(Attacker& a);      ///< output-overlap
void attack_alias(Attacker& a);        ///< alias
void attack_fitting(Attacker& a);      ///< one rule, and all else fits what it would be without it

}  // namespace gradproof::props
