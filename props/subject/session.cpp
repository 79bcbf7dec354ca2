// Selecting a product, and phase 1 alone.
#include "props/subject/session.h"

#include <utility>

#include "props/cases/input_error.h"
#include "props/cases/shapes.h"
#include "props/subject/access.h"
#include "props/subject/product.h"
#include "props/subject/session_state.h"
#include "props/subject/step.h"

namespace gradproof::props {
namespace {

/// Not if a kit copies the tensors.
bool gives_its_memory(const Library& library) {
  const Provision provision = library.provision();
  return provision.validation.empty() || provision.host_memory;
}

/// What *workspaceSize holds before phase 1; *executor holds the address of `untouched`.
constexpr std::uint64_t kUntouchedSize = 0x5EA1ED0FF1CE5EA1;
std::uint64_t untouched;

}  // namespace

Session::Session(const Library& library, const Treatment& treatment)
    : state_(std::make_unique<State>(library, treatment)) {}
Session::~Session() = default;

void Session::follow(Conduct* conduct) { state_->conduct = conduct; }

ref::Product Session::begin(int threads) {
  state_->begin(std::nullopt, threads, {});
  return state_->product;
}
bool Session::select(ref::Product product, int threads, std::string_view instruction_set) {
  return state_->select(product, threads, instruction_set);
}
const std::vector<std::string_view>& Session::instruction_sets() {
  if (state_->instruction_sets) return *state_->instruction_sets;
  const auto takes = [this](std::string_view set) {
    try {
      select(product(), threads(), set);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  const std::string before = state_->instruction_set;
  std::vector<std::string_view> sets;
  // A library that takes any name for one does not know the key.
  if (!takes("none")) {
    for (const std::string_view set : {"scalar", "sse4", "avx2", "avx512", "neon", "sve"}) {
      if (takes(set)) sets.push_back(set);
    }
  }
  select(product(), threads(), before);
  return state_->instruction_sets.emplace(std::move(sets));
}
ref::Product Session::product() const { return state_->product; }
int Session::threads() const { return state_->threads; }
std::int32_t Session::call_init() {
  return state_->init(state_->asked, state_->threads, state_->instruction_set);
}
const Library& Session::library() const { return state_->library; }
const Kernels& Session::kernels() const { return state_->kernels; }
KernelUses Session::take_kernel_uses() { return std::exchange(state_->uses, {}); }

Session::State::State(const Library& subject, const Treatment& how)
    : treatment(how),
      library(subject),
      api(subject.api()),
      on_given_memory(gives_its_memory(subject)) {
  for (int i = 0; i < ref::kOperatorCount; ++i)
    entries[i] = subject.entry(static_cast<ref::Operator>(i));
}

Session::State::~State() { shut_down(); }

bool Session::State::select(ref::Product wanted, int wanted_threads, std::string_view wanted_set) {
  if (initialised && (product == wanted || fixed) && threads == wanted_threads &&
      instruction_set == wanted_set)
    return product == wanted;
  const bool stays = initialised && fixed;
  begin(treatment.configurable ? std::optional(wanted) : std::nullopt, wanted_threads, wanted_set);
  fixed = product != wanted || stays || !treatment.configurable;
  return product == wanted;
}

void Session::State::begin(std::optional<ref::Product> wanted, int wanted_threads,
                           std::string_view wanted_set) {
  shut_down();
  const Within step(Step::initialise);
  start(init(wanted, wanted_threads, wanted_set), "aclInit");
  initialised = true;
  fixed = !treatment.configurable;
  try {
    start(api.set_device(0), "aclrtSetDevice");
    product = told_product();
  } catch (const InputError&) {
    shut_down();
    throw;
  }
  asked = wanted;
  threads = wanted_threads;
  instruction_set = wanted_set;
  told_set = kernels.instruction_set();
}

ref::Product Session::State::told_product() const {
  const std::optional<ref::Product>& assumed = treatment.assumed;
  if (api.get_soc_name == nullptr) return assumed.value_or(ref::Product::Ascend910B);
  const char* const soc = api.get_soc_name();
  const std::string name = soc != nullptr ? soc : "";
  const std::optional<ref::Product> told = product_of_soc(name);
  if (told && !treatment.configurable && assumed && *told != *assumed)
    throw InputError("--assume-product is " + std::string(ref::name(*assumed)) +
                     ", but aclrtGetSocName reports " + name);
  if (!told && !assumed)
    throw InputError("aclrtGetSocName reports an unknown product: '" + name +
                     "' (choose its rules with --assume-product)");
  return told ? *told : *assumed;
}

void Session::State::make_stream() {
  if (stream != nullptr) return;
  const Within step(Step::initialise);
  start(api.create_stream(&stream), "aclrtCreateStream");
}

std::int32_t Session::State::init(std::optional<ref::Product> wanted, int wanted_threads,
                                  std::string_view wanted_set) {
  const Within step(Step::initialise);
  const auto [file, made] = files.try_emplace({wanted, wanted_threads, std::string(wanted_set)},
                                              wanted, wanted_threads, wanted_set);
  return api.init(file->second.path());
}

void Session::State::start(std::int32_t status, const char* name) const {
  if (status == 0) return;
  const char* message = api.recent_error != nullptr ? api.recent_error() : nullptr;
  throw StartError(std::string("the library cannot be started: ") + name + " returned " +
                   std::to_string(status) +
                   (message != nullptr && *message != '\0' ? std::string(": ") + message : ""));
}

void Session::State::shut_down() {
  const Within step(Step::finalise);
  for (Block& block : blocks) block.release();
  workspace.release();
  if (stream != nullptr) api.destroy_stream(stream);
  stream = nullptr;
  if (!initialised) return;
  if (api.reset_device != nullptr) api.reset_device(0);
  api.finalize();
  initialised = false;
}

std::string Session::State::recent_error() const {
  const char* message = api.recent_error != nullptr ? api.recent_error() : nullptr;
  return message != nullptr ? message : "";
}

Phase1 Session::State::phase1(const ref::Call& call, const Descriptors& descriptors,
                              aclOpExecutor** executor) {
  std::uint64_t size = kUntouchedSize;
  aclOpExecutor* const before = reinterpret_cast<aclOpExecutor*>(&untouched);
  aclOpExecutor* handed_out = before;
  Phase1 result;
  void* function = entries[static_cast<std::size_t>(call.op)].get_workspace_size;
  {
    const Within step(Step::phase1);
    result.status = invoke_phase1(function, call, descriptors, &size, &handed_out);
  }
  if (result.status != 0) result.message = recent_error();
  result.workspace = size;
  result.workspace_touched = size != kUntouchedSize;
  result.executor_touched = handed_out != before;
  result.executor_null = handed_out == nullptr;
  *executor = result.status == 0 && result.executor_touched ? handed_out : nullptr;
  if (*executor != nullptr) result.kernel = kernels.chosen(*executor);
  return result;
}

Phase1 Session::get_workspace_size(const ref::Call& call) {
  if (state_->conduct != nullptr) state_->conduct->admit(call, Misuse::none, nullptr);
  try {
    return state_->phase1_alone(call);
  } catch (const SubjectFailure& failure) {
    Phase1 result;
    result.failure = failure.what();
    return result;
  }
}

Outcome Session::perform(const Case& c, const std::vector<ref::Dense>& data, const Manner& manner) {
  if (state_->conduct != nullptr) state_->conduct->admit(c.call, c.misuse, &data);
  Outcome outcome;
  try {
    state_->perform(c, data, manner, outcome);
  } catch (const SubjectFailure& failure) {
    outcome.phase1.failure = failure.what();
  }
  if (manner.counted != Manner::Counted::no && outcome.ran && !outcome.phase1.kernel.empty()) {
    const bool compared = manner.counted == Manner::Counted::compared;
    ++state_->uses[{c.call.op, outcome.phase1.kernel, c.call.tensors.front().dtype,
                    compared ? kernels().instruction_set() : state_->told_set, compared}];
  }
  if (state_->conduct != nullptr) state_->conduct->settle(outcome);
  return outcome;
}

Phase1 Session::State::phase1_alone(const ref::Call& call) {
  // Tensors follow each other at the distances that the call claims, so that ranges overlap exactly
  // where the call says so. Phase 1 has no business in their data.
  const Layout layout = layout_of(call);
  std::vector<void*> data(call.tensors.size());
  std::uintptr_t next = reinterpret_cast<std::uintptr_t>(forbidden.data());
  for (const Allocation& allocation : layout.allocations) {
    const std::uintptr_t origin = next - static_cast<std::uintptr_t>(allocation.low);
    for (int slot : allocation.members) {
      data[slot] = call.tensors[slot].null_data ? nullptr
                                                : reinterpret_cast<void*>(origin + layout.at[slot]);
    }
    const auto bytes = static_cast<std::size_t>(allocation.high - allocation.low);
    note_memory(tensor_name(call.op, allocation.root), reinterpret_cast<std::byte*>(next), bytes);
    next += (bytes + 63) / 64 * 64 + 64;
  }
  aclOpExecutor* executor = nullptr;
  const Descriptors descriptors(api, call, data);
  Phase1 result = phase1(call, descriptors, &executor);
  if (executor != nullptr && api.destroy_executor != nullptr) api.destroy_executor(executor);
  forget_memory();
  return result;
}

}  // namespace gradproof::props
