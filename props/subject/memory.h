// Device memory with guard zones around it, met only through aclrtMalloc and aclrtMemcpy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "props/subject/library.h"
#include "props/subject/trespass.h"

namespace gradproof::props {

/// The library failed in something that has to work: a runtime function, a descriptor.
struct SubjectFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws SubjectFailure "NAME returned STATUS: MESSAGE" unless the status is 0.
void require(const Api& api, const char* name, std::int32_t status);

/// Where an inaccessible page is: directly before or behind the bytes of a block.
enum class Fence : std::uint8_t { none, before, behind };
/// ", with an inaccessible page directly behind each tensor and the workspace"; "" of none.
std::string_view words(Fence fence);

/// Addresses that nobody may read or write: a terabyte, or 16 MiB if the system grants no more.
class Forbidden {
 public:
  /// Throws SubjectFailure.
  Forbidden();
  ~Forbidden();
  Forbidden(const Forbidden&) = delete;
  Forbidden& operator=(const Forbidden&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// [guard][bytes][guard] on the device, kept and reused from case to case.
class Block {
 public:
  static constexpr std::size_t kGuard = 1024;

  explicit Block(const Api& api) : api_(api) {}
  ~Block() { release(); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Makes room for `bytes` between the guards; the contents are unknown afterwards. With a fence
  /// `behind`, less than `alignment` bytes are between them and the page.
  void prepare(std::size_t bytes, Fence fence = Fence::none, std::size_t alignment = 1);
  /// First device byte after the leading guard.
  std::byte* data() const { return data_; }
  /// Whether the page of the fence, guard included, can be accessed. Needs device memory that is
  /// memory of this process.
  void set_accessible(bool accessible) const;

  /// The whole block as the host wants it to be, guards included; all bytes `poison`.
  std::vector<std::byte>& make_image(std::uint8_t poison);
  std::vector<std::byte>& image() { return image_; }
  void upload();
  /// The whole block as it is on the device.
  std::vector<std::byte>& download();
  /// First difference between the device and the image (or, with `downloaded`, that copy).
  std::optional<Change> first_change(bool downloaded);

  /// Guards set to `poison` and up to 16 MiB of the contents to `contents`, without a host copy of
  /// the whole.
  void poison_guards(std::uint8_t poison, std::uint8_t contents);
  std::optional<Change> first_guard_change(std::uint8_t poison);
  /// How many bytes behind the contents there are up to the last one that is not `poison`.
  std::int64_t changed_behind(std::uint8_t poison);

  /// Gives memory of unusual size back.
  void trim();
  void release();

 private:
  void copy_in(std::size_t at, const std::byte* from, std::size_t count);
  void copy_out(std::size_t at, std::byte* to, std::size_t count);

  const Api& api_;
  std::byte* device_ = nullptr;
  std::byte* data_ = nullptr;
  std::byte* page_ = nullptr;  ///< of the fence; null without one
  std::size_t capacity_ = 0, bytes_ = 0;
  std::vector<std::byte> image_, downloaded_;
};

}  // namespace gradproof::props
