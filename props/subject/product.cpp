// SoC names and aclInit's configuration file.
#include "props/subject/product.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "props/cases/input_error.h"

namespace gradproof::props {

std::optional<ref::Product> product_of_soc(std::string_view soc) {
  // Longer names first: each is a prefix of what its chips report.
  for (const ref::Product product :
       {ref::Product::Ascend910_93, ref::Product::Ascend910B, ref::Product::Ascend310P}) {
    if (soc.starts_with(ref::name(product))) return product;
  }
  for (const std::string_view chip :
       {"Ascend910", "Ascend910A", "Ascend910ProA", "Ascend910ProB", "Ascend910PremiumA"}) {
    if (soc == chip) return ref::Product::Ascend910;
  }
  return std::nullopt;
}

std::vector<ref::Product> products_from(ref::Product first) {
  std::vector<ref::Product> products{first};
  for (int i = 0; i < ref::kProductCount; ++i) {
    if (static_cast<ref::Product>(i) != first) products.push_back(static_cast<ref::Product>(i));
  }
  return products;
}

ConfigFile::ConfigFile(std::optional<ref::Product> product, int threads,
                       std::string_view instruction_set) {
  std::string text;
  const auto add = [&](const std::string& member) { text += (text.empty() ? "{" : ", ") + member; };
  if (product) add("\"soc\": \"" + std::string(ref::name(*product)) + '"');
  if (threads > 0) add("\"threads\": " + std::to_string(threads));
  if (!instruction_set.empty()) add("\"instruction_set\": \"" + std::string(instruction_set) + '"');
  if (text.empty()) return;
  text += "}\n";
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) folder = "/tmp";
  path_ = (folder / "acl-XXXXXX.json").string();
  const int file = mkostemps(path_.data(), 5, O_CLOEXEC);
  const bool written =
      file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) close(file);
  if (written) return;
  if (file >= 0) unlink(path_.c_str());
  throw HostError(folder.string() + ": cannot write aclInit's configuration file there");
}

ConfigFile::~ConfigFile() {
  // A child of fork() that ends must leave its parent's file.
  if (!path_.empty() && getpid() == owner_) unlink(path_.c_str());
}

}  // namespace gradproof::props
