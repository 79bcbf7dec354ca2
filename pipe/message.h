// The messages of docs/pipe.md: a call for the process, and what the process says.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gradproof/subject/gradients.hpp"

namespace gradproof::pipe {

using Json = nlohmann::ordered_json;

/// Begins every message: how many bytes of JSON follow, little-endian.
inline constexpr std::size_t kLengthBytes = 8;
/// No header is longer: a length beyond it is no length.
inline constexpr std::uint64_t kLongestHeader = std::uint64_t{1} << 20;

/// The memory of one tensor of a call: all of its storage.
struct Storage {
  std::string name;
  char* data = nullptr;
  std::size_t bytes = 0;
};

/// A call as it goes through the pipe.
struct Request {
  std::string bytes;  ///< the whole message
  Storage result;     ///< where the result belongs
};

#define GRADPROOF_REQUEST(stem, Struct) Request request(const subject::Struct<void>& call);
GRADPROOF_GRADIENTS(GRADPROOF_REQUEST)
#undef GRADPROOF_REQUEST

/// The length that a message begins with.
std::uint64_t length_of(std::string_view first_bytes);
/// Bytes as people read them, cut where there are many.
std::string shown(std::string_view bytes);

}  // namespace gradproof::pipe
