// What a library meets besides arguments: the processor, environment variables, files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "gradproof/config.h"
#include "props/cases/input_error.h"

namespace gradproof::props {

/// An instruction set that every machine of this architecture has.
#if defined(__x86_64__)
inline constexpr const char* kAnySet = "scalar";
#else
inline constexpr const char* kAnySet = "neon";
#endif

/// An environment variable of this process; what it was before comes back.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) before_ = value;
    unsetenv(name);
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

  void set(const char* value) { setenv(name_, value, 1); }
  void unset() { unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// At the end of its scope the program no longer chooses an option: aclInit's file or the
/// environment does.
class OptionReset {
 public:
  OptionReset(decltype(&::gradproof_set_option) set, const char* key) : set_(set), key_(key) {}
  ~OptionReset() { (void)set_(key_, nullptr); }
  OptionReset(const OptionReset&) = delete;
  OptionReset& operator=(const OptionReset&) = delete;

 private:
  decltype(&::gradproof_set_option) set_;
  const char* key_;
};

/// A private temporary folder, gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    if (error) parent = "/tmp";
    std::string pattern = (parent / "gradproof-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw HostError(parent.string() + ": no temporary folder can be made there");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gradproof::props
