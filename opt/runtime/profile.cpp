// The profile by which `gradproof` judges this library.
#include "gradproof/profile.h"

const char* gradproof_profile(void) { return "gradproof"; }
