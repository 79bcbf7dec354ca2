// For LD_PRELOAD: a host on which no thread can be started.
#include <pthread.h>

#include <cerrno>

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t*,
                                                                     const pthread_attr_t*,
                                                                     void* (*)(void*), void*) {
  return EAGAIN;
}
