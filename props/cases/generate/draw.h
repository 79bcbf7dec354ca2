// Random choices over a Source. A Source that answers 0 to everything draws the plainest case.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "props/cases/case.h"
#include "props/cases/generate/source.h"

namespace gradproof::props {

class Draw {
 public:
  explicit Draw(Source& source) : source_(source) {}
  std::uint64_t below(std::uint64_t n) { return source_.below(n); }
  /// True n times out of d.
  bool chance(std::uint64_t n, std::uint64_t d) { return source_.below(d) >= d - n; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(source_.below(static_cast<std::uint64_t>(most - least) + 1));
  }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[source_.below(values.size())];
  }
  /// `count` numbers of [least, most], no two of them equal; the range must have as many.
  std::vector<std::int64_t> distinct(std::size_t count, std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> pool;
    pool.reserve(static_cast<std::size_t>(most - least) + 1);
    for (std::int64_t v = least; v <= most; ++v) pool.push_back(v);
    for (std::size_t i = 0; i < count; ++i)
      std::swap(pool[i], pool[i + source_.below(pool.size() - i)]);
    pool.resize(count);
    return pool;
  }
  /// A number below n for each of `count`: in half of the draws `common` for all.
  std::vector<std::uint64_t> each_below(std::uint64_t n, std::size_t count, std::uint64_t common) {
    std::vector<std::uint64_t> numbers(count, common);
    if (!chance(1, 2)) return numbers;
    for (std::uint64_t& number : numbers) number = below(n);
    return numbers;
  }

 private:
  Source& source_;
};

}  // namespace gradproof::props
