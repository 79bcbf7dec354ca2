// Which product a SoC name of aclrtGetSocName stands for, and the file that asks aclInit for one.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "ref/call.h"

namespace gradproof::props {

/// "Ascend910B", and the variants that hardware reports: "Ascend910B3", "Ascend910_9362",
/// "Ascend310P1", "Ascend910A", "Ascend910ProB". Nothing for other names.
std::optional<ref::Product> product_of_soc(std::string_view soc);

/// An aclInit configuration file in a private temporary folder, gone with the object.
class ConfigFile {
 public:
  ConfigFile(ref::Product product, int threads);
  ~ConfigFile();
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;
  const char* path() const { return file_.c_str(); }

 private:
  std::filesystem::path folder_, file_;
};

}  // namespace gradproof::props
