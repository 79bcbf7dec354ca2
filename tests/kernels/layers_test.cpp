// The folders of opt/kernels are layers: the protocol, what all families share, and the families.
// Families do not include each other.
#include "tests/layers.h"

namespace gradproof {
namespace {

TEST(Layers, NothingIncludesWhatIsAboveIt) {
  expect_layers(GRADPROOF_KERNELS_FOLDER, "opt/kernels/",
                {{"", 0},
                 {"vector", 1},
                 {"index_pool", 2},
                 {"mask_pool", 2},
                 {"upsample", 2},
                 {"pad", 2},
                 {"forward", 2}},
                50, 200);
}

}  // namespace
}  // namespace gradproof
