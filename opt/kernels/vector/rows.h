// Rows of a strided view, and the loops over them that all row-wise kernels are made of.
//
// A row is `count` positions, `stride` scalars apart, each of `lanes` scalars side by side (the two
// components of a complex number, the channels of a channel-last view). Sums are kept densely:
// scalar `lane` of position `j` at j·lanes + lane. Every loop has a flat form for rows without
// gaps, which the compiler vectorises; per scalar all forms do the same arithmetic in the same
// order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opt/kernels/machine.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/scalar.h"

namespace gradproof::kernels {

template <class Scalar>
struct Row {
  Scalar* data;
  std::int64_t count, stride, lanes;

  Scalar* at(std::int64_t position) const { return data + position * stride; }
  /// `n` positions from `position` on.
  Row part(std::int64_t position, std::int64_t n) const { return {at(position), n, stride, lanes}; }
};

/// f(scalar, i) for every scalar of the row, i its place in a dense row.
template <class Scalar, class F>
inline void for_each_scalar(const Row<Scalar>& row, const F& f) {
  Scalar* data = row.data;
  if (row.stride == row.lanes || row.count == 1) {
    const std::int64_t n = row.count * row.lanes;
    for (std::int64_t i = 0; i < n; ++i) f(data[i], i);
  } else if (row.lanes == 1) {
    for (std::int64_t i = 0; i < row.count; ++i) f(data[i * row.stride], i);
  } else {
    for (std::int64_t j = 0; j < row.count; ++j) {
      for (std::int64_t lane = 0; lane < row.lanes; ++lane) {
        f(data[j * row.stride + lane], j * row.lanes + lane);
      }
    }
  }
}

template <class Scalar, class Sum>
void load_row(Sum* sums, const Row<const Scalar>& row) {
  for_each_scalar(row, [=](const Scalar& x, std::int64_t i) { sums[i] = widen(x); });
}

template <class Scalar, class Sum>
void add_row(Sum* sums, const Row<const Scalar>& row) {
  for_each_scalar(row, [=](const Scalar& x, std::int64_t i) { sums[i] += widen(x); });
}

template <class Scalar, class Sum>
void load_row_scaled(Sum* sums, Sum weight, const Row<const Scalar>& row) {
  for_each_scalar(
      row, [=](const Scalar& x, std::int64_t i) { sums[i] = weight * static_cast<Sum>(widen(x)); });
}

template <class Scalar, class Sum>
void add_row_scaled(Sum* sums, Sum weight, const Row<const Scalar>& row) {
  for_each_scalar(row, [=](const Scalar& x, std::int64_t i) {
    sums[i] += weight * static_cast<Sum>(widen(x));
  });
}

template <class Scalar, class Sum>
void store_row(const Row<Scalar>& row, const Sum* sums) {
  for_each_scalar(row, [=](Scalar& x, std::int64_t i) { narrow(sums[i], x); });
}

template <class Scalar>
void zero_row(const Row<Scalar>& row) {
  for_each_scalar(row, [](Scalar& x, std::int64_t) { x = Scalar{}; });
}

/// Bit for bit; both rows have the same count and lanes.
template <class Scalar>
void copy_row(const Row<Scalar>& to, const Row<const Scalar>& from) {
  if (from.stride == from.lanes && to.stride == to.lanes) {
    std::copy_n(from.data, to.count * to.lanes, to.data);  // memmove
  } else if (from.stride == from.lanes) {
    for_each_scalar(to, [source = from.data](Scalar& x, std::int64_t i) { x = source[i]; });
  } else if (to.lanes == 1) {
#pragma GCC unroll 8  // or the counting takes as long as the copying, in 16 bits
    for (std::int64_t j = 0; j < to.count; ++j) *to.at(j) = *from.at(j);
  } else {
    for (std::int64_t j = 0; j < to.count; ++j) {
      for (std::int64_t lane = 0; lane < to.lanes; ++lane) to.at(j)[lane] = from.at(j)[lane];
    }
  }
}

/// Prefetches what is kPrefetchAhead behind a row whose gaps are shorter than a cache line: the
/// processor's own prefetcher stops at the end of a page.
template <class Scalar>
void prefetch_behind(const Row<Scalar>& row) {
  constexpr std::int64_t kStep = kLine, kBytes = sizeof(Scalar);
  if (row.stride > kStep / kBytes) return;
  const auto* ahead = reinterpret_cast<const char*>(row.data) + kPrefetchAhead;
  const std::int64_t bytes = row.count * row.stride * kBytes;
  for (std::int64_t i = 0; i < bytes; i += kStep) prefetch(ahead + i);
}

}  // namespace gradproof::kernels
