// The per-thread message behind aclGetRecentErrMsg.
#pragma once

#include <exception>
#include <new>

#include "opt/base/status.h"
#include "opt/runtime/handle_table.h"

namespace gradproof {

/// Makes `status` the calling thread's recent error if it is one, and returns its code.
std::int32_t report(const Status& status) noexcept;

/// Same with printf's formatting. Allocates nothing, so it also serves when memory has run out.
[[gnu::format(printf, 2, 3)]] std::int32_t fail(std::int32_t code, const char* format,
                                                ...) noexcept;

/// The recent message, which is forgotten by the call; null if there is none. The text stays until
/// the thread's next failure.
const char* take_message() noexcept;

/// Keeps the recent message as the reason why phase 1 of `api` has just failed on this thread, for
/// the phase 2 that a caller may attempt all the same; or forgets such a reason.
void keep_refusal(const char* api) noexcept;
void forget_refusal() noexcept;
/// That reason; null if this thread's latest phase 1 succeeded or was another operator's.
const char* refusal_of(const char* api) noexcept;

/// Runs the body of an API function: nothing may be thrown to a C caller. What these bodies can
/// meet is a lack of memory or of threads; `lacking` is the answer to either.
template <class Body>
std::int32_t without_throwing(const char* function, std::int32_t lacking, Body&& body) noexcept {
  try {
    return body();
  } catch (const HandlesExhausted& error) {  // perhaps uncovered: 2^24 handles of a kind
    return fail(lacking, "%s: %s", function, error.what());
  } catch (const std::bad_alloc&) {
    return fail(lacking, "%s: out of memory", function);
  } catch (const std::exception& error) {
    return fail(lacking, "%s: %s", function, error.what());
  }
}

}  // namespace gradproof
