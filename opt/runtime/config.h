// What the user chose: the product to stand for and the number of threads.
#pragma once

#include <cstdint>

#include "opt/base/status.h"

namespace gradproof {

enum class Product : std::uint8_t { Ascend910, Ascend310P, Ascend910B, Ascend910_93 };

struct Config {
  Product product = Product::Ascend910B;
  int threads = 1;  ///< upper bound for one call, at least 1
};

/// The configuration in force: aclInit's file, else the environment, else the defaults. The first
/// call without aclInit reads the environment; a bad value there counts as unset and makes
/// `config_status` a failure.
Config config() noexcept;
/// What was wrong with the environment if it was read without aclInit: ACLNN_ERR_RUNTIME_ERROR.
/// `hand_out` asks this, so that no operator runs as a product that nobody chose.
Status config_status();

const char* name(Product product) noexcept;

}  // namespace gradproof
