// A library with all ten operators that computes what the reference says, and is wrong on request.
//
// FAKE_FAULT names a condition under which the last value of the result is one too large, or a
// change that is made to every value; or one of the ways in which other implementations compute and
// answer, which profiles are there for. What a property compares a result with goes through the
// same library, so the reference being behind it hides nothing.
#include <cmath>
#include <memory>
#include <mutex>

#include "acl/acl_base.h"
#include "props/cases/shapes.h"
#include "props/properties/problem.h"
#include "props/subject/mask_positions.h"
#include "props/subject/scatter.h"
#include "ref/element.h"
#include "ref/rules.h"
#include "tests/suite/fake.h"
#include "tests/suite/fake_device.h"

namespace ref = gradproof::ref;
namespace props = gradproof::props;

struct aclOpExecutor {
  ref::Call call;
  std::vector<std::byte*> data;
  bool wrong = false;
  bool refused = false;  ///< by phase 2
};

namespace {

const ref::Tensor& image(const ref::Call& c) { return c.tensors[props::input_side(c.op).front()]; }
bool some_length(const ref::Call& c, std::size_t length) {
  for (const ref::IntArray& array : c.arrays) {
    if (array.values.size() == length) return true;
  }
  return false;
}

/// Conditions under which the last value of the result gets one too much.
struct Condition {
  const char* name;
  bool (*holds)(const ref::Call& c);
};
constexpr Condition kConditions[] = {
    {"any call", [](const ref::Call&) { return true; }},
    {"gradient", [](const ref::Call& c) { return ref::is_backward(c.op); }},
    {"NHWC", [](const ref::Call& c) { return image(c).format == ACL_FORMAT_NHWC; }},
    {"height beyond width",
     [](const ref::Call& c) { return image(c).shape.end()[-2] > image(c).shape.back(); }},
    {"lower rank",
     [](const ref::Call& c) {
       return image(c).shape.size() == (props::spatial_axes(c.op) == 3 ? 4u : 3u);
     }},
    {"array of length 1", [](const ref::Call& c) { return some_length(c, 1); }},
    {"empty array", [](const ref::Call& c) { return some_length(c, 0); }},
    {"ceil mode", [](const ref::Call& c) { return c.flags[0] != 0; }},
    {"mask pool", [](const ref::Call& c) { return props::has_mask(c.op); }},
    {"adaptive pool", [](const ref::Call& c) { return props::family(c.op).empty_output; }},
    {"strided",
     [](const ref::Call& c) {
       return c.tensors[0].strides != ref::contiguous_strides(c.tensors[0].shape);
     }},
};

/// Changes of every value.
struct Change {
  const char* name;
  long double (*apply)(long double value, std::int32_t type);
};
constexpr Change kChanges[] = {
    {"saturates", [](long double v, std::int32_t) { return v > 3    ? 3
                                                           : v < -3 ? -3
                                                                    : v; }},
    {"coarse",
     [](long double v, std::int32_t) { return std::isfinite(v) ? std::nearbyint(v * 4) / 4 : v; }},
    {"spills", [](long double v, std::int32_t) { return v == 0 ? 0x1p-10L : v; }},
    {"sums in BF16", [](long double v, std::int32_t) { return ref::round_to(ACL_BF16, v); }},
    {"flushes subnormals",
     [](long double v, std::int32_t type) {
       return std::fabs(v) < (type == ACL_FLOAT16 ? 0x1p-14L : 0x1p-126L) ? 0 : v;
     }},
    {"few bits",
     [](long double v, std::int32_t type) {
       return type == ACL_FLOAT16 ? ref::round_to(ACL_BF16, v) : v;
     }},
};

void falsify(const ref::Call& call, std::vector<long double>& values) {
  for (const Condition& condition : kConditions) {
    if (fault(condition.name) && condition.holds(call)) values.back() += 1;
  }
  for (const Change& change : kChanges) {
    if (!fault(change.name)) continue;
    for (long double& v : values) v = change.apply(v, call.tensors[0].dtype);
  }
  if (fault("spreads")) {
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      if (!std::isfinite(values[i + 1])) values[i] = values[i + 1];
    }
  }
}

bool is_strided(const ref::Call& c) {
  return c.tensors[0].strides != ref::contiguous_strides(c.tensors[0].shape);
}

/// As other implementations compute, on request.
ref::Numerics numerics() {
  ref::Numerics n;
  if (fault("last maximum")) n.ties = ref::Winner::last;
  if (fault("last NaN")) n.nans = ref::Winner::last;
  n.drops_out_of_window = fault("ignores indices out of the window");
  if (fault("scales that both fit")) n.scales = ref::Scales::both;
  return n;
}

long double value_of(const ref::Exact& exact) {
  return fault("zero times infinity") && exact.zero_non_finite ? std::nanl("") : exact.value;
}

/// The bits that another way of adding, or of making NaNs, would leave.
void change_bits(const ref::Call& call, ref::Dense& result) {
  const std::int32_t type = ref::component_type(result.dtype);
  if (!is_strided(call) || type != ACL_FLOAT) return;
  const auto count = static_cast<std::int64_t>(result.bytes.size() / 4);
  for (std::int64_t i = 0; i < count; ++i) {
    const long double v = ref::load(result.bytes.data(), type, i);
    if (fault("other NaNs when strided") && std::isnan(v))
      result.bytes[static_cast<std::size_t>(i * 4 + 3)] ^= std::byte{0x80};
    if (fault("other bits when strided") && std::isfinite(v) && v != 0)
      ref::store(result.bytes.data(), type, i, ref::next_up(type, v));
  }
}

bool has_positions(const ref::Call& call) {
  return fault("positions in the mask") && props::has_mask(call.op);
}

/// The tensor as its memory is read and written.
ref::Tensor view(const ref::Call& call, int slot) {
  ref::Tensor tensor = call.tensors[static_cast<std::size_t>(slot)];
  if (fault("mask without its view") && slot == props::indices_slot(call.op)) tensor.offset = 0;
  return tensor;
}

void compute(const aclOpExecutor& e) {
  if (fault("writes nothing")) {
    if (fault("but one byte")) *e.data.back() ^= std::byte{1};
    return;
  }
  std::vector<ref::Dense> inputs(e.call.tensors.size());
  const auto& parameters = ref::signature(e.call.op).parameters;
  for (const ref::Parameter& p : parameters) {
    if (p.kind == ref::Kind::tensor && p.access == ref::Access::read) {
      inputs[p.slot] = props::gather(view(e.call, p.slot), e.data[p.slot]);
    }
  }
  const int mask = props::indices_slot(e.call.op);
  std::string wrong;
  if (has_positions(e.call) && ref::is_backward(e.call.op))
    inputs[static_cast<std::size_t>(mask)] =
        props::positions_to_mask(e.call, inputs[static_cast<std::size_t>(mask)], wrong);
  const ref::Evaluation evaluation(e.call, inputs);
  for (const int slot : evaluation.outputs()) {
    std::vector<long double> values;
    if (fault("computes in FLOAT") && props::family(e.call.op).weighted) {
      values = upsample_in_float(e.call, inputs[0]);
    } else {
      for (const ref::Exact& exact : props::reference(e.call, inputs, slot, numerics()))
        values.push_back(value_of(exact));
    }
    if (values.empty()) continue;
    if (slot == evaluation.outputs().front()) falsify(e.call, values);
    static int runs = 0;
    if (fault("fifth run") && ++runs % 5 == 0) values.back() += 1;
    if (e.wrong) values.front() += 1;
    ref::Dense result = props::gather(e.call.tensors[slot], e.data[slot]);
    props::set_values(result, values);
    change_bits(e.call, result);
    // The last byte of the last kernel position, beyond the windows of each plane.
    if (fault("rest of the mask") && slot == mask) result.bytes.back() |= std::byte{0x80};
    if (has_positions(e.call) && slot == mask) {
      if (const std::optional<ref::Dense> positions = props::mask_to_positions(e.call, result))
        result = *positions;
    }
    props::scatter(e.call.tensors[slot], result.bytes.data(), e.data[slot]);
  }
}

void add(aclOpExecutor& e, const aclTensor* tensor) {
  e.call.tensors.push_back(tensor->view);
  e.data.push_back(tensor->data);
}
void add(aclOpExecutor& e, const aclIntArray* array) {
  e.call.arrays.push_back({false, array->values});
}
void add(aclOpExecutor& e, bool flag) { e.call.flags.push_back(flag); }
void add(aclOpExecutor& e, double real) { e.call.reals.push_back(real); }

/// Keeps every executor that is handed out; there is no function to give one back.
aclOpExecutor* keep(std::unique_ptr<aclOpExecutor> executor) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<aclOpExecutor>> all;
  const std::lock_guard lock(mutex);
  return all.emplace_back(std::move(executor)).get();
}

template <class... Arguments>
aclnnStatus plan(ref::Operator op, uint64_t* size, aclOpExecutor** executor,
                 Arguments... arguments) {
  auto e = std::make_unique<aclOpExecutor>();
  e->call.op = op;
  (add(*e, arguments), ...);
  const ref::Rule* rule = ref::expect(e->call).rule;
  if (fault("refuses FLOAT16") && e->call.tensors[0].dtype == ACL_FLOAT16) return 561103;
  if (fault("computes FLOAT16 wrongly") && e->call.tensors[0].dtype == ACL_FLOAT16) e->wrong = true;
  if (rule != nullptr && fault("answers 1")) return 1;
  if (rule != nullptr && fault("561103 for shapes") && rule->id == "shape") return 561103;
  const auto takes = [&](const char* way, std::string_view id) {
    return rule != nullptr && fault(way) && rule->id == id;
  };
  e->refused = takes("561103 in phase 2", "shape");
  const bool taken = e->refused || takes("takes any scale", "size-value") ||
                     takes("takes dilation", "dilation-value");
  if (rule == nullptr || taken || fault("refuses with a size")) *size = 0;
  if (rule != nullptr && !taken) return 161002;
  *executor = keep(std::move(e));
  return 0;
}

}  // namespace

using In = const aclTensor*;
using Out = aclTensor*;
using Ints = const aclIntArray*;

#define FAKE_PHASE2(api)                                                     \
  FAKE_API aclnnStatus api(void*, uint64_t, aclOpExecutor* e, aclrtStream) { \
    if (e == nullptr) return fault("507 for null") ? 507 : 161001;           \
    if (e->refused) return 561103;                                           \
    return compute(*e), 0;                                                   \
  }
#define FAKE_PHASE1(api) FAKE_API aclnnStatus api##GetWorkspaceSize

#define FAKE_POOL(api, op)                                                                \
  FAKE_PHASE1(api)                                                                        \
  (In self, Ints k, Ints s, Ints p, Ints d, bool ceil, Out out, Out at, uint64_t* n,      \
   aclOpExecutor** e) {                                                                   \
    return plan(ref::Operator::op, n, e, self, k, s, p, d, ceil, out, at);                \
  }                                                                                       \
  FAKE_PHASE2(api)                                                                        \
  FAKE_PHASE1(api##Backward)                                                              \
  (In g, In self, In at, Ints k, Ints s, Ints p, Ints d, bool ceil, Out out, uint64_t* n, \
   aclOpExecutor** e) {                                                                   \
    return plan(ref::Operator::op##_backward, n, e, g, self, at, k, s, p, d, ceil, out);  \
  }                                                                                       \
  FAKE_PHASE2(api##Backward)

FAKE_POOL(aclnnMaxPool3dWithArgmax, max_pool3d_with_argmax)
FAKE_POOL(aclnnMaxPool2dWithMask, max_pool2d_with_mask)

FAKE_PHASE1(aclnnUpsampleBilinear2d)
(In self, Ints size, bool align, double h, double w, Out out, uint64_t* n, aclOpExecutor** e) {
  return plan(ref::Operator::upsample_bilinear2d, n, e, self, size, align, h, w, out);
}
FAKE_PHASE2(aclnnUpsampleBilinear2d)
FAKE_PHASE1(aclnnUpsampleBilinear2dBackwardV2)
(In g, Ints out_size, Ints in_size, bool align, double h, double w, Out out, uint64_t* n,
 aclOpExecutor** e) {
  return plan(ref::Operator::upsample_bilinear2d_backward, n, e, g, out_size, in_size, align, h, w,
              out);
}
FAKE_PHASE2(aclnnUpsampleBilinear2dBackwardV2)

FAKE_PHASE1(aclnnReplicationPad2d)(In self, Ints padding, Out out, uint64_t* n, aclOpExecutor** e) {
  return plan(ref::Operator::replication_pad2d, n, e, self, padding, out);
}
FAKE_PHASE2(aclnnReplicationPad2d)
FAKE_PHASE1(aclnnReplicationPad2dBackward)
(In g, In self, Ints padding, Out out, uint64_t* n, aclOpExecutor** e) {
  return plan(ref::Operator::replication_pad2d_backward, n, e, g, self, padding, out);
}
FAKE_PHASE2(aclnnReplicationPad2dBackward)

FAKE_PHASE1(aclnnAdaptiveMaxPool3d)
(In self, Ints size, Out out, Out at, uint64_t* n, aclOpExecutor** e) {
  return plan(ref::Operator::adaptive_max_pool3d, n, e, self, size, out, at);
}
FAKE_PHASE2(aclnnAdaptiveMaxPool3d)
FAKE_PHASE1(aclnnAdaptiveMaxPool3dBackward)
(In g, In self, In at, Out out, uint64_t* n, aclOpExecutor** e) {
  return plan(ref::Operator::adaptive_max_pool3d_backward, n, e, g, self, at, out);
}
FAKE_PHASE2(aclnnAdaptiveMaxPool3dBackward)
