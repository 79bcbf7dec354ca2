// Which of the functions that sequences use a library has.
#include "props/sequences/functions.h"

namespace gradproof::props {

Functions functions_of(const Api& api) {
  Functions functions = 0;
  const auto add = [&](Function f, bool there) {
    functions |= static_cast<Functions>(there ? 1 : 0) << static_cast<unsigned>(f);
  };
  add(Function::set_repeatable, api.set_repeatable != nullptr);
  add(Function::destroy_executor, api.destroy_executor != nullptr);
  add(Function::set_tensor_address, api.set_tensor_address != nullptr);
  add(Function::set_input_address, api.set_input_address != nullptr);
  add(Function::set_output_address, api.set_output_address != nullptr);
  add(Function::set_raw_address, api.set_raw_address != nullptr);
  add(Function::synchronise_with_timeout, api.synchronize_stream_with_timeout != nullptr);
  add(Function::stream_query, api.stream_query != nullptr);
  add(Function::events, api.create_event != nullptr && api.destroy_event != nullptr &&
                            api.record_event != nullptr && api.stream_wait_event != nullptr &&
                            api.synchronize_event != nullptr && api.query_event_status != nullptr);
  add(Function::memset_async, api.memset_async != nullptr);
  add(Function::synchronise_device, api.synchronize_device != nullptr);
  add(Function::reset_device, api.reset_device != nullptr);
  add(Function::recent_error, api.recent_error != nullptr);
  return functions;
}

}  // namespace gradproof::props
