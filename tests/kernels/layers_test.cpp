// The folders of opt/kernels are layers: the protocol, what all families share, and the families. A
// file includes its own layer and those below; families do not include each other.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace gradproof {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, int> kLayers = {{"", 0},          {"vector", 1},   {"index_pool", 2},
                                            {"mask_pool", 2}, {"upsample", 2}, {"pad", 2},
                                            {"forward", 2}};

TEST(Layers, NothingIncludesWhatIsAboveIt) {
  const fs::path root = GRADPROOF_KERNELS_FOLDER;
  constexpr std::string_view kInclude = "#include \"opt/kernels/";
  int files = 0, includes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path path = fs::relative(entry.path(), root);
    if (path.extension() != ".h" && path.extension() != ".cpp") continue;
    ++files;
    const std::string from = path.parent_path().string();
    ASSERT_TRUE(kLayers.contains(from)) << path << ": a folder without a layer";
    std::ifstream source(entry.path());
    for (std::string line; std::getline(source, line);) {
      if (!line.starts_with(kInclude)) continue;
      ++includes;
      const fs::path included = line.substr(kInclude.size(), line.rfind('"') - kInclude.size());
      const std::string to = included.parent_path().string();
      ASSERT_TRUE(kLayers.contains(to)) << path << " includes " << included;
      EXPECT_TRUE(to == from || kLayers.at(to) < kLayers.at(from))
          << path << " includes " << included << ", which is not below it";
    }
  }
  EXPECT_GT(files, 50);
  EXPECT_GT(includes, 200);
}

}  // namespace
}  // namespace gradproof
