// From a call's struct to its message.
#include "pipe/message.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <utility>

#include "gradproof/subject/dispatch.hpp"

namespace gradproof::pipe {
namespace {

using namespace subject;

/// A mask is bytes, whatever type the caller gave it.
std::string type_name(aclDataType type) {
  return type == ACL_INT8 || type == ACL_UINT8 ? "UINT8" : detail::name_of(type);
}

/// Tensors are added in order, the result last.
class Builder {
 public:
  Builder(const char* kernel, Json parameters)
      : header_{{"kernel", kernel},
                {"parameters", std::move(parameters)},
                {"tensors", Json::array()}} {}

  template <class T, int rank>
  void add(const char* name, const View<T, rank>& view) {
    const auto size = static_cast<std::int64_t>(aclDataTypeSize(view.type));
    const std::int64_t elements = view.data != nullptr ? view.storage : 0;
    char* const data = static_cast<char*>(const_cast<void*>(static_cast<const void*>(view.data)));
    storages_.push_back({name, data != nullptr ? data - view.offset * size : nullptr,
                         static_cast<std::size_t>(elements * size)});
    header_["tensors"].push_back({{"name", name},
                                  {"type", type_name(view.type)},
                                  {"shape", view.shape},
                                  {"strides", view.strides},
                                  {"offset", view.offset},
                                  {"storage", elements},
                                  {"bytes", storages_.back().bytes}});
  }

  Request build() const {
    Request request;
    const std::string header = header_.dump();
    for (std::size_t i = 0; i < kLengthBytes; ++i)
      request.bytes += static_cast<char>(header.size() >> 8 * i & 0xFF);
    request.bytes += header;
    for (const Storage& storage : storages_)
      if (storage.bytes > 0) request.bytes.append(storage.data, storage.bytes);
    request.result = storages_.back();
    return request;
  }

 private:
  Json header_;
  std::vector<Storage> storages_;
};

template <template <class> class Op>
Request built(const char* stem, Op<void> call) {
  Json parameters = Json::object();
  detail::each_parameter(static_cast<const typename Op<void>::Parameters&>(call),
                         [&](const char* name, const auto& value) { parameters[name] = value; });
  Builder builder(stem, std::move(parameters));
  const auto* name = detail::Gradient<Op>::names;
  const auto add = [&](const auto& view) {
    // The kit leaves out positions beside a mask where no kernel wants them.
    if (view.type != ACL_DT_UNDEFINED) builder.add(*name, view);
    ++name;
  };
  std::apply([&](const auto&... view) { (add(view), ...); }, call.views());
  return builder.build();
}

}  // namespace

#define GRADPROOF_REQUEST(stem, Struct) \
  Request request(const Struct<void>& call) { return built(#stem, call); }
GRADPROOF_GRADIENTS(GRADPROOF_REQUEST)
#undef GRADPROOF_REQUEST

std::uint64_t length_of(std::string_view first_bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(first_bytes[i]);
  return length;
}

std::string shown(std::string_view bytes) {
  constexpr std::size_t kMost = 60;
  std::string text = "'";
  for (const char byte : bytes.substr(0, kMost)) {
    const auto code = static_cast<unsigned char>(byte);
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, code < 0x20 || code > 0x7E ? "\\x%02x" : "%c", code);
    text += escaped;
  }
  return text + (bytes.size() > kMost ? "'…" : "'");
}

}  // namespace gradproof::pipe
