// aclInit and aclFinalize, and their counterparts of the aclnn API.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "opt/base/no_cancel.h"
#include "opt/runtime/config_source.h"
#include "opt/runtime/conformance.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/message.h"
#include "opt/runtime/process.h"
#include "opt/runtime/stream_table.h"
#include "opt/runtime/strict.h"

namespace gradproof {
namespace {

enum class Life { never_begun, running, finalized };

Status check_resolves(const char* path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(realpath(path, nullptr), std::free);
  if (resolved != nullptr) return {};
  return {ACL_ERROR_INVALID_FILE,
          std::string("configuration file '") + path + "' cannot be resolved by realpath"};
}

constinit std::mutex life_mutex;
constinit Life life = Life::never_begun;  // guarded by life_mutex

}  // namespace

void life_at_fork(Fork phase) noexcept {
  // perhaps uncovered: forked child
  if (phase == Fork::in_child) new (&life_mutex) std::mutex;  // aclFinalize may hold it for long
}

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclError aclInit(const char* configPath) {
  const NoCancel whole;
  Remarks remarks;
  const aclError result = without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const std::lock_guard lock(life_mutex);
    if (life == Life::running) {
      return fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit: called again without aclFinalize");
    }
    Config config = default_config();
    Status status = read_environment(config, remarks);
    if (status.ok() && configPath != nullptr) {
      status = goes(RuntimeWay::resolved_file, config.conformance) ? check_resolves(configPath)
                                                                   : Status();
      if (status.ok()) status = read_config_file(configPath, config, remarks);
    }
    if (status.ok()) status = set_config(config);
    if (!status.ok()) return fail(status.code(), "aclInit: %s", status.message());
    life = Life::running;
    return ACL_SUCCESS;
  });
  // To a function of the program's, which may call the library: without the lock.
  if (result == ACL_SUCCESS) log_remarks(remarks);
  return result;
}

aclError aclFinalize() {
  const NoCancel whole;
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const std::lock_guard lock(life_mutex);
    if (life == Life::never_begun) {  // uncovered: no aclInit before
      return fail(ACL_ERROR_UNINITIALIZE, "aclFinalize: aclInit was not called");
    }
    if (life == Life::finalized) {
      return fail(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize: called again without aclInit");
    }
    const Status pending = finish_device();
    forget_device_references();
    life = Life::finalized;
    if (strict::on()) tell_leaked_blocks();
    forget_config();
    return report(pending);
  });
}

aclnnStatus aclnnInit(const char*) { return ACLNN_SUCCESS; }

aclnnStatus aclnnFinalize(void) { return ACLNN_SUCCESS; }

}  // extern "C"
