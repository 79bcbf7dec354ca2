// The per-thread message behind aclGetRecentErrMsg.
#include "opt/runtime/message.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "acl/acl.h"

namespace gradproof {
namespace {

// A plain array: it needs no destructor, which would keep a library that is loaded at run time in
// memory until its threads end. Enough for every shape of 64 dimensions.
constexpr std::size_t kCapacity = 4096;
thread_local char text[kCapacity];
thread_local bool pending = false;
thread_local const char* refused_api = nullptr;  // whose phase 1 failed last on this thread, ...
thread_local char refused_text[kCapacity];       // ... and its message

std::int32_t keep(std::int32_t code, const char* message, std::size_t length) noexcept {
  const std::size_t kept = std::min(length, kCapacity - 1);
  std::memcpy(text, message, kept);
  text[kept] = '\0';
  pending = true;
  return code;
}

}  // namespace

std::int32_t report(const Status& status) noexcept {
  if (status.ok()) return 0;
  return keep(status.code(), status.message(), std::strlen(status.message()));
}

std::int32_t fail(std::int32_t code, const char* format, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, kCapacity, format, arguments);
  va_end(arguments);
  pending = true;
  return code;
}

void keep_refusal(const char* api) noexcept {
  refused_api = api;
  std::memcpy(refused_text, text, kCapacity);
}

void forget_refusal() noexcept { refused_api = nullptr; }

const char* refusal_of(const char* api) noexcept {
  return refused_api != nullptr && std::strcmp(refused_api, api) == 0 ? refused_text : nullptr;
}

const char* take_message() noexcept {
  if (!pending) return nullptr;
  pending = false;
  return text;
}

}  // namespace gradproof

extern "C" const char* aclGetRecentErrMsg() { return gradproof::take_message(); }
