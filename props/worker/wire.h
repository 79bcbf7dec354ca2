// The bytes in which the suite and its worker process talk about cases and verdicts.
//
// One `pass` a type names its members for writing and reading both; a member that is forgotten does
// not compile. Both ends are the same program, so nothing is said about versions or byte order.
// What the worker sends may still be garbage, for the library shares its memory: readers check
// lengths.
#pragma once

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "props/judge/verdict.h"
#include "props/profiles/use.h"
#include "props/worker/examiner.h"

namespace gradproof::props {

/// A message that ends too early or is too long.
struct Garbled : std::runtime_error {
  Garbled() : std::runtime_error("a garbled message") {}
};

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T, class Wanted>
concept Either = std::is_same_v<std::remove_const_t<T>, Wanted>;

template <class Archive, Either<ref::Tensor> T>
void pass(Archive& archive, T& value) {
  auto& [null, dtype, format, shape, strides, null_strides, offset, storage, null_data, shares,
         shares_at] = value;
  archive(null, dtype, format, shape, strides, null_strides, offset, storage, null_data, shares,
          shares_at);
}

template <class Archive, Either<ref::IntArray> T>
void pass(Archive& archive, T& value) {
  auto& [null, values] = value;
  archive(null, values);
}

template <class Archive, Either<ref::Call> T>
void pass(Archive& archive, T& value) {
  auto& [op, product, tensors, arrays, flags, reals, null_workspace_size, null_executor] = value;
  archive(op, product, tensors, arrays, flags, reals, null_workspace_size, null_executor);
}

template <class Archive, Either<Fill> T>
void pass(Archive& archive, T& value) {
  auto& [kind, a, b] = value;
  archive(kind, a, b);
}

template <class Archive, Either<Command> T>
void pass(Archive& archive, T& value) {
  auto& [action, with] = value;
  archive(action);
  for (auto& operand : with) archive(operand);
}

template <class Archive, Either<Case> T>
void pass(Archive& archive, T& value) {
  auto& [call, fills, seed, misuse, sequence] = value;
  archive(call, fills, seed, misuse, sequence);
}

template <class Archive, Either<Verdict> T>
void pass(Archive& archive, T& value) {
  auto& [held, checked, finding, worst_fraction, kind, look, symptom] = value;
  archive(held, checked, finding, worst_fraction, kind, look, symptom);
}

template <class Archive, Either<Provision::Provided> T>
void pass(Archive& archive, T& value) {
  auto& [op, file] = value;
  archive(op, file);
}

template <class Archive, Either<Provision> T>
void pass(Archive& archive, T& value) {
  auto& [runtime, other_runtime, conformance, validation, tensors, host_memory, names_product,
         sets_float_mode, operators, of_dependencies] = value;
  archive(runtime, other_runtime, conformance, validation, tensors, host_memory, names_product,
          sets_float_mode, operators, of_dependencies);
}

template <class Archive, Either<profiles::Notes> T>
void pass(Archive& archive, T& value) {
  auto& [met, contradicted, unused] = value;
  archive(met, contradicted, unused);
}

template <class Archive, Either<KernelUse> T>
void pass(Archive& archive, T& value) {
  auto& [op, kernel, dtype, instruction_set, compared] = value;
  archive(op, kernel, dtype, instruction_set, compared);
}

template <class Archive, Either<Choices> T>
void pass(Archive& archive, T& value) {
  auto& [kernels, instruction_sets] = value;
  archive(kernels, instruction_sets);
}

template <class Archive, Either<ref::Dense> T>
void pass(Archive& archive, T& value) {
  auto& [dtype, shape, bytes] = value;
  archive(dtype, shape, bytes);
}

class Writer {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void raw(const void* from, std::size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(from), size);
  }
  template <Plain T>
  void put(const T& value) {
    raw(&value, sizeof value);
  }
  void put(const std::string& text) {
    put(text.size());
    raw(text.data(), text.size());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    if constexpr (Plain<T>)
      raw(values.data(), values.size() * sizeof(T));
    else
      for (const T& value : values) put(value);
  }
  template <class K, class V>
  void put(const std::map<K, V>& values) {
    put(values.size());
    for (const auto& [key, value] : values) (*this)(key, value);
  }
  template <class T>
  void put(const T& value) {
    pass(*this, value);
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  template <class T>
  T take() {
    T value{};
    get(value);
    return value;
  }

 private:
  void raw(void* to, std::size_t size) {
    if (size > bytes_.size()) throw Garbled();
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  /// A number of things of at least `size` bytes each.
  std::size_t count(std::size_t size) {
    std::size_t n = 0;
    raw(&n, sizeof n);
    if (n > bytes_.size() / size) throw Garbled();
    return n;
  }
  template <Plain T>
  void get(T& value) {
    raw(&value, sizeof value);
  }
  void get(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(count(Plain<T> ? sizeof(T) : 1));
    if constexpr (Plain<T>)
      raw(values.data(), values.size() * sizeof(T));
    else
      for (T& value : values) get(value);
  }
  template <class K, class V>
  void get(std::map<K, V>& values) {
    for (std::size_t left = count(1); left > 0; --left) {
      const K key = take<K>();
      get(values[key]);
    }
  }
  template <class T>
  void get(T& value) {
    pass(*this, value);
  }

  std::string_view bytes_;
};

}  // namespace gradproof::props
