// Loads an implementation under test and looks its functions up.
#include "props/subject/library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <type_traits>

#include "props/cases/input_error.h"
#include "props/subject/float_mode.h"

namespace gradproof::props {
namespace {

/// A bare file name means the file in the working directory if there is one, as for every other
/// argument of a command, and only then what the loader's search path has.
std::string as_loader_path(const std::string& path) {
  std::error_code ignored;
  if (path.find('/') == std::string::npos && std::filesystem::exists(path, ignored))
    return "./" + path;
  return path;
}

/// The texts of a file's dynamic section under a tag: its own name, those that it filters.
std::vector<std::string_view> dynamic_texts(const link_map& file, ElfW(Sxword) tag) {
  ElfW(Addr) strings = 0;
  for (const ElfW(Dyn)* entry = file.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
  }
  if (strings < file.l_addr) strings += file.l_addr;  // some loaders leave the address relative
  std::vector<std::string_view> texts;
  for (const ElfW(Dyn)* entry = file.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == tag)
      texts.emplace_back(reinterpret_cast<const char*>(strings + entry->d_un.d_val));
  }
  return texts;
}

/// Whether what the file `home` defines is offered by the file `given` as its own: they are the
/// same file, or `given` is a filter (DT_FILTER) in front of `home`. Several names of one file are
/// one map.
bool offers(const link_map& given, const link_map& home) {
  if (&given == &home) return true;
  for (const std::string_view filtered : dynamic_texts(given, DT_FILTER)) {
    for (const std::string_view name : dynamic_texts(home, DT_SONAME)) {
      if (filtered == name) return true;
    }
  }
  return false;
}

/// What helps if the loader misses a sanitizer's functions: clang does not link them into
/// libraries.
std::string sanitizer_hint(std::string_view reason) {
#if defined(__aarch64__)
  const std::string file_end = "-aarch64.so) ";
#else
  const std::string file_end = "-x86_64.so) ";
#endif
  struct Runtime {
    const char *symbols, *name, *options;
  };
  for (const auto& [symbols, name, options] :
       {Runtime{"__asan_", "asan", "ASAN_OPTIONS=detect_leaks=0 "},
        Runtime{"__ubsan_", "ubsan_standalone", ""}, Runtime{"__tsan_", "tsan", ""},
        Runtime{"__hwasan_", "hwasan", ""}}) {
    if (reason.find(std::string("undefined symbol: ") + symbols) != std::string_view::npos)
      return ". The library was compiled with a sanitizer, whose runtime must be loaded first, for "
             "example: LD_PRELOAD=$(clang++ -print-file-name=libclang_rt." +
             (name + file_end) + options + "gradproof …";
  }
  if (reason.find("libtsan.so") != std::string_view::npos)  // no room for its thread-local data
    return ". Its runtime must be loaded first: LD_PRELOAD=$(c++ -print-file-name=libtsan.so) "
           "gradproof …";
  return "";
}

/// What helps if the loader does not find a library that this one needs.
std::string needed_library_hint(std::string_view reason, std::string_view path) {
  if (reason.starts_with(path) ||
      reason.find("cannot open shared object file") == std::string_view::npos)
    return "";
  return ". Add the directory of that library to LD_LIBRARY_PATH; for a library of gradproof: "
         "source PREFIX/set_env.sh";
}

/// The loader's record of the file that defines a function; null if it is not known.
const link_map* home_of(void* function) {
  Dl_info info;
  void* map = nullptr;
  return dladdr1(function, &info, &map, RTLD_DL_LINKMAP) != 0 ? static_cast<link_map*>(map)
                                                              : nullptr;
}

}  // namespace

std::string file_of(void* function) {
  const link_map* home = home_of(function);
  if (home == nullptr) return "an unknown file";
  return *home->l_name != '\0' ? home->l_name : "the program itself";
}

Library::Library(std::span<const std::string> paths, Stay stay)
    : stay_(stay), paths_(paths.begin(), paths.end()) {
  if (paths_.empty()) throw InputError("no library given");
  for (const std::string& path : paths_) load(path);

  const auto optional = [this](auto& function, const char* name) {
    void* const found = symbol(name);
    if (found != nullptr) runtime_.push_back(found);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
  };
  std::vector<std::string> found, missing;
  const auto required = [&](auto& function, const char* name) {
    optional(function, name);
    (function != nullptr ? found : missing).emplace_back(name);
  };
  required(api_.init, "aclInit");
  required(api_.finalize, "aclFinalize");
  required(api_.set_device, "aclrtSetDevice");
  required(api_.create_stream, "aclrtCreateStream");
  required(api_.destroy_stream, "aclrtDestroyStream");
  required(api_.synchronize_stream, "aclrtSynchronizeStream");
  required(api_.malloc, "aclrtMalloc");
  required(api_.free, "aclrtFree");
  required(api_.memcpy, "aclrtMemcpy");
  required(api_.create_tensor, "aclCreateTensor");
  required(api_.destroy_tensor, "aclDestroyTensor");
  required(api_.create_int_array, "aclCreateIntArray");
  required(api_.destroy_int_array, "aclDestroyIntArray");
  if (!missing.empty()) throw InputError(what_lacks(missing, found.empty()));
  optional(api_.reset_device, "aclrtResetDevice");
  optional(api_.get_soc_name, "aclrtGetSocName");
  optional(api_.get_mem_info, "aclrtGetMemInfo");
  optional(api_.recent_error, "aclGetRecentErrMsg");
  optional(api_.set_repeatable, "aclSetAclOpExecutorRepeatable");
  optional(api_.destroy_executor, "aclDestroyAclOpExecutor");
  optional(api_.set_tensor_address, "aclSetTensorAddr");
  optional(api_.set_input_address, "aclSetInputTensorAddr");
  optional(api_.set_output_address, "aclSetOutputTensorAddr");
  optional(api_.set_raw_address, "aclSetRawTensorAddr");
  optional(api_.synchronize_stream_with_timeout, "aclrtSynchronizeStreamWithTimeout");
  optional(api_.stream_query, "aclrtStreamQuery");
  optional(api_.create_event, "aclrtCreateEvent");
  optional(api_.destroy_event, "aclrtDestroyEvent");
  optional(api_.record_event, "aclrtRecordEvent");
  optional(api_.stream_wait_event, "aclrtStreamWaitEvent");
  optional(api_.synchronize_event, "aclrtSynchronizeEvent");
  optional(api_.query_event_status, "aclrtQueryEventStatus");
  optional(api_.memset_async, "aclrtMemsetAsync");
  optional(api_.synchronize_device, "aclrtSynchronizeDevice");
  start();
}

Library::~Library() {
  if (stay_ == Stay::for_good) return;
  for (auto handle = handles_.rbegin(); handle != handles_.rend(); ++handle) dlclose(*handle);
}

std::string Library::what_lacks(const std::vector<std::string>& missing, bool lacks_all) const {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (const std::string& path : paths_) text += (text.empty() ? "" : ", ") + path;
  text += ": no function " + missing.front();
  for (std::size_t i = 1; i < std::min(missing.size(), kNamed); ++i) text += ", " + missing[i];
  if (missing.size() > kNamed)
    text += " and " + std::to_string(missing.size() - kNamed) + " more of the acl runtime";
  if (lacks_all && operators().empty()) {
    return text +
           ", and no operator: this does not look like a library of the aclnn API. A file with "
           "kernels of your own needs GRADPROOF_KERNEL (docs/subjects.md)";
  }
  return text + ". If the library is split over several files, pass each with --library" +
         (lacks_all ? ", here also the one with the runtime (libascendcl.so)" : "");
}

void Library::start() {
  void* const start = own_symbol("gradproof_start");
  if (start == nullptr) return;
  if (const char* const wrong = reinterpret_cast<const char* (*)()>(start)())
    throw InputError(wrong);
  has_ = reinterpret_cast<bool (*)(const char*)>(own_symbol("gradproof_has"));
}

void Library::load(const std::string& path) {
  const FloatModeKept mode;
  void* handle = dlopen(path.empty() ? nullptr : as_loader_path(path).c_str(),
                        RTLD_NOW | RTLD_LOCAL | (stay_ == Stay::for_good ? RTLD_NODELETE : 0));
  if (handle == nullptr) {
    const char* const error = dlerror();
    const std::string reason = error != nullptr ? error : "unknown reason";
    throw InputError(path + ": cannot be loaded: " + reason + sanitizer_hint(reason) +
                     needed_library_hint(reason, as_loader_path(path)));
  }
  sets_float_mode_ = sets_float_mode_ || !float_mode_is_usual();
  handles_.push_back(handle);
  whole_program_ = whole_program_ || path.empty();
}

void* Library::symbol(const char* name) const {
  for (void* handle : handles_) {
    if (void* found = dlsym(handle, name)) return found;
  }
  return nullptr;
}

void* Library::own_symbol(const char* name) const {
  if (whole_program_) return symbol(name);
  for (void* handle : handles_) {
    void* found = dlsym(handle, name);
    if (found == nullptr) continue;
    // The search goes on into the file's dependencies.
    const link_map* home = home_of(found);
    for (void* given : handles_) {
      link_map* map = nullptr;
      if (home != nullptr && dlinfo(given, RTLD_DI_LINKMAP, &map) == 0 && offers(*map, *home))
        return found;
    }
  }
  return nullptr;
}

EntryPoints Library::entry(ref::Operator op) const {
  if (has_ != nullptr && !has_(ref::signature(op).stem.data())) return {};
  const std::string api(ref::signature(op).api);
  return {own_symbol((api + "GetWorkspaceSize").c_str()), own_symbol(api.c_str())};
}

Provision Library::provision() const {
  Provision provision;
  provision.runtime = file_of(reinterpret_cast<void*>(api_.init));
  for (void* const function : runtime_) {
    std::string file = file_of(function);
    if (file != provision.runtime) ++provision.other_runtime[std::move(file)];
  }
  provision.names_product = api_.get_soc_name != nullptr;
  provision.sets_float_mode = sets_float_mode_;
  if (void* const conformance = own_symbol("gradproof_conformance"))
    provision.conformance = reinterpret_cast<const char* (*)()>(conformance)();
  if (void* const validation = own_symbol("gradproof_validation"))
    provision.validation = reinterpret_cast<const char* (*)()>(validation)();
  if (void* const tensors = own_symbol("gradproof_tensors"))
    provision.tensors = reinterpret_cast<const char* (*)()>(tensors)();
  if (void* const memory = own_symbol("gradproof_memory"))
    provision.host_memory =
        std::string_view(reinterpret_cast<const char* (*)()>(memory)()) == "host";
  void* const source = own_symbol("gradproof_source");
  for (const ref::Operator op : operators()) {
    provision.operators.push_back({op, source != nullptr
                                           ? reinterpret_cast<const char* (*)()>(source)()
                                           : file_of(entry(op).get_workspace_size)});
  }
  if (!provision.validation.empty())
    return provision;  // a kit links the implementation that it stands on
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const auto op = static_cast<ref::Operator>(i);
    void* const linked = symbol((std::string(ref::signature(op).api) + "GetWorkspaceSize").c_str());
    if (linked != nullptr && entry(op).get_workspace_size == nullptr)
      provision.of_dependencies.push_back({op, file_of(linked)});
  }
  return provision;
}

std::vector<ref::Operator> Library::operators() const {
  std::vector<ref::Operator> found;
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const auto op = static_cast<ref::Operator>(i);
    const EntryPoints entry_points = entry(op);
    if (entry_points.get_workspace_size != nullptr && entry_points.run != nullptr)
      found.push_back(op);
  }
  return found;
}

}  // namespace gradproof::props
