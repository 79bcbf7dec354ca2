// No call of this library is a cancellation point.
#pragma once

#include <pthread.h>

namespace gradproof {

/// While it lives, pthread_cancel on the calling thread waits: an unwinding that began in the
/// middle of a call would leave work half done, and end the process where nothing may throw.
class NoCancel {
 public:
  NoCancel() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NoCancel() { pthread_setcancelstate(before_, nullptr); }
  NoCancel(const NoCancel&) = delete;
  NoCancel& operator=(const NoCancel&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace gradproof
