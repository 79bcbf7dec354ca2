"""A program that calls as mindtorch_v2's NPU backend does: mindspore-lab/mindnlp,
src/mindtorch_v2/_backends/npu/aclnn.py, backward.py, ops.py and runtime.py.

    client.py FOLDER EXECUTORS END

Python's ctypes alone, with the libraries in FOLDER by path. Descriptors are ND where the client makes them so, with
the view's shape as the storage's, and are destroyed right after phase 2. Executors are destroyed when the interpreter
exits (EXECUTORS = late), or never (never). At the END work is done (synchronised) or still on its way (pending), and
the runtime is finalised at the exit all the same, or nothing is (abandoned). Results are compared with plain loops.
"""
import atexit
import ctypes
import os
import sys

import plain

FOLDER, EXECUTORS, END = sys.argv[1:4]
ND, NCHW = 2, 0
FLOAT, FLOAT16, INT8, INT32 = 0, 1, 2, 3
WIDTH = {FLOAT: 4, FLOAT16: 2, INT8: 1, INT32: 4}
TO_DEVICE, TO_HOST = 1, 2
POINTER, SIZE = ctypes.c_void_p, ctypes.c_uint64


def load(name, mode=ctypes.RTLD_LOCAL):
    return ctypes.CDLL(os.path.join(FOLDER, name), mode=mode)


runtime = load("libascendcl.so", ctypes.RTLD_GLOBAL)
libraries = [load("libnnopbase.so")]
load("libopapi.so", ctypes.RTLD_GLOBAL)
libraries += [load(name) for name in ("libaclnn_ops_infer.so", "libaclnn_math.so", "libopapi.so")]


def bind(name, arguments, result=ctypes.c_int32):
    """The function, from the first library that has it; none if none has."""
    for library in libraries:
        if hasattr(library, name):
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
            return function
    return None


NUMBERS = ctypes.POINTER(ctypes.c_int64)
create_tensor = bind("aclCreateTensor", [NUMBERS, SIZE, ctypes.c_int32, NUMBERS, ctypes.c_int64, ctypes.c_int32,
                                         NUMBERS, SIZE, POINTER], POINTER)
create_int_array = bind("aclCreateIntArray", [NUMBERS, SIZE], POINTER)
destroy_tensor = bind("aclDestroyTensor", [POINTER])
destroy_int_array = bind("aclDestroyIntArray", [POINTER])
destroy_executor = bind("aclDestroyAclOpExecutor", [POINTER])
UPSAMPLE = "aclnnUpsampleBilinear2dBackward"  # the first version
runtime.aclGetRecentErrMsg.restype = ctypes.c_char_p


def must(status, what):
    if status != 0:
        raise RuntimeError(f"{what} answered {status}: {runtime.aclGetRecentErrMsg()}")


class Device:
    """The runtime, as its stand-in for pyACL sees it: a context, a stream, memory."""

    def __init__(self):
        context, stream = POINTER(), POINTER()
        must(runtime.aclInit(None), "aclInit")
        must(runtime.aclrtSetDevice(0), "aclrtSetDevice")
        must(runtime.aclrtCreateContext(ctypes.byref(context), 0), "aclrtCreateContext")
        must(runtime.aclrtCreateStream(ctypes.byref(stream)), "aclrtCreateStream")
        self.context, self.stream = context, stream
        self.executors, self.workspaces = [], []

    def allocate(self, size):
        pointer = POINTER()
        must(runtime.aclrtMalloc(ctypes.byref(pointer), SIZE(size), 0), "aclrtMalloc")
        return pointer

    def copy(self, to, source, size, kind):
        must(runtime.aclrtMemcpy(to, SIZE(size), source, SIZE(size), kind), "aclrtMemcpy")

    def synchronize(self):
        must(runtime.aclrtSynchronizeStream(self.stream), "aclrtSynchronizeStream")
        for workspace in self.workspaces:
            must(runtime.aclrtFree(workspace), "aclrtFree")
        self.workspaces = []

    def destroy_executors(self):
        for executor in self.executors:
            destroy_executor(executor)  # many are gone: what it answers is not looked at

    def finalize(self):
        runtime.aclrtDestroyStream(self.stream)
        runtime.aclrtDestroyContext(self.context)
        runtime.aclrtResetDevice(0)
        runtime.aclFinalize()


def strides(shape):
    result = [1] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        result[axis - 1] = result[axis] * shape[axis]
    return result


def count(shape):
    return strides(shape)[0] * shape[0]


def numbers(values):
    return (ctypes.c_int64 * len(values))(*values)


class Tensor:
    """Device memory of a contiguous tensor; each call describes it anew, in a format of the call's choice."""

    def __init__(self, shape, dtype, values=None):
        self.shape, self.dtype, self.size = shape, dtype, count(shape) * WIDTH[dtype]
        self.pointer = device.allocate(self.size)
        if values is not None:
            device.copy(self.pointer, plain.pack(values, dtype == FLOAT16), self.size, TO_DEVICE)

    def values(self):
        host = ctypes.create_string_buffer(self.size)
        device.copy(host, self.pointer, self.size, TO_HOST)
        return plain.unpack(host.raw, self.dtype == FLOAT16)

    def descriptor(self, form):
        shape = numbers(self.shape)
        return create_tensor(shape, len(self.shape), self.dtype, numbers(strides(self.shape)), 0, form, shape,
                             len(self.shape), self.pointer)


def call(name, *arguments):
    """Both phases. An argument is (tensor, format), a list of numbers, a bool or a float."""
    handles, tensors, arrays = [], [], []
    for argument in arguments:
        if isinstance(argument, tuple):
            tensors.append(argument[0].descriptor(argument[1]))
            handles.append(POINTER(tensors[-1]))
        elif isinstance(argument, list):
            arrays.append(create_int_array(numbers(argument), len(argument)))
            handles.append(POINTER(arrays[-1]))
        else:
            handles.append((ctypes.c_bool if isinstance(argument, bool) else ctypes.c_double)(argument))
    phase1 = bind(name + "GetWorkspaceSize", [type(handle) for handle in handles] + [POINTER, POINTER])
    phase2 = bind(name, [POINTER, SIZE, POINTER, POINTER])
    size, executor, workspace = SIZE(0), POINTER(), None
    must(phase1(*handles, ctypes.byref(size), ctypes.byref(executor)), name + "GetWorkspaceSize")
    if size.value:
        workspace = device.allocate(size.value)
        device.workspaces.append(workspace)
    must(phase2(workspace, size, executor, device.stream), name)
    device.executors.append(executor)
    for tensor in tensors:
        destroy_tensor(tensor)
    for array in arrays:
        destroy_int_array(array)


def max_pool3d(dtype):
    shape, out, window = (2, 3, 5, 6, 7), (2, 3, 3, 3, 4), [[2, 3, 3], [2, 2, 2], [1, 1, 1], [1, 1, 1]]
    image, gradients = plain.image(count(shape)), plain.gradients(count(out))
    x, y, indices = Tensor(shape, dtype, image), Tensor(out, dtype), Tensor(out, INT32)
    call("aclnnMaxPool3dWithArgmax", (x, ND), *window, False, (y, ND), (indices, ND))
    g, result = Tensor(out, dtype, gradients), Tensor(shape, dtype)
    call("aclnnMaxPool3dWithArgmaxBackward", (g, ND), (x, ND), (indices, ND), *window, False, (result, ND))
    return result, plain.pool_gradient(image, gradients, shape[2:], out[2:], *window[:3])


def max_pool2d(dtype):
    shape, out, window = (2, 3, 8, 9), (2, 3, 4, 5), [[3, 2], [2, 2], [1, 1], [1, 1]]
    mask_shape = (2, 3, 6, ((4 * 5 + 15) // 16 + 1) * 32)
    image, gradients = plain.image(count(shape)), plain.gradients(count(out))
    x, y, mask = Tensor(shape, dtype, image), Tensor(out, dtype), Tensor(mask_shape, INT8)
    call("aclnnMaxPool2dWithMask", (x, NCHW), *window, False, (y, NCHW), (mask, NCHW))
    g, result = Tensor(out, dtype, gradients), Tensor(shape, dtype)
    call("aclnnMaxPool2dWithMaskBackward", (g, NCHW), (x, NCHW), (mask, ND), *window, False, (result, NCHW))
    return result, plain.pool_gradient(image, gradients, (1, 8, 9), (1, 4, 5), *([fill] + sizes for fill, sizes in
                                                                               zip((1, 1, 0), window)))


def upsample(dtype, align_corners):
    shape, size = (2, 3, 5, 4), [9, 7] if align_corners else [10, 8]
    out = (2, 3, *size)
    gradients = plain.gradients(count(out))
    g, result = Tensor(out, dtype, gradients), Tensor(shape, dtype)
    call(UPSAMPLE, (g, ND), size, list(shape), align_corners, size[0] / 5, size[1] / 4, (result, ND))
    return result, plain.upsample_gradient(gradients, 5, 4, align_corners)


device = Device()
if END != "abandoned":
    atexit.register(device.finalize)
if EXECUTORS == "late":
    atexit.register(device.destroy_executors)  # before the runtime is finalised

if bind("aclnnAdd", []) is not None:
    sys.exit("aclnnAdd is there, but nothing should pretend to have it")
results = []
for kind in (FLOAT, FLOAT16):
    results += [max_pool3d(kind), max_pool2d(kind), upsample(kind, False), upsample(kind, True)]
device.synchronize()
wrong = sum(result.values() != due for result, due in results)
print(f"{len(results)} gradients, {wrong} wrong")

if END != "synchronised":
    large, small = Tensor((1, 64, 256, 256), FLOAT), Tensor((1, 64, 128, 128), FLOAT)
    for _ in range(50):
        call(UPSAMPLE, (large, ND), [256, 256], [1, 64, 128, 128], False, 2.0, 2.0, (small, ND))
sys.exit(1 if wrong else 0)
