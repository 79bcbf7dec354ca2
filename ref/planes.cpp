// Reading planes out of dense tensors.
#include "ref/element.h"
#include "ref/operators.h"

namespace gradproof::ref {

PlanePlace plane_of(std::span<const std::int64_t> shape, std::size_t axes, std::int64_t index) {
  const std::int64_t count = product(shape.last(axes));
  return {index * count, 1, count};
}

std::vector<long double> load_plane(const Dense& tensor, const PlanePlace& place) {
  const std::int64_t parts = components(tensor.dtype);
  const std::int32_t type = component_type(tensor.dtype);
  std::vector<long double> values;
  values.reserve(static_cast<std::size_t>(place.count * parts));
  for (std::int64_t k = 0; k < place.count; ++k) {
    for (std::int64_t part = 0; part < parts; ++part) {
      values.push_back(
          load(tensor.bytes.data(), type, (place.first + k * place.step) * parts + part));
    }
  }
  return values;
}

}  // namespace gradproof::ref
