// The profile by which `gradproof` judges this library.
#include "gradproof/profile.h"

#include "opt/runtime/config.h"

const char* gradproof_profile(void) {
  return gradproof::config().conformance == gradproof::Conformance::cann ? "gradproof-cann"
                                                                         : "gradproof";
}
