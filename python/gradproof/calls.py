"""One call of an operator, with its data: to evaluate exactly, to run a function on, to judge a result."""
from __future__ import annotations

import atexit
import contextlib
import math
import numbers
import os
import shutil
import subprocess
import threading
from dataclasses import dataclass
from operator import index
from typing import Any, Callable

import numpy as np

from . import wire
from .arrays import DTYPES, TYPES, as_numpy, numbers_of, rounded, strided, widened
from .kernels import kernel_of
from .operators import operator

_ENDS = (("left", "right"), ("top", "bottom"), ("front", "back"))  # of the last axis first
_PER_AXIS = ("kernel_size", "stride", "padding", "dilation")
_DEFAULTS: dict[str, Any] = {
    "ceil_mode": False,
    "batched": True,
    "through_float16": False,
    "align_corners": False,
    "scale_h": 0.0,
    "scale_w": 0.0,
    "channels_last": False,
    **{end: 0 for ends in _ENDS for end in ends},
}


def program() -> str:
    """The `gradproof` that does the work: the environment variable GRADPROOF, else the one on the PATH."""
    named = os.environ.get("GRADPROOF")
    found = shutil.which(named or "gradproof")
    if found is None and named:
        raise FileNotFoundError(f"the environment variable GRADPROOF is {named!r}, which is no program")
    if found is None:
        raise FileNotFoundError("no program 'gradproof' on the PATH (Debian: gradproof-tools)")
    return found


@dataclass(frozen=True)
class Reference:
    """Exact values of a result, and the smallest and largest number that is right in place of each."""

    exact: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Call:
    """A valid call, by the names of docs/subjects.md. Data are rounded once to the call's type.

    @param name       the operator
    @param shape      of the result; that of padding follows from the rest
    @param type       "BF16", where float32 arrays stand for it; else the arrays' own
    @param gap        elements between neighbours along the last axis, in all tensors but a mask
    @param profile    a shipped profile's name, or a .json file, which says what else is right
    @param arguments  input tensors (NumPy's or torch's) and parameters, which have the API's defaults
    """

    def __init__(
        self,
        name: str,
        *,
        shape: tuple[int, ...] | None = None,
        type: str | None = None,
        gap: int = 0,
        profile: str | os.PathLike[str] | None = None,
        **arguments: Any,
    ) -> None:
        self.name = name
        self.profile = os.fspath(profile) if profile is not None else None
        if self.profile is not None and self.profile.endswith(".json"):
            self.profile = os.path.abspath(self.profile)
        self.operator = operator(name)
        tensors, known = self.operator.tensors[:-1], (*self.operator.tensors[:-1], *self.operator.parameters)
        for key in arguments:
            if key not in known:
                raise TypeError(f"{name} has no {key!r}; there are: {', '.join(sorted(known))}")
        for key in tensors:
            if key not in arguments and not (key == "indices" and "mask" in tensors):
                how = ": gradproof.masks.pack makes one of booleans" if key == "mask" else ""
                raise TypeError(f"{name} needs {key}{how}")
        given = {key: as_numpy(arguments[key]) for key in tensors if key in arguments}
        gradient, found = given[tensors[0]]
        self.type = type or found or _name_of(gradient.dtype)
        if self.type not in TYPES:
            raise ValueError(f"unknown type {type!r}; types: {', '.join(TYPES)}")
        self.inputs: dict[str, np.ndarray] = {}
        for key, (array, _) in given.items():
            elements = rounded(array, self._type_of(key), f"{name}: {key}")
            self.inputs[key] = widened(elements) if self._type_of(key) == "BF16" else elements
        if gradient.ndim not in (self.operator.axes + 1, self.operator.axes + 2):
            raise ValueError(f"{name}: {tensors[0]} has shape {gradient.shape}, "
                             f"which must have {self.operator.axes + 2} dimensions, or one less without N")
        self.parameters = self._parameters(arguments)
        self.gap = self._integer("gap", gap)
        self.shape = tuple(self._integers("shape", shape, gradient.ndim)) if shape is not None else self._padded_from()
        if min(self.gap, *self.shape) < 0:
            raise ValueError(f"{name}: gap and shape are {self.gap} and {self.shape}, which must not be negative")

    def _type_of(self, tensor: str) -> str:
        return {"mask": "UINT8", "indices": "INT32"}.get(tensor, self.type)

    def _integer(self, key: str, value: Any) -> int:
        try:
            return index(value)
        except TypeError:
            raise TypeError(f"{self.name}: {key} is {value!r}, which must be an integer") from None

    def _integers(self, key: str, values: Any, count: int) -> list[int]:
        if not np.iterable(values) or len(values) != count:
            raise TypeError(f"{self.name}: {key} is {values!r}, which must be {count} integers")
        return [self._integer(key, value) for value in values]

    def _parameter(self, key: str, value: Any) -> Any:
        """As JSON has it."""
        if hasattr(value, "tolist"):  # NumPy's and torch's arrays and numbers
            value = value.tolist()
        if key in _PER_AXIS:
            return self._integers(key, value, self.operator.axes)
        if isinstance(_DEFAULTS[key], bool):
            if not isinstance(value, bool):
                raise TypeError(f"{self.name}: {key} is {value!r}, which must be True or False")
            return value
        if isinstance(_DEFAULTS[key], int):
            return self._integer(key, value)
        if not isinstance(value, numbers.Real) or not math.isfinite(value):
            raise TypeError(f"{self.name}: {key} is {value!r}, which must be a finite number")
        return float(value)

    def _parameters(self, arguments: dict[str, Any]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for key in self.operator.parameters:
            if key in arguments:
                given[key] = self._parameter(key, arguments[key])
            elif key == "kernel_size":
                raise TypeError(f"{self.name} needs kernel_size")
            elif key == "stride":
                given[key] = given["kernel_size"]
            elif key in ("padding", "dilation"):
                given[key] = [int(key == "dilation")] * self.operator.axes
            else:
                given[key] = _DEFAULTS[key]
        return given

    def _padded_from(self) -> tuple[int, ...]:
        p = self.parameters
        if "left" not in p:
            raise TypeError(f"{self.name} needs shape, that of {self.operator.result}")
        padded = list(self.inputs["grad_output"].shape)
        for axis, (before, after) in zip((-1, -2, -3), _ENDS):
            padded[axis] -= p.get(before, 0) + p.get(after, 0)
        return tuple(padded)

    def message(self, result: np.ndarray | None = None) -> tuple[wire.Header, list[memoryview]]:
        """As docs/pipe.md has it."""
        tensors, storages = [], []
        tensors_in = {**self.inputs, self.operator.result: np.zeros(self.shape) if result is None else result}
        for name, array in tensors_in.items():
            kind = self._type_of(name)
            gap = 0 if name == "mask" else self.gap
            strides = [s // 8 * (1 + gap) for s in np.empty(array.shape).strides]
            storage = np.zeros(array.size * (1 + gap), np.uint16 if kind == "BF16" else DTYPES[kind])
            described = {"name": name, "type": kind, "shape": list(array.shape), "strides": strides, "offset": 0,
                         "storage": storage.size, "bytes": storage.nbytes}
            if array.size:
                strided(storage, described)[...] = rounded(array, kind, f"{self.name}: {name}")
            tensors.append(described)
            storages.append(memoryview(bytearray(storage.tobytes())))
        return {"kernel": self.name, "parameters": self.parameters, "tensors": tensors}, storages

    def run(self, function: Callable[..., Any]) -> np.ndarray:
        """What the function computes; BF16 as float32."""
        header, storages = self.message(np.full(self.shape, np.nan))
        answer = kernel_of(function, self.name).perform(header, storages)
        if "bytes" not in answer:
            raise AssertionError(f"{self}: {next(iter(answer.values()))}")
        kind = np.uint16 if self.type == "BF16" else DTYPES[self.type]
        result = strided(np.frombuffer(storages[-1], kind), header["tensors"][-1])
        return widened(result) if self.type == "BF16" else result

    def reference(self) -> Reference:
        """What is right."""
        answer = _ask(self, None)
        return Reference(answer["exact"], answer["low"], answer["high"])

    def check(self, result: Any) -> None:
        """An AssertionError unless the result, or what a function computes, is right."""
        got = self.run(result) if callable(result) else numbers_of(result)
        if got.shape != self.shape:
            raise AssertionError(f"{self}: the result has shape {got.shape}, which must be {self.shape}")
        answer = _ask(self, got)
        wrong = np.argwhere(answer["right"] == 0)
        if not wrong.size:
            return
        lines = [f"{self}: {self.operator.result} differs in {len(wrong)} of {got.size} elements; the first:"]
        for at in map(tuple, wrong[:4]):
            place = ",".join(map(str, at))
            low, high, exact = (answer[key][at] for key in ("low", "high", "exact"))
            lines.append(f"  [{place}]: got {got[at]}, exact {exact:.9g}, allowed [{low:.9g}, {high:.9g}]")
        lines += [f"{name}:\n{array}" for name, array in self.inputs.items()] if got.size <= 64 else []
        raise AssertionError("\n".join(lines))

    def __repr__(self) -> str:
        parts = [f"{name}={self._type_of(name)}{list(a.shape)}" for name, a in self.inputs.items()]
        parts += [f"{key}={value}" for key, value in self.parameters.items() if value != _DEFAULTS.get(key)]
        parts += [f"gap={self.gap}"] if self.gap else []
        parts += [f"profile={self.profile!r}"] if self.profile is not None else []
        return f"{self.name}({', '.join(parts)}, shape={list(self.shape)})"


def reference(name: str, **arguments: Any) -> Reference:
    """Exact values and bounds of a call; the arguments are those of `Call`."""
    return Call(name, **arguments).reference()


def _name_of(dtype: np.dtype) -> str:
    for name in TYPES:
        if dtype.newbyteorder("=") == DTYPES[name]:
            return name
    raise TypeError(f"no operator takes elements of type {dtype}")


_lock = threading.Lock()
_child: subprocess.Popen[bytes] | None = None


@atexit.register
def _end_child() -> None:
    global _child
    if _child is not None:
        child, _child = _child, None
        with contextlib.suppress(OSError), child:  # half a call in its pipe can no longer be flushed
            child.kill()


def _exchange(header: wire.Header, storages: list[memoryview]) -> tuple[wire.Header, list[bytearray]]:
    """One call's answer from a `gradproof reference`, which is started once."""
    global _child
    with _lock:
        try:
            if _child is None or _child.poll() is not None:
                _child = subprocess.Popen([program(), "reference"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            wire.write(_child.stdin, header, storages)  # type: ignore[arg-type]
            answer = wire.read_header(_child.stdout)  # type: ignore[arg-type]
            if answer is None:
                raise RuntimeError(f"{program()} reference ended with exit status {_child.wait()}")
            sizes = [t["bytes"] for t in answer.get("tensors", ())]
            return answer, [wire.read_exactly(_child.stdout, size) for size in sizes]  # type: ignore[arg-type]
        except BaseException:  # Ctrl-C, too: the next call would get the rest of this one's answer
            _end_child()
            raise


def _ask(call: Call, result: np.ndarray | None) -> dict[str, np.ndarray]:
    """Exact values and bounds, and which elements of the result are right."""
    header, storages = call.message(result)
    if call.profile is not None:
        header["profile"] = call.profile
    answer, data = _exchange(header, storages)
    if "failed" in answer:
        raise ValueError(f"{call}: {answer['failed']}")
    return {
        t["name"]: np.frombuffer(bytes_, DTYPES[t["type"]]).reshape(t["shape"])
        for t, bytes_ in zip(answer["tensors"], data)
    }
