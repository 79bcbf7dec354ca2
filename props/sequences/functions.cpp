// Which of the functions that sequences use a library has.
#include "props/sequences/functions.h"

namespace gradproof::props {

Functions functions_of(const Api& api, const profiles::Use* use) {
  Functions functions = 0;
  const auto add = [&](Function f, bool there) {
    functions |= static_cast<Functions>(there ? 1 : 0) << static_cast<unsigned>(f);
  };
  const auto promised = [&](std::string_view promise) {
    return use == nullptr || use->promises(promise);
  };
  const bool repeatable = promised("repeatable-executors");
  add(Function::set_repeatable, repeatable && api.set_repeatable != nullptr);
  add(Function::destroy_executor, api.destroy_executor != nullptr);
  add(Function::set_tensor_address, repeatable && api.set_tensor_address != nullptr);
  add(Function::set_input_address, repeatable && api.set_input_address != nullptr);
  add(Function::set_output_address, repeatable && api.set_output_address != nullptr);
  add(Function::set_raw_address, api.set_raw_address != nullptr);
  add(Function::synchronise_with_timeout, api.synchronize_stream_with_timeout != nullptr);
  add(Function::stream_query, api.stream_query != nullptr);
  add(Function::events, api.create_event != nullptr && api.destroy_event != nullptr &&
                            api.record_event != nullptr && api.stream_wait_event != nullptr &&
                            api.synchronize_event != nullptr && api.query_event_status != nullptr);
  add(Function::memset_async, api.memset_async != nullptr);
  add(Function::synchronise_device, api.synchronize_device != nullptr);
  add(Function::reset_device, promised("restart") && api.reset_device != nullptr);
  add(Function::recent_error, api.recent_error != nullptr && promised("messages"));
  add(Function::refusals, promised("handles-after-destruction") && promised("phase-2-checks") &&
                              promised("executors-after-failure"));
  add(Function::early_destruction, promised("early-destruction"));
  add(Function::restart, promised("restart"));
  add(Function::bad_indices, use == nullptr || !use->decides(profiles::Kind::out_of_range));
  add(Function::counted_resets, promised("process") && has(functions, Function::reset_device));
  add(Function::polling, promised("process") && api.stream_query != nullptr);
  return functions;
}

}  // namespace gradproof::props
