// A row of the table of what is measured, bench/configurations.json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ref/call.h"

namespace gradproof::bench {

/// How the floating tensors (and the indices of 3-D pools) lie in memory.
enum class Layout : std::uint8_t {
  contiguous,
  channels_last,  ///< C innermost: format NHWC for upsampling, a permuted view for the others
  row_gaps,       ///< innermost stride 1, eight unused elements behind each row
  gaps,           ///< innermost stride 2
  mixed,          ///< what is read has its channels last, the result is contiguous
};

/// What the caches hold when a call begins.
enum class Caches : std::uint8_t { flushed, warm };

struct Configuration {
  std::string name;     ///< "pool3d_k2s2"
  std::string network;  ///< where such a call is found
  ref::Operator op{};
  std::vector<std::int64_t> input;   ///< gradInput as N,C[,D],H,W
  std::vector<std::int64_t> output;  ///< extents after adaptive pooling or upsampling
  std::vector<std::int64_t> kernel, stride, padding;  ///< as the API's int arrays
  bool align_corners = false;
  Layout layout = Layout::contiguous;
  Caches caches = Caches::flushed;
  std::vector<std::int32_t> types;
  bool size = false;  ///< one of a series of sizes, not of the table
  bool tiny = false;  ///< so small that only the phases count

  /// Whether tensors are views, not contiguous in their format.
  bool is_view() const;
};

/// Reads a table. Throws InputError that names the file and the row.
std::vector<Configuration> read_configurations(const std::string& path);

/// FLOAT, BF16 and FLOAT16 as far as the operator has them.
std::vector<std::int32_t> default_types(ref::Operator op);

/// The gradient call of a configuration in one type, valid and on its default product.
ref::Call make_call(const Configuration& configuration, std::int32_t type);

}  // namespace gradproof::bench
