// Which of the functions that sequences use a library has.
#pragma once

#include <cstdint>

#include "props/profiles/use.h"
#include "props/subject/library.h"

namespace gradproof::props {

/// The functions that a library may lack and that commands need, and promises likewise.
enum class Function : std::uint8_t {
  set_repeatable,
  destroy_executor,
  set_tensor_address,
  set_input_address,
  set_output_address,
  set_raw_address,
  synchronise_with_timeout,
  stream_query,
  events,  ///< all of create, destroy, record, wait, synchronise, query
  memset_async,
  synchronise_device,
  reset_device,
  recent_error,
  refusals,           ///< what it refuses after a handle's end, and in phase 2, is promised
  early_destruction,  ///< executors need no descriptors
  restart,            ///< aclFinalize and aclInit in between
  bad_indices,        ///< an index outside its plane is reported by the synchronisation
  counted_resets,     ///< each aclrtSetDevice is undone by one aclrtResetDevice
  polling,            ///< work starts without a synchronisation, and queries tell its end
};
/// A set of them, by bit.
using Functions = std::uint32_t;
inline bool has(Functions functions, Function f) {
  return (functions >> static_cast<unsigned>(f) & 1u) != 0;
}

/// Of a library with that profile; null: one that promises everything.
Functions functions_of(const Api& api, const profiles::Use* use = nullptr);

}  // namespace gradproof::props
