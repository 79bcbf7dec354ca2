// What the user chose: the product to stand for and the number of threads.
#pragma once

#include <cstdint>

namespace gradproof {

enum class Product : std::uint8_t { Ascend910, Ascend310P, Ascend910B, Ascend910_93 };

struct Config {
  Product product = Product::Ascend910B;
  int threads = 1;  ///< upper bound for one call, at least 1
};

/// The configuration in force: aclInit's file, else the environment, else the defaults. The first
/// call without aclInit reads the environment.
Config config() noexcept;
const char* name(Product product) noexcept;

}  // namespace gradproof
