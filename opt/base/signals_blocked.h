// Threads of this library run none of the program's signal handlers: they inherit a mask.
#pragma once

#include <csignal>

#include <pthread.h>

namespace gradproof {

/// While it lives, the calling thread, and every thread that it starts, has signals blocked: all
/// but those that an instruction raises itself, and SIGPROF, so that profilers see these threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF}) {
      sigdelset(&all, own);
    }
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  /// Whether the calling thread was started while another one had one of these.
  static bool inherited() {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    // perhaps uncovered: race
    return sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGRTMAX) == 1 &&
           sigismember(&mask, SIGPROF) == 0;
  }

 private:
  sigset_t before_;
};

}  // namespace gradproof
