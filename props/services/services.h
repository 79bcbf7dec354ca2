// The functions of the API around the operators: do they answer what their headers say?
//
// Each of these asks one group of functions a fixed list of questions and returns what the first
// wrong answer is, or an empty text. They leave the library as they found it, and throw Missing if
// it lacks a function.
#pragma once

#include <string>

#include "props/subject/session.h"

namespace gradproof::props {

/// The library's version and build.
std::string ask_version(const Library& library);
/// aclnnInit and aclnnFinalize, which are optional.
std::string ask_operator_library(const Library& library);
/// Allocation, copies, fills: right ones, and wrong ones at each border.
std::string ask_memory(const Library& library);
/// Tensors: what they keep, and what they refuse.
std::string ask_descriptors(const Library& library);
/// Arrays, scalars and lists likewise.
std::string ask_lists(const Library& library);
/// Arguments of phase 1 that are no descriptors of their kind. `c` keeps all rules.
std::string ask_arguments(const Library& library, const Case& c);
/// Device, version and contexts with wrong arguments, and their few facts.
std::string ask_device(const Library& library);
/// Streams without work, and events, likewise.
std::string ask_streams(const Library& library);
/// Streams and events with work in hand; messages.
std::string ask_busy(const Library& library);
/// Resets beside work, a fork, a cancelled caller, exit() beside calls, dlclose, no aclInit, tasks
/// of the program.
std::string ask_process(const Library& library);
/// Streams whose queue is full. `c` is a plain case, whose call is made on them if it has a result.
std::string ask_full_queues(const Library& library, const Case& c);
/// A result that gets the address of an input after phase 1. `c` is a plain case.
std::string ask_moved_result(const Library& library, const Case& c);
/// What the conformance `cann` accepts of a call's memory.
std::string ask_cann_memory(const Library& library, ref::Product product);
/// A workspace that calls on two streams share. `c` is a plain case.
std::string ask_shared_workspace(const Library& library, const Case& c);
/// A stream on which two threads launch.
std::string ask_shared_stream(const Library& library);
/// Sizes of types; FLOAT16 in both directions against the reference.
std::string ask_numbers(const Library& library);
/// Blocks from the program's allocator.
std::string ask_allocator(const Library& library);
/// Options that the program chooses.
std::string ask_options(const Library& library);
/// Where the log goes. `c` breaks no rule and misuses nothing, here and below.
std::string ask_log(Session& session, const Case& c);
/// The numbers that programs watch.
std::string ask_statistics(Session& session, const Case& c);
/// The kernels' names, which one is wanted, and which is left out.
std::string ask_kernels(Session& session, const Case& c);
/// A kernel of the program's in place of the library's. `c` is a plain case.
std::string ask_own_kernel(const Library& library, const Case& c);
/// aclInit's file and the environment. `call` is one that keeps all rules. The session goes on as
/// the product that it was.
std::string ask_configuration(Session& session, const ref::Call& call);
/// What of them the library promises, beside the log.
struct Diagnostics {
  bool trace = true, strict = true;
};
/// The log, the trace and strict device mode, by a small program; the session goes on likewise.
std::string ask_diagnosis(Session& session, const Diagnostics& promised = {});
/// One operator with and without them.
std::string ask_observation(Session& session, const Case& c, const Diagnostics& promised = {});

}  // namespace gradproof::props
