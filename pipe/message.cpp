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
  Builder& add(const char* name, const View<T, rank>& view) {
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
    return *this;
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

template <int axes>
Json parameters(const Windows<axes>& windows) {
  return {{"kernel_size", windows.kernel_size}, {"stride", windows.stride},
          {"padding", windows.padding},         {"dilation", windows.dilation},
          {"ceil_mode", windows.ceil_mode},     {"batched", windows.batched}};
}

}  // namespace

Request request(const MaxPool3dWithArgmaxBackward<void>& call) {
  return Builder("max_pool3d_with_argmax_backward", parameters<3>(call))
      .add("grad_output", call.grad_output)
      .add("indices", call.indices)
      .add("grad_input", call.grad_input)
      .build();
}

Request request(const MaxPool2dWithMaskBackward<void>& call) {
  Json windows = parameters<2>(call);
  windows["through_float16"] = call.through_float16;
  Builder builder("max_pool2d_with_mask_backward", std::move(windows));
  builder.add("grad_output", call.grad_output).add("mask", call.mask);
  if (call.indices.type != ACL_DT_UNDEFINED) builder.add("indices", call.indices);
  return builder.add("grad_input", call.grad_input).build();
}

Request request(const UpsampleBilinear2dBackward<void>& call) {
  return Builder("upsample_bilinear2d_backward", {{"align_corners", call.align_corners},
                                                  {"scale_h", call.scale_h},
                                                  {"scale_w", call.scale_w},
                                                  {"channels_last", call.channels_last}})
      .add("grad_out", call.grad_out)
      .add("out", call.out)
      .build();
}

Request request(const ReplicationPad2dBackward<void>& call) {
  return Builder("replication_pad2d_backward", {{"left", call.left},
                                                {"right", call.right},
                                                {"top", call.top},
                                                {"bottom", call.bottom},
                                                {"batched", call.batched}})
      .add("grad_output", call.grad_output)
      .add("grad_input", call.grad_input)
      .build();
}

Request request(const AdaptiveMaxPool3dBackward<void>& call) {
  return Builder("adaptive_max_pool3d_backward", {{"batched", call.batched}})
      .add("grad_output", call.grad_output)
      .add("indices", call.indices)
      .add("grad_input", call.grad_input)
      .build();
}

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
