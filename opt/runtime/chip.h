// Names of processors: a chip (Ascend910B3), as hardware reports it, or its series (Ascend910B).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "opt/runtime/config.h"

namespace gradproof {

/// The name of the chip with that number (Config::chip).
const char* chip_name(std::uint8_t chip) noexcept;
/// The product that it belongs to.
Product chip_product(std::uint8_t chip) noexcept;
/// The number of the chip of that name ("Ascend910B2"), or of the usual chip of that series
/// ("Ascend910B"). Nothing if there is none.
std::optional<std::uint8_t> find_chip(std::string_view name) noexcept;
/// "Ascend910, Ascend310P, … and their chips, such as Ascend910B3", for messages.
std::string known_chips();

}  // namespace gradproof
