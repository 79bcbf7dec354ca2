// Holds the folders of a directory to their layers: a file includes its own folder and those of
// lower layers.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace gradproof {

/// `prefix` begins the includes that count: "opt/kernels/". Folders of one layer do not include
/// each other.
inline void expect_layers(const std::filesystem::path& root, const std::string& prefix,
                          const std::map<std::string, int>& layers, int least_files,
                          int least_includes) {
  const std::string start = "#include \"" + prefix;
  int files = 0, includes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::filesystem::path path = std::filesystem::relative(entry.path(), root);
    if (path.extension() != ".h" && path.extension() != ".cpp") continue;
    ++files;
    const std::string from = path.parent_path().string();
    ASSERT_TRUE(layers.contains(from)) << path << ": a folder without a layer";
    std::ifstream source(entry.path());
    for (std::string line; std::getline(source, line);) {
      if (!line.starts_with(start)) continue;
      ++includes;
      const std::filesystem::path included =
          line.substr(start.size(), line.rfind('"') - start.size());
      const std::string to = included.parent_path().string();
      ASSERT_TRUE(layers.contains(to)) << path << " includes " << included;
      EXPECT_TRUE(to == from || layers.at(to) < layers.at(from))
          << path << " includes " << included << ", which is not below it";
    }
  }
  EXPECT_GT(files, least_files);
  EXPECT_GT(includes, least_includes);
}

}  // namespace gradproof
