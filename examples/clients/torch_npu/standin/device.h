// Storage, streams and options; replaces torch_npu's core/NPUStorageImpl.h, core/NPUBridge.h and
// core/npu/.
#pragma once
#include <ATen/ATen.h>
#include <acl/acl.h>

#include <cstdint>
#include <string>

namespace torch_npu {
struct NPUStorageDesc {
  c10::SmallVector<int64_t, 5> base_sizes_, base_strides_, storage_sizes_;
  aclFormat origin_format_ = ACL_FORMAT_ND, npu_format_ = ACL_FORMAT_ND;
};
struct NPUStorageImpl : c10::StorageImpl {
  using c10::StorageImpl::StorageImpl;
  NPUStorageDesc npu_desc_;
  NPUStorageDesc get_npu_desc() const { return npu_desc_; }
};
struct NPUBridge {
  static NPUStorageImpl* GetNpuStorageImpl(const at::Tensor&) {
    TORCH_CHECK(false, "no NPUStorageImpl here");
  }
};
namespace utils {
inline bool is_npu(const at::Tensor&) { return true; }
}  // namespace utils
}  // namespace torch_npu

namespace c10_npu {
/// Destroyed tensors of a thread: their memory is reused only after a synchronisation.
void use_late_free();

/// The queue's thread runs pushed tasks in order; drain() waits for them and throws their first
/// error.
void push(std::function<void()> task);
void drain();

struct NPUStream {
  aclrtStream handle;
  aclrtStream stream(bool) const { return handle; }  // without emptying the task queue
  aclrtStream stream() const;                        // after emptying it
  void synchronize() const;
};
NPUStream getCurrentNPUStream();
void setCurrentNPUStream(NPUStream);  // of the calling thread
NPUStream newNPUStream();

inline bool check_enqueue_need_use(aclrtStream) { return false; }
inline bool check_dequeue_need_use(aclrtStream) { return false; }
inline bool is_core_control_enabled() { return false; }
inline int UseStreamResInCurrentThread(aclrtStream) { return 0; }
inline uint32_t GetResInCurrentThread(int32_t) { return 0; }
inline int8_t current_device() { return 0; }
struct DeterministicSnapshot {
  uint32_t effective_level = 0;
};
inline DeterministicSnapshot CaptureDeterministicSnapshot() { return {}; }
inline uint32_t GetDeterministicLevel() { return 0; }
enum class CaptureStatus { None, Active };
inline CaptureStatus currentStreamCaptureStatus() { return CaptureStatus::None; }
namespace acl {
enum { ACL_RT_DEV_RES_CUBE_CORE = 0, ACL_RT_DEV_RES_VECTOR_CORE = 1 };
inline bool IsExistRtGetStreamId() { return false; }
inline int AclrtStreamGetId(aclrtStream, int32_t*) { return 0; }
inline const char* AclGetSocName() { return aclrtGetSocName(); }
inline bool IsExistGetCannAttribute() { return false; }
inline int AclGetCannAttribute(int, int*) { return 0; }
}  // namespace acl
namespace option {
struct OptionsManager {
  static uint32_t GetTaskQueueEnable();
  static bool CheckInfNanModeEnable() { return true; }
  static bool CheckInfNanModeForceDisable() { return false; }
};
}  // namespace option

enum class DType { FLOAT8_E8M0 = 0 };
inline bool IsCustomDType(int64_t) { return false; }
inline aclDataType GetAclDataType(int64_t type) { return static_cast<aclDataType>(type); }
inline aclDataType GetAclDataType(DType) { return ACL_FLOAT8_E8M0; }
inline std::string CustomDataTypeToString(int64_t) { return "?"; }
}  // namespace c10_npu

inline bool IsGteCANNVersion(const std::string&, const std::string& = "CANN") { return true; }
