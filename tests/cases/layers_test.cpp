// The folders of props are layers, and so are those of props/cases: none depends on itself through
// another.
#include "tests/layers.h"

namespace gradproof {
namespace {

TEST(Layers, NothingInPropsIncludesWhatIsAboveIt) {
  // What a case is; how one is done; what must hold; who tries it, tells of it, and asks for it.
  expect_layers(GRADPROOF_SOURCE_DIR "/props", "props/",
                {{"cases", 0},
                 {"cases/data", 1},
                 {"cases/describe", 1},
                 {"cases/text", 1},
                 {"cases/generate", 2},
                 {"cases/mutate", 2},
                 {"cases/shrink", 3},
                 {"cases/families", 4},
                 {"subject", 5},
                 {"profiles", 5},
                 {"judge", 6},
                 {"testing", 7},
                 {"sequences", 7},
                 {"services", 8},
                 {"properties", 9},
                 {"worker", 10},
                 {"report", 10},
                 {"campaign", 11},
                 {"cli", 12}},
                250, 700);
}

}  // namespace
}  // namespace gradproof
