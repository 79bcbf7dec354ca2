// The Python program of a case.
#include <algorithm>
#include <ostream>

#include "props/cli/emit.h"
#include "ref/call.h"
#include "ref/element.h"

namespace gradproof::cli {
namespace {

constexpr const char* kHelpers = R"(import ctypes
import math
import os
import struct
import sys

INF, NAN = math.inf, math.nan
FORMATS = {0: "f", 1: "e", 2: "b", 3: "i", 4: "B", 9: "q", 11: "d", 16: "f", 17: "d", 27: "f"}
BF16 = 27


class Tensor:
    """A view of memory; strides and offset in elements, `at` in bytes."""

    def __init__(self, name, dtype, fmt, shape, strides, offset, storage, block, at, null_strides):
        self.name, self.dtype, self.format, self.shape, self.strides = name, dtype, fmt, shape, strides
        self.offset, self.storage, self.block, self.at = offset, storage, block, at
        self.null_strides = null_strides
        self.parts = 2 if dtype in (16, 17) else 1
        self.width = 2 if dtype == BF16 else struct.calcsize(FORMATS.get(dtype, "f"))

    def places(self):
        """Byte offsets of all real numbers in row-major order."""
        count = math.prod(self.shape)
        for i in range(count):
            element, rest = self.offset, i
            for extent, stride in zip(reversed(self.shape), reversed(self.strides)):
                element += rest % extent * stride
                rest //= extent
            for part in range(self.parts):
                yield (element * self.parts + part) * self.width

    def store(self, memory, values):
        for byte, value in zip(self.places(), values):
            if self.dtype == BF16:
                data = struct.pack("<f", value)[2:]
            else:
                code = FORMATS[self.dtype]
                data = struct.pack("<" + code, value if code in "fed" else int(value))
            memory[self.at + byte : self.at + byte + self.width] = data

    def load(self, memory):
        for byte in self.places():
            data = bytes(memory[self.at + byte : self.at + byte + self.width])
            if self.dtype == BF16:
                yield struct.unpack("<f", b"\0\0" + data)[0]
            else:
                yield struct.unpack("<" + FORMATS[self.dtype], data)[0]


def int64s(values):
    return (ctypes.c_int64 * max(len(values), 1))(*values)


def create(tensor, data):
    function = api("aclCreateTensor")
    function.restype = ctypes.c_void_p
    strides = None if tensor.null_strides else int64s(tensor.strides)
    return ctypes.c_void_p(function(
        int64s(tensor.shape), ctypes.c_uint64(len(tensor.shape)), tensor.dtype, strides,
        ctypes.c_int64(tensor.offset), tensor.format, int64s(tensor.storage),
        ctypes.c_uint64(len(tensor.storage)), data))


def int_array(values):
    function = api("aclCreateIntArray")
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(int64s(values), ctypes.c_uint64(len(values))))


def api(name):
    for library in libraries:
        try:
            return getattr(library, name)
        except AttributeError:
            pass
    sys.exit(f"no library defines {name}")


def message():
    function = api("aclGetRecentErrMsg")
    function.restype = ctypes.c_char_p
    return (function() or b"").decode(errors="replace")


def demand(status, what):
    if status != 0:
        print(f"{what} returned {status}: {message()}")
        sys.exit(2)


def compare_status(what, got, expected, why=""):
    text = f"{what}: expected {expected}" + (f", for {why}" if why else "") + f", got {got}"
    print(text + ("" if got == expected else "  WRONG"))
    if got != 0:
        print(f"  message: {message()}")
    if got != expected:
        sys.exit(1)


def compare_values(tensor, memory, exact, low, high, also):
    wrong = 0
    print(f"{tensor.name}:")
    for i, got in enumerate(tensor.load(memory)):
        besides = also[i] if also else 0
        right = (low[i] <= got <= high[i] or (math.isnan(got) and besides & 4)
                 or (math.isinf(got) and besides & (1 if got < 0 else 2)))
        wrong += not right
        if right and len(exact) > 256:
            continue
        where, rest = [], i // tensor.parts
        for extent in reversed(tensor.shape):
            where.insert(0, str(rest % extent))
            rest //= extent
        print(f"  [{','.join(where)}] expected {exact[i]:.9g} ({low[i]:.9g} to {high[i]:.9g}), "
              f"got {got:.9g}" + ("" if right else "  WRONG"))
    print(f"  {wrong} of {len(exact)} wrong")
    return wrong == 0


def compare_rest(names, before, after, results):
    """Prints the first byte that has changed and is outside the results; names: of the tensors in each block."""
    for block, (old, new) in enumerate(zip(before, after)):
        result = {t.at + byte + i for t in results if t.block == block for byte in t.places()
                  for i in range(t.width)}
        for i, (expected, got) in enumerate(zip(old, new)):
            if got != expected and i not in result:
                print(f"memory of {names[block]}: byte {i}, outside the result: expected {expected:02X}, "
                      f"got {got:02X}  WRONG")
                return False
    return True


)";

template <class T>
std::string list(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) text += (text.size() > 1 ? ", " : "") + std::to_string(value);
  return text + "]";
}

std::string tensor_argument(const Emitted& e, const ref::Parameter& p) {
  const ref::Tensor& t = e.test.call.tensors[static_cast<std::size_t>(p.slot)];
  if (t.null) return "None";
  const std::string name(p.name), block = std::to_string(e.layout.allocation[p.slot]);
  return "create(" + name + ", " +
         (t.null_data ? "None" : "ctypes.c_void_p(device[" + block + "].value + " + name + ".at)") +
         ")";
}

}  // namespace

void print_python(std::ostream& out, const Emitted& e) {
  const ref::Call& call = e.test.call;
  const ref::Signature& s = ref::signature(call.op);
  out << "#!/usr/bin/env python3\n\"\"\"Calls " << s.api
      << " once and compares the result with the exact one.\n\n  " << e.line
      << "\n\n    python3 case.py LIBRARY...      the library to test; of CANN:\n"
         "                                    libascendcl.so libnnopbase.so libopapi.so\n"
         "    python3 case.py                 tests " GRADPROOF_LIBRARY_NAME
         "\n\n"
         "Exit status: 0: as expected, 1: not as expected, 2: a runtime function failed.\n"
         "Written by gradproof " GRADPROOF_VERSION ".\n\"\"\"\n"
      << kHelpers << "os.environ[\"GRADPROOF_SOC\"] = \"" << ref::name(call.product)
      << "\"  # CANN takes it from the device\nlibraries = [ctypes.CDLL(name, ctypes.RTLD_GLOBAL)\n"
         "             for name in sys.argv[1:] or [\"" GRADPROOF_LIBRARY_NAME
         "\"]]\n"
         "api(\"aclInit\")(None)\ndemand(api(\"aclrtSetDevice\")(0), \"aclrtSetDevice\")\n"
         "stream = ctypes.c_void_p()\n"
         "demand(api(\"aclrtCreateStream\")(ctypes.byref(stream)), \"aclrtCreateStream\")\n\n"
         "# Memory, and the tensors in it.\nhost = [";
  for (std::size_t i = 0; i < e.layout.allocations.size(); ++i) {
    const props::Allocation& a = e.layout.allocations[i];
    out << (i > 0 ? ", " : "") << "bytearray(b\"\\xff\" * "
        << (e.runs ? std::max<std::int64_t>(a.high - a.low, 1) : 64) << ')';
  }
  out << "]\n";
  for (std::size_t slot = 0; slot < call.tensors.size(); ++slot) {
    const ref::Tensor& t = call.tensors[slot];
    if (t.null) continue;
    const std::string name(props::tensor_name(call.op, static_cast<int>(slot)));
    const int block = e.layout.allocation[slot];
    const std::int64_t at =
        e.runs ? e.layout.at[slot] - e.layout.allocations[static_cast<std::size_t>(block)].low : 0;
    out << name << " = Tensor(\"" << name << "\", " << t.dtype << ", " << t.format << ", "
        << list(t.shape) << ", "
        << list(t.null_strides ? ref::contiguous_strides(t.shape) : t.strides) << ", " << t.offset
        << ", " << list(t.storage) << ", " << block << ", " << at << ", "
        << (t.null_strides ? "True" : "False") << ")  # " << ref::dtype_name(t.dtype) << ' '
        << ref::format_name(t.format) << '\n';
    if (!e.values[slot].empty())
      out << name << ".store(host[" << block << "],\n      " << numbers(e.values[slot], true, 6)
          << ")\n";
  }
  out << "device = []\nfor block in host:\n    memory = ctypes.c_void_p()\n"
         "    size = ctypes.c_size_t(len(block))\n"
         "    demand(api(\"aclrtMalloc\")(ctypes.byref(memory), size, 0), \"aclrtMalloc\")\n"
         "    source = (ctypes.c_char * len(block)).from_buffer(block)\n"
         "    demand(api(\"aclrtMemcpy\")(memory, size, source, size, 1), \"aclrtMemcpy\")\n"
         "    device.append(memory)\n\nsize, executor = ctypes.c_uint64(), ctypes.c_void_p()\n"
         "status = api(\""
      << s.api << "GetWorkspaceSize\")(\n";
  for (const ref::Parameter& p : s.parameters) {
    const auto slot = static_cast<std::size_t>(p.slot);
    out << "    "
        << (p.kind == ref::Kind::flag
                ? call.flags[slot] != 0 ? "ctypes.c_bool(True)" : "ctypes.c_bool(False)"
            : p.kind == ref::Kind::real
                ? "ctypes.c_double(*" + numbers({call.reals[slot]}, true, 0) + ")"
            : p.kind == ref::Kind::int_array
                ? call.arrays[slot].null ? "None"
                                         : "int_array(" + list(call.arrays[slot].values) + ")"
                : tensor_argument(e, p))
        << ",  # " << p.name << '\n';
  }
  out << "    " << (call.null_workspace_size ? "None" : "ctypes.byref(size)") << ", "
      << (call.null_executor ? "None" : "ctypes.byref(executor)") << ")\n"
      << "compare_status(\"phase 1\", status, " << e.phase1
      << (e.phase1 != 0 ? ", " + quoted_text(e.rule) : "") << ")\n";
  if (!e.runs) return;
  out << "workspace = ctypes.c_void_p()\nif size.value > 0:\n"
         "    demand(api(\"aclrtMalloc\")(ctypes.byref(workspace), size, 0), \"aclrtMalloc\")\n"
         "compare_status(\"phase 2\", api(\""
      << s.api << "\")(workspace, size, executor, stream), 0)\n"
      << "compare_status(\"aclrtSynchronizeStream\", api(\"aclrtSynchronizeStream\")(stream), "
      << e.sync << (e.sync != 0 ? ", " + quoted_text(e.rule) : "") << ")\n";
  if (e.outputs.empty()) return;
  out << "\nbefore = [bytes(block) for block in host]\n"
         "for block, memory in zip(host, device):\n    size = ctypes.c_size_t(len(block))\n"
         "    target = (ctypes.c_char * len(block)).from_buffer(block)\n"
         "    demand(api(\"aclrtMemcpy\")(target, size, memory, size, 2), \"aclrtMemcpy\")\n"
         "right = True\n";
  for (const EmittedOutput& o : e.outputs) {
    const std::vector<double> also(o.also.begin(), o.also.end());
    const bool any = std::any_of(also.begin(), also.end(), [](double bits) { return bits != 0; });
    out << "right &= compare_values(\n    " << props::tensor_name(call.op, o.slot) << ", host["
        << e.layout.allocation[static_cast<std::size_t>(o.slot)]
        << "],\n    exact=" << numbers(o.exact, true, 8) << ",\n    low=" << numbers(o.low, true, 8)
        << ",\n    high=" << numbers(o.high, true, 8)
        << ",\n    # Also correct: 1: -Inf, 2: +Inf, 4: NaN.\n    also="
        << (any ? numbers(also, true, 8) : "[]") << ")\n";
  }
  out << "right &= compare_rest([";
  for (std::size_t block = 0; block < e.layout.allocations.size(); ++block)
    out << (block > 0 ? ", " : "") << quoted_text(tensors_of_block(e, static_cast<int>(block)));
  out << "],\n                      before, host, [";
  for (const EmittedOutput& o : e.outputs) {
    out << (&o == &e.outputs.front() ? "" : ", ") << props::tensor_name(call.op, o.slot);
  }
  out << "])\nsys.exit(0 if right else 1)\n";
}

}  // namespace gradproof::cli
