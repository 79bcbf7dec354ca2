// Which product a SoC name of aclrtGetSocName stands for, and the file that asks aclInit for one.
#pragma once

#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ref/call.h"

namespace gradproof::props {

/// "Ascend910B", and the variants that hardware reports: "Ascend910B3", "Ascend910_9362",
/// "Ascend310P1", "Ascend910A", "Ascend910ProB". Nothing for other names.
std::optional<ref::Product> product_of_soc(std::string_view soc);

/// All products, beginning with that one.
std::vector<ref::Product> products_from(ref::Product first);

/// An aclInit configuration file, gone with the object. It has a name in the temporary folder:
/// libraries resolve the path that they are given, which a file without a name does not survive.
class ConfigFile {
 public:
  /// No product, 0 threads and an empty instruction set are left out. Of nothing there is no file.
  ConfigFile(std::optional<ref::Product> product, int threads,
             std::string_view instruction_set = {});
  ~ConfigFile();
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;
  /// Null if there is no file: aclInit then takes the library's defaults.
  const char* path() const { return path_.empty() ? nullptr : path_.c_str(); }

 private:
  const int owner_ = getpid();  ///< the process that made the file
  std::string path_;
};

}  // namespace gradproof::props
