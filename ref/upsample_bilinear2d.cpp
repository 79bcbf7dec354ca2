// UpsampleBilinear2d: every output element is the weighted sum of four neighbours.
#include "ref/row.h"
#include "ref/scales.h"

namespace gradproof::ref {

namespace {

using namespace parameters;

constexpr Parameter kParameters[] = {in("self", 0),           ints("outputSize", 0),
                                     flag("alignCorners", 0), real("scalesH", 0),
                                     real("scalesW", 1),      out("out", 1)};

Plane plane_of_result(const Task& task) {
  const Images im = images(task.call, task.plane);
  const auto [taps_h, taps_w] = taps_of_axes(task, im);
  const std::vector<long double> self =
      load_plane(task.inputs[slot(task.call.op, "self")], im.small);

  Plane plane{std::vector<Exact>(im.large.count), im.large.first, im.large.step};
  for (std::int64_t oh = 0; oh < im.out_h; ++oh) {
    for (std::int64_t ow = 0; ow < im.out_w; ++ow) {
      for (const Tap& h : taps_h[oh]) {
        for (const Tap& w : taps_w[ow]) {
          add_weighted(plane.values[oh * im.out_w + ow], h, w, self[h.at * im.in_w + w.at]);
        }
      }
    }
  }
  return plane;
}

}  // namespace

constinit const OperatorRow rows::upsample_bilinear2d = {
    .parameters = kParameters,
    .companion = Operator::upsample_bilinear2d_backward,
    .rules = &kUpsampleRules,
    .plane = plane_of_result,
    .arithmetic = Arithmetic::weighted,
    .plane_axes = 2,
};

}  // namespace gradproof::ref
