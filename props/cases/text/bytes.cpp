// The fixed places of a Case's fields. Reading and writing walk the same list of fields, `visit`.
#include "props/cases/text/bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "props/cases/traits.h"

namespace gradproof::props {
namespace {

/// Takes fields from bytes, little-endian; zeros after their end.
class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class T>
  void number(T& value) {
    std::make_unsigned_t<T> bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i, ++at_) {
      if (at_ < bytes_.size())
        bits = static_cast<std::make_unsigned_t<T>>(
            bits | static_cast<std::make_unsigned_t<T>>(bytes_[at_]) << (8 * i));
    }
    value = static_cast<T>(bits);
  }
  /// A number below n, in one byte.
  void choice(std::uint8_t& value, std::size_t n) {
    number(value);
    value = static_cast<std::uint8_t>(value % n);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

class Writer {
 public:
  static constexpr bool kReads = false;
  Writer() { bytes_.reserve(kUsual); }

  template <class T>
  void number(T value) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(value);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_[at + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  void choice(std::uint8_t value, std::size_t) { bytes_.push_back(value); }

  std::vector<std::uint8_t> take() {
    while (!bytes_.empty() && bytes_.back() == 0) bytes_.pop_back();
    return std::move(bytes_);
  }

 private:
  static constexpr std::size_t kUsual = 2048;  // what a case of four tensors needs, and more
  std::vector<std::uint8_t> bytes_;
};

template <class Io, class Enum>
void enumerator(Io& io, Enum& value, std::size_t n) {
  auto number = static_cast<std::uint8_t>(value);
  io.choice(number, n);
  value = static_cast<Enum>(number);
}

template <class Io>
void real(Io& io, double& value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  io.number(bits);
  value = std::bit_cast<double>(bits);
}

/// `room` numbers, of which the first ones count: as many as a byte before them says, or `count`.
template <class Io>
void list(Io& io, std::vector<std::int64_t>& values, std::size_t room, const std::size_t* count) {
  auto length =
      static_cast<std::uint8_t>(std::min(count != nullptr ? *count : values.size(), room));
  std::array<std::int64_t, std::max(kBytesDimensions, kBytesArray)> places{};
  if constexpr (!Io::kReads)
    std::copy_n(values.begin(), std::min<std::size_t>(values.size(), length), places.begin());
  if (count == nullptr) io.choice(length, room + 1);
  for (std::size_t i = 0; i < room; ++i) io.number(places[i]);
  if constexpr (Io::kReads) values.assign(places.begin(), places.begin() + length);
}

/// One byte's bits.
template <class Io>
void bits(Io& io, std::initializer_list<bool*> flags) {
  std::uint8_t byte = 0;
  std::size_t i = 0;
  for (const bool* flag : flags) byte = static_cast<std::uint8_t>(byte | (*flag ? 1 : 0) << i++);
  io.number(byte);
  i = 0;
  for (bool* flag : flags) *flag = (byte >> i++ & 1) != 0;
}

/// Strides and storage that follow from the rest are left out, so that a changed extent takes them
/// along.
template <class Io>
void tensor(Io& io, ref::Tensor& t, std::size_t tensors) {
  bool strides = !Io::kReads && t.strides != ref::contiguous_strides(t.shape);
  bool storage = !Io::kReads && t.storage != default_storage(t);
  bits(io, {&t.null, &t.null_strides, &t.null_data, &strides, &storage});
  io.number(t.dtype);
  io.number(t.format);
  list(io, t.shape, kBytesDimensions, nullptr);
  const std::size_t rank = t.shape.size();
  std::vector<std::int64_t> listed = strides ? t.strides : std::vector<std::int64_t>{};
  list(io, listed, kBytesDimensions, &rank);
  io.number(t.offset);
  std::vector<std::int64_t> dims = storage ? t.storage : std::vector<std::int64_t>{};
  list(io, dims, kBytesDimensions, nullptr);
  auto shares = static_cast<std::uint8_t>(t.shares + 1);
  io.choice(shares, tensors + 1);
  io.number(t.shares_at);
  if constexpr (Io::kReads) {
    t.shares = shares - 1;
    t.strides = strides ? std::move(listed) : ref::contiguous_strides(t.shape);
    t.storage = storage ? std::move(dims) : default_storage(t);
    if (t.null) {
      t = {};
      t.null = true;
    }
  }
}

template <class Io>
void visit(Io& io, Case& c) {
  ref::Call& call = c.call;
  enumerator(io, call.product, ref::kProductCount);
  bits(io, {&call.null_workspace_size, &call.null_executor});
  for (std::uint8_t& flag : call.flags) io.number(flag);
  for (double& value : call.reals) real(io, value);
  for (ref::IntArray& array : call.arrays) {
    bits(io, {&array.null});
    list(io, array.values, kBytesArray, nullptr);
  }
  for (ref::Tensor& t : call.tensors) tensor(io, t, call.tensors.size());
  enumerator(io, c.misuse, static_cast<std::size_t>(Misuse::dead_stream) + 1);
  io.number(c.seed);
  for (std::size_t slot = 0; slot < c.fills.size(); ++slot) {
    Fill& fill = c.fills[slot];
    const Fill plain = default_fill(call.op, static_cast<int>(slot));
    auto kind = static_cast<std::uint8_t>(fill == plain ? 0 : static_cast<int>(fill.kind) + 1);
    if (kind == 0) fill = {{}, 0, 0};
    io.choice(kind, static_cast<std::size_t>(Fill::Kind::one_bad) + 2);
    real(io, fill.a);
    real(io, fill.b);
    if (kind == 0)
      fill = plain;
    else
      fill.kind = static_cast<Fill::Kind>(kind - 1);
  }
}

}  // namespace

Case from_bytes(std::span<const std::uint8_t> bytes, std::optional<ref::Operator> op) {
  Reader reader(bytes);
  std::uint8_t number = 0;
  reader.number(number);
  Case c = blank_case(op.value_or(operator_of_byte(number)));
  visit(reader, c);
  return c;
}

std::vector<std::uint8_t> to_bytes(Case c) {
  Writer writer;
  writer.number(static_cast<std::uint8_t>(c.call.op));
  visit(writer, c);
  return writer.take();
}

}  // namespace gradproof::props
