// Copies between dense order and strided views.
#include "props/subject/scatter.h"

#include <algorithm>
#include <cstring>

#include "props/cases/data/data.h"
#include "props/cases/memory_layout.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// Calls copy(row_major_byte, storage_byte) for every element, with a size known when compiled.
template <std::size_t kSize, class Copy>
void each_element(const ref::Tensor& view, const Copy& copy) {
  ViewWalk(view).each([&](std::int64_t i, std::int64_t where) {
    copy(static_cast<std::ptrdiff_t>(i * static_cast<std::int64_t>(kSize)),
         static_cast<std::ptrdiff_t>(where * static_cast<std::int64_t>(kSize)), kSize);
  });
}

template <class Copy>
void walk(const ref::Tensor& view, const Copy& copy) {
  const std::int64_t size = ref::dtype_size(view.dtype);
  const std::int64_t count = element_count(view);
  if (count == 0) return;
  if (is_dense(view)) {
    copy(std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(view.offset * size),
         static_cast<std::size_t>(count * size));
    return;
  }
  switch (size) {
    case 1: return each_element<1>(view, copy);
    case 2: return each_element<2>(view, copy);
    case 4: return each_element<4>(view, copy);
    case 8: return each_element<8>(view, copy);
    default: return each_element<16>(view, copy);
  }
}

}  // namespace

void scatter(const ref::Tensor& view, const std::byte* dense, std::byte* storage) {
  walk(view, [&](std::ptrdiff_t i, std::ptrdiff_t where, std::size_t bytes) {
    std::memcpy(storage + where, dense + i, bytes);
  });
}

ref::Dense gather(const ref::Tensor& view, const std::byte* storage) {
  ref::Dense dense{view.dtype, view.shape, {}};
  dense.bytes.resize(static_cast<std::size_t>(element_count(view) * ref::dtype_size(view.dtype)));
  walk(view, [&](std::ptrdiff_t i, std::ptrdiff_t where, std::size_t bytes) {
    std::memcpy(dense.bytes.data() + i, storage + where, bytes);
  });
  return dense;
}

void repeat(const std::vector<std::byte>& element, std::byte* to, std::int64_t bytes) {
  std::int64_t done = std::min(bytes, static_cast<std::int64_t>(element.size()));
  std::copy_n(element.begin(), done, to);
  for (std::int64_t part; done < bytes; done += part) {  // twice as much each time
    part = std::min(done, bytes - done);
    std::copy_n(to, part, to + done);
  }
}

}  // namespace gradproof::props
