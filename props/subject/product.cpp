// SoC names and aclInit's configuration file.
#include "props/subject/product.h"

#include <cstdlib>
#include <fstream>
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

ConfigFile::ConfigFile(ref::Product product, int threads) {
  std::error_code error;
  std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) parent = "/tmp";
  std::string pattern = (parent / "gradproof-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw InputError(parent.string() + ": no temporary folder can be made there");
  folder_ = pattern;
  file_ = folder_ / "acl.json";
  std::ofstream out(file_);
  out << "{\"soc\": \"" << ref::name(product) << '"';
  if (threads > 0) out << ", \"threads\": " << threads;
  out << "}\n";
  out.close();
  if (!out) throw InputError(file_.string() + ": cannot be written");
}

ConfigFile::~ConfigFile() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace gradproof::props
