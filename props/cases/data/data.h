// Turns a Case's data recipe into dense tensors, and a dense tensor into the storage of its view.
#pragma once

#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// Why a valid case's tensors cannot be filled and run, empty if they can: dense contents and
/// storages take at most `max_bytes` together, and no two inputs that are read share bytes. (An
/// invalid one may get any answer, but nothing overflows where its extents and storages are what a
/// valid call can have.)
std::string obstacle(const Case& c, std::int64_t max_bytes);
bool runnable(const Case& c, std::int64_t max_bytes);

/// Dense contents of the call's tensors by slot; written tensors stay empty. The call must be
/// valid; `self` of a gradient is filled only where the `indices` recipe needs it.
std::vector<ref::Dense> make_data(const Case& c);

/// Elements of a view whose address a later one has too, by their row-major positions: what is
/// written there is the later one's. Empty if there are none.
std::vector<bool> replaced_elements(const ref::Tensor& t);

/// Whether the call reads indices or a mask that are those of its forward, each in its window.
bool has_indices_in_windows(const Case& c);

/// Position in the storage, in elements from the data pointer, of every element of a view in
/// row-major order of its indices.
class ViewWalk {
 public:
  explicit ViewWalk(const ref::Tensor& t);
  std::int64_t count() const { return count_; }
  /// Calls f(row_major_position, storage_element) for each element.
  template <class F>
  void each(F&& f) const {
    std::vector<std::int64_t> at(shape_.size(), 0);
    std::int64_t where = offset_;
    for (std::int64_t i = 0; i < count_; ++i) {
      f(i, where);
      for (std::size_t axis = shape_.size(); axis-- > 0;) {
        // The stride of an axis of extent 1 may be any number: it is never added.
        if (++at[axis] < shape_[axis]) {
          where += strides_[axis];
          break;
        }
        where -= strides_[axis] * (shape_[axis] - 1);
        at[axis] = 0;
      }
    }
  }

 private:
  std::vector<std::int64_t> shape_, strides_;
  std::int64_t offset_ = 0, count_ = 1;
};

}  // namespace gradproof::props
