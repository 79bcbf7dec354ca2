// docs/kernels.md has the kernels of each gradient's table of kernels, in their order.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"

namespace gradproof {
namespace {

using Names = std::vector<std::string>;

template <class Table>
Names names_of(const Table& table) {
  Names names;
  for (const auto& kernel : table) names.emplace_back(kernel.name);
  return names;
}

/// The page's headings, each with what its tables have in backticks in their first column.
std::map<std::string, Names> documented() {
  std::ifstream page(GRADPROOF_KERNELS_PAGE);
  EXPECT_TRUE(page) << GRADPROOF_KERNELS_PAGE;
  std::map<std::string, Names> sections;
  std::string heading;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    if (line.starts_with("| `")) sections[heading].push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return sections;
}

TEST(Documented, KernelsOfEachTable) {
  const auto sections = documented();
  const auto kernels_of = [&](const char* heading) {
    const auto found = sections.find(heading);
    return found == sections.end() ? Names{} : found->second;
  };
  const Names pools = kernels_of("MaxPool3dWithArgmaxBackward, AdaptiveMaxPool3dBackward");
  EXPECT_EQ(pools, names_of(kernels::max_pool3d_with_argmax_backward()));
  Names adaptive = pools;
  std::erase(adaptive, "select pairs");
  EXPECT_EQ(adaptive, names_of(kernels::adaptive_max_pool3d_backward()));
  EXPECT_EQ(kernels_of("MaxPool2dWithMaskBackward"),
            names_of(kernels::max_pool2d_with_mask_backward()));
  EXPECT_EQ(kernels_of("UpsampleBilinear2dBackwardV2"),
            names_of(kernels::upsample_bilinear2d_backward()));
  EXPECT_EQ(kernels_of("ReplicationPad2dBackward"),
            names_of(kernels::replication_pad2d_backward()));
}

}  // namespace
}  // namespace gradproof
