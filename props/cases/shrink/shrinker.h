// What a shrinker offers: variants of a case that are simpler than it and break the same rule or
// none.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "props/cases/case.h"
#include "ref/rules.h"

namespace gradproof::props {

/// How complicated a case is: naturals compared in order. Most important first: the sequence of
/// commands, if there is one; the forward input's axes longer than 1 and their size, parameters,
/// the other shapes (a smaller window leaves a larger output), layout, data, type and product,
/// seed.
using Weight = std::array<std::uint64_t, 9>;
Weight weight(const Case& c);

class Shrinker {
 public:
  explicit Shrinker(const Case& c);

  /// Offers an edit of the case; one that returns false is none.
  template <class Edit>
  void add(const Edit& edit) {
    Case variant = from_;
    if constexpr (std::is_void_v<decltype(edit(variant))>)
      edit(variant);
    else if (!edit(variant))
      return;
    offer(std::move(variant));
  }
  /// An edit of a call that may need its shapes to follow, and may be invalid on purpose: both
  /// ways, and where the shapes follow also with the layouts that the tensors had.
  template <class Edit>
  void add_both(const Edit& edit) {
    add([&](Case& c) { edit(c.call); });
    const auto follow = [&](Case& c) { return edit(c.call), follows(c.call); };
    add(follow);
    if (laid_out_) add([&](Case& c) { return follow(c) && keep_layouts(c.call); });
  }

  /// The variants, simplest first.
  std::vector<Case> take();

 private:
  void offer(Case variant);
  void refit_scales(ref::Call& call) const;
  static bool follows(ref::Call& call);
  bool keep_layouts(ref::Call& call) const;

  const Case& from_;
  Weight weight_;
  const ref::Rule* rule_;
  std::vector<std::string_view> asked_;  ///< promises; no variant asks for others
  bool laid_out_;  ///< some tensor is no contiguous view of the whole of its storage
  std::vector<std::pair<Weight, Case>> found_;
};

}  // namespace gradproof::props
