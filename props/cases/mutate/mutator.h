// Collects the boundary cases of one valid case. mutations.cpp holds the table by rule.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/shapes.h"

namespace gradproof::props {

inline constexpr std::int64_t kInt64Max = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kInt64Min = std::numeric_limits<std::int64_t>::min();

/// The types and formats that are tried: all that the headers name, and one that they do not.
inline constexpr std::int32_t kDtypes[] = {-1, 0,  1,  2,  3,  4,  6,  7,  8,  9, 10,
                                           11, 12, 13, 16, 17, 27, 29, 30, 33, 77};
inline constexpr std::int32_t kFormats[] = {-1, 0,  1,  2,  3,  4,  12, 16,
                                            27, 29, 30, 32, 33, 35, 47, 77};

class Mutator {
 public:
  /// While it lives, mutations are at that place in their argument.
  class At {
   public:
    template <class T>
    At(Mutator& a, T at) : a_(a), before_(a.at_) {
      a.at_ = static_cast<int>(at);
    }
    ~At() { a_.at_ = before_; }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    Mutator& a_;
    int before_;
  };

  explicit Mutator(const Case& valid) : valid_(valid) { valid_.misuse = Misuse::none; }

  ref::Operator op() const { return valid_.call.op; }
  const ref::Call& call() const { return valid_.call; }

  /// A boundary case of one rule by an edit of the call; none if the edit returns false.
  template <class Edit>
  void add(const char* rule, std::string_view argument, std::string what, bool breaks,
           const Edit& edit) {
    Case mutated = valid_;
    if constexpr (std::is_void_v<decltype(edit(mutated.call))>)
      edit(mutated.call);
    else if (!edit(mutated.call))
      return;
    out_.push_back({rule, std::string(argument), std::move(what), breaks, std::move(mutated), at_});
  }
  /// An edit after which only the rule **shape** decides: it breaks unless the tensors happen to
  /// fit.
  template <class Edit>
  void add_shape(std::string_view argument, std::string what, const Edit& edit) {
    Case mutated = valid_;
    edit(mutated.call);
    ref::Call fitting = mutated.call;
    bool fits = conform(fitting);
    for (std::size_t i = 0; i < fitting.tensors.size(); ++i) {
      fits = fits && fitting.tensors[i].shape == mutated.call.tensors[i].shape;
    }
    fits = fits && fitting.arrays == mutated.call.arrays;
    out_.push_back(
        {"shape", std::string(argument), std::move(what), !fits, std::move(mutated), at_});
  }

  std::vector<Mutation> take() { return std::move(out_); }

 private:
  Case valid_;
  std::vector<Mutation> out_;
  int at_ = Mutation::kWhole;
};

/// "kernelSize[1] = 0"
std::string element_is(std::string_view argument, std::size_t i, std::int64_t value);
bool is_empty(const ref::Tensor& t);
/// Last position of the view in its storage, plus one.
std::int64_t needed_storage(const ref::Tensor& t);

/// Mutates the elements of outputSize or inputSize, of which `least` is the smallest legal one.
void mutate_sizes(Mutator& a, const char* argument, std::int64_t least);

// The rows of the table, in groups.
void mutate_descriptors(Mutator& a);  ///< null-argument … rank
void mutate_dims(Mutator& a);         ///< dim-value, index-range
void mutate_arrays(Mutator& a);       ///< array-length … size-value
void mutate_shapes(Mutator& a);       ///< shape
void mutate_views(Mutator& a);        ///< view
void mutate_overlap(Mutator& a);      ///< output-overlap
void mutate_alias(Mutator& a);        ///< alias
void mutate_fitting(Mutator& a);      ///< one rule, and all else fits what it would be without it

}  // namespace gradproof::props
