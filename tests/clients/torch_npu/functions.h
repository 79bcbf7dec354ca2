// Every function of the API by its name, as torch_npu finds them: this program is linked with no
// library of CANN's. In the manner of Ascend/op-plugin, op_plugin/utils/op_api_common.{h,cpp}
// (GetOpApiFuncAddr).
#pragma once

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace client {

/// The address of a function of libopapi_*.so under $ASCEND_HOME_PATH/lib64, of libopapi.so, of the
/// older versions' libraries, of libascendcl.so, in this order; null if none has it.
void* find(const char* name);
/// The same; ends the program if none has it.
void* must_find(const char* name);

/// A function that its header declares.
#define ACL(name) (*reinterpret_cast<decltype(&::name)>(client::must_find(#name)))

/// Ends the program with the status and the message of the calling thread.
void must_succeed(int status, const char* call);
#define MUST(call) client::must_succeed((call), #call)

}  // namespace client
