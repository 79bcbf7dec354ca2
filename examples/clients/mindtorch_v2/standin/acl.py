"""A stand-in for pyACL, CANN's Python module `acl`, with ctypes: only the functions that mindtorch_v2 calls.

pyACL turns a C function `status f(T *out, ...)` into `out, status = f(...)`."""
import ctypes
import types

_library = ctypes.CDLL("libascendcl.so", mode=ctypes.RTLD_GLOBAL)  # the client has loaded it by path before
_POINTER, _SIZE, _INT, _UINT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_uint32


def _status(name, *arguments, result=ctypes.c_int32):
    function = getattr(_library, name)
    function.argtypes, function.restype = arguments, result
    return function


def _output(name, kind, *arguments):
    function = _status(name, ctypes.POINTER(kind), *arguments)

    def call(*values):
        output = kind()
        status = function(ctypes.byref(output), *values)
        return output.value or 0, status
    return call


_init = _status("aclInit", ctypes.c_char_p)
_message = _status("aclGetRecentErrMsg", result=ctypes.c_char_p)
_soc_name = _status("aclrtGetSocName", result=ctypes.c_char_p)
finalize = _status("aclFinalize")


def init(config_path=None):
    return _init(None if config_path is None else config_path.encode())


def get_soc_name():
    return _soc_name().decode()


def get_recent_err_msg():
    return (_message() or b"").decode()


rt = types.SimpleNamespace(
    set_device=_status("aclrtSetDevice", _INT),
    reset_device=_status("aclrtResetDevice", _INT),
    get_device_count=_output("aclrtGetDeviceCount", _UINT),
    create_context=_output("aclrtCreateContext", _POINTER, _INT),
    destroy_context=_status("aclrtDestroyContext", _POINTER),
    set_context=_status("aclrtSetCurrentContext", _POINTER),
    create_stream=_output("aclrtCreateStream", _POINTER),
    create_stream_with_config=_output("aclrtCreateStreamWithConfig", _POINTER, _UINT, _UINT),
    destroy_stream=_status("aclrtDestroyStream", _POINTER),
    synchronize_stream=_status("aclrtSynchronizeStream", _POINTER),
    synchronize_device=_status("aclrtSynchronizeDevice"),
    create_event=_output("aclrtCreateEvent", _POINTER),
    create_event_with_flag=_output("aclrtCreateEventWithFlag", _POINTER, _UINT),
    destroy_event=_status("aclrtDestroyEvent", _POINTER),
    record_event=_status("aclrtRecordEvent", _POINTER, _POINTER),
    synchronize_event=_status("aclrtSynchronizeEvent", _POINTER),
    stream_wait_event=_status("aclrtStreamWaitEvent", _POINTER, _POINTER),
    malloc=_output("aclrtMalloc", _POINTER, _SIZE, _INT),
    free=_status("aclrtFree", _POINTER),
    malloc_host=_output("aclrtMallocHost", _POINTER, _SIZE),
    free_host=_status("aclrtFreeHost", _POINTER),
    memcpy=_status("aclrtMemcpy", _POINTER, _SIZE, _POINTER, _SIZE, _INT),
    memcpy_async=_status("aclrtMemcpyAsync", _POINTER, _SIZE, _POINTER, _SIZE, _INT, _POINTER),
    memset=_status("aclrtMemset", _POINTER, _SIZE, _INT, _SIZE),
)

_elapsed = _status("aclrtEventElapsedTime", ctypes.POINTER(ctypes.c_float), _POINTER, _POINTER)
_memory = _status("aclrtGetMemInfo", _INT, ctypes.POINTER(_SIZE), ctypes.POINTER(_SIZE))
_query = _status("aclrtQueryEvent", _POINTER, ctypes.POINTER(_INT))


def _event_elapsed_time(start, end):
    milliseconds = ctypes.c_float()
    status = _elapsed(ctypes.byref(milliseconds), start, end)
    return milliseconds.value, status


def _get_mem_info(attribute):
    free, total = _SIZE(), _SIZE()
    status = _memory(attribute, ctypes.byref(free), ctypes.byref(total))
    return free.value, total.value, status


def _query_event(event):
    state = _INT()
    status = _query(event, ctypes.byref(state))
    return state.value, status


rt.event_elapsed_time, rt.get_mem_info, rt.query_event = _event_elapsed_time, _get_mem_info, _query_event
util = types.SimpleNamespace(
    ptr_to_bytes=ctypes.string_at,
    numpy_to_ptr=lambda array: array.ctypes.data,
)
op = types.SimpleNamespace(set_model_dir=lambda path: 0)
