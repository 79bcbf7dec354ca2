// A library whose one operator has a misspelt name, and which links an implementation that has them
// all.
#include "acl/acl.h"

extern "C" __attribute__((visibility("default"))) int aclnnReplicationPad2dBackwrd() {
  return aclrtSynchronizeStream(nullptr);
}
