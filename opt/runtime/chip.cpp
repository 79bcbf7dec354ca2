// The chips of each product. Programs made for CANN compare these names with those they support.
#include "opt/runtime/chip.h"

#include <array>
#include <cstddef>

namespace gradproof {
namespace {

constexpr std::array<const char*, 4> kProductNames{"Ascend910", "Ascend310P", "Ascend910B",
                                                   "Ascend910_93"};

struct Chip {
  const char* name;
  Product product;
};

/// The first chip of a product is the usual one; the first of all is the default.
constexpr Chip kChips[] = {
    {"Ascend910B3", Product::Ascend910B},      {"Ascend910B1", Product::Ascend910B},
    {"Ascend910B2", Product::Ascend910B},      {"Ascend910B2C", Product::Ascend910B},
    {"Ascend910B4", Product::Ascend910B},      {"Ascend910B4-1", Product::Ascend910B},
    {"Ascend910A", Product::Ascend910},        {"Ascend910ProA", Product::Ascend910},
    {"Ascend910ProB", Product::Ascend910},     {"Ascend910PremiumA", Product::Ascend910},
    {"Ascend310P3", Product::Ascend310P},      {"Ascend310P1", Product::Ascend310P},
    {"Ascend310P2", Product::Ascend310P},      {"Ascend310P4", Product::Ascend310P},
    {"Ascend310P5", Product::Ascend310P},      {"Ascend310P7", Product::Ascend310P},
    {"Ascend910_9391", Product::Ascend910_93}, {"Ascend910_9392", Product::Ascend910_93},
    {"Ascend910_9381", Product::Ascend910_93}, {"Ascend910_9382", Product::Ascend910_93},
    {"Ascend910_9372", Product::Ascend910_93}, {"Ascend910_9362", Product::Ascend910_93},
    {"Ascend910_9363", Product::Ascend910_93},
};
constexpr std::size_t kCount = std::size(kChips);
static_assert(kCount <= 128, "the configuration's word has 7 bits for it");

}  // namespace

const char* name(Product product) noexcept {
  return kProductNames[static_cast<std::size_t>(product)];
}

const char* chip_name(std::uint8_t chip) noexcept { return kChips[chip].name; }
Product chip_product(std::uint8_t chip) noexcept { return kChips[chip].product; }

std::optional<std::uint8_t> find_chip(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (name == kChips[i].name || name == gradproof::name(kChips[i].product))
      return static_cast<std::uint8_t>(i);
  }
  return std::nullopt;
}

std::string known_chips() {
  std::string list;
  for (const char* product : kProductNames) {
    if (!list.empty()) list += ", ";
    list += product;
  }
  return list + ", and their chips, such as " + kChips[0].name;
}

}  // namespace gradproof
