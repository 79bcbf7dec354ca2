/// What a kernel may answer, and what a library of kernels may ask of the kit, in one line each.
///
/// C++17 and later. Options hold for all kernels of a library, wherever in it they are.
#ifndef GRADPROOF_SUBJECT_OPTIONS_HPP_
#define GRADPROOF_SUBJECT_OPTIONS_HPP_

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_base.h"
#include "gradproof/profile.h"

namespace gradproof::subject {

/// What a kernel returns that does not always succeed; one that does may return void.
struct Answer {
  aclError status = ACL_SUCCESS;  ///< what the stream's next synchronisation answers
  std::string message = {};       ///< why
};

/// The call is one that the kernel is not for: it is counted in the report, and no finding.
inline Answer not_supported(std::string why) {
  return {ACL_ERROR_FEATURE_UNSUPPORTED, std::move(why)};
}

namespace detail {
/// A text's lines without blanks around them, those after the first indented: as findings are.
inline std::string indented_lines(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  std::string lines;
  for (std::size_t end = 0, at; (at = text.find_first_not_of(kBlanks, end)) != std::string::npos;) {
    end = std::min(text.find('\n', at), text.size());
    const std::size_t last = text.find_last_not_of(kBlanks, end - 1);
    lines += (lines.empty() ? "" : "\n  ") + text.substr(at, last + 1 - at);
  }
  return lines;
}

}  // namespace detail

/// The kernel failed: a finding, whose first line is that of `why`. An exception says the same.
inline Answer failed(const std::string& why) {
  return {ACL_ERROR_FAILURE, detail::indented_lines(why)};
}

namespace detail {
/// What `step` answers; an exception is a failure.
template <class Step>
Answer caught(Step step) {
  try {
    return step();
  } catch (const std::exception& e) {
    return failed("the kernel threw: " + indented_lines(e.what()));
  } catch (...) {
    return failed("the kernel threw what is no std::exception");
  }
}
}  // namespace detail

/// Memory that the host may not touch, met through four functions.
struct Device {
  void* (*allocate)(std::size_t bytes) = nullptr;  ///< null: there is none left
  void (*release)(void* memory) = nullptr;         ///< of what allocate returned
  void (*to_device)(void* to, const void* from, std::size_t bytes) = nullptr;  ///< and waits
  void (*to_host)(void* to, const void* from, std::size_t bytes) = nullptr;    ///< and waits
};

/// What the lines below set.
struct Options {
  bool contiguous = false;  ///< of GRADPROOF_CONTIGUOUS
  bool positions = false;   ///< of GRADPROOF_POSITIONS
  std::vector<aclDataType> types =
      {};              ///< of GRADPROOF_TYPES; empty: those that the function takes
  Device device = {};  ///< of GRADPROOF_DEVICE
};

namespace detail {
// Two libraries of kernels in one process must not share it.
__attribute__((visibility("hidden"))) inline Options options;
}  // namespace detail

}  // namespace gradproof::subject

/// The kernels get contiguous copies of the tensors.
#define GRADPROOF_CONTIGUOUS                                \
  [[maybe_unused]] static const bool gradproof_contiguous = \
      ::gradproof::subject::detail::options.contiguous = true;

/// The 2-D pool's kernel gets positions beside the mask, and no call whose mask positions cannot
/// say.
#define GRADPROOF_POSITIONS                                \
  [[maybe_unused]] static const bool gradproof_positions = \
      ::gradproof::subject::detail::options.positions = true;

/// The kernels are for these types: GRADPROOF_TYPES(ACL_FLOAT, ACL_FLOAT16).
#define GRADPROOF_TYPES(...)                           \
  [[maybe_unused]] static const bool gradproof_types = \
      (::gradproof::subject::detail::options.types = {__VA_ARGS__}, true);

/// The kernels get pointers into memory that these functions manage; see Device.
#define GRADPROOF_DEVICE(allocate, release, to_device, to_host)                                \
  [[maybe_unused]] static const bool gradproof_device =                                        \
      (::gradproof::subject::detail::options.device = {allocate, release, to_device, to_host}, \
       true);

/// The profile to judge by: the name of a shipped one, or a .json file beside the library's.
#define GRADPROOF_PROFILE(name)                     \
  extern "C" __attribute__((visibility("default"))) \
  const char* gradproof_profile(void) { return name; }

#endif
