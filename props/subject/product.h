// Which product a SoC name of aclrtGetSocName stands for, and the file that asks aclInit for one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ref/call.h"

namespace gradproof::props {

/// "Ascend910B", and the variants that hardware reports: "Ascend910B3", "Ascend910_9362",
/// "Ascend310P1", "Ascend910A", "Ascend910ProB". Nothing for other names.
std::optional<ref::Product> product_of_soc(std::string_view soc);

/// An aclInit configuration file, gone with the object. It lies in memory: a change of product is
/// frequent, and on a disk it would cost more than everything else that a check does.
class ConfigFile {
 public:
  /// 0 threads and an empty instruction set are left out.
  ConfigFile(ref::Product product, int threads, std::string_view instruction_set = {});
  ~ConfigFile();
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;
  /// Good within this process.
  const char* path() const { return path_.c_str(); }

 private:
  int file_;
  std::string path_;
};

}  // namespace gradproof::props
