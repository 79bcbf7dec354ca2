// SoC names and aclInit's configuration file.
#include "props/subject/product.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

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

ConfigFile::ConfigFile(ref::Product product, int threads, std::string_view instruction_set)
    : file_(memfd_create("acl.json", MFD_CLOEXEC)),
      path_("/proc/self/fd/" + std::to_string(file_)) {
  std::string text = "{\"soc\": \"" + std::string(ref::name(product)) + '"';
  if (threads > 0) text += ", \"threads\": " + std::to_string(threads);
  if (!instruction_set.empty())
    text += ", \"instruction_set\": \"" + std::string(instruction_set) + '"';
  text += "}\n";
  if (file_ < 0 || write(file_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw InputError("aclInit's configuration file cannot be made in memory");
}

ConfigFile::~ConfigFile() { close(file_); }

}  // namespace gradproof::props
