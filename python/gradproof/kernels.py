"""Functions as kernels, and the loop that serves them to `gradproof verify --exec`."""
from __future__ import annotations

import inspect
import os
import sys
import traceback
from pathlib import Path
from typing import Any, BinaryIO, Callable

import numpy as np

from . import wire
from .arrays import Tensor, wide
from .masks import unpack
from .operators import OPERATORS, Operator, operator

Function = Callable[..., Any]

_HERE = Path(__file__).parent


class NotSupported(Exception):
    """Raised by a kernel that is not for a call: it is counted in the report, and no finding."""


class Kernel:
    """A function, and what of a call it wants: the names of its parameters."""

    def __init__(self, name: str, function: Function, arrays: str) -> None:
        self.name = name
        self.operator: Operator = operator(name)
        self.function = function
        if arrays not in ("numpy", "torch"):
            raise ValueError(f"arrays is {arrays!r}, which must be 'numpy' or 'torch'")
        self.torch = arrays == "torch"
        known = (*self.operator.tensors, *self.operator.parameters, "sums", *self._extras())
        parameters = inspect.signature(function).parameters.values()
        named = [p for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
        self.all = any(p.kind is p.VAR_KEYWORD for p in parameters)
        self.wanted = [p.name for p in named if p.name in known]
        for parameter in named:
            if parameter.name not in known and parameter.default is parameter.empty:
                raise ValueError(f"{name} has no {parameter.name!r}; there are: {', '.join(sorted(known))}")

    def _extras(self) -> tuple[str, ...]:
        return ("maxima",) if "mask" in self.operator.tensors else ()

    def perform(self, header: wire.Header, data: list[memoryview]) -> wire.Header:
        """Computes one call; the answer's header. The result is in its storage, the last of `data`."""
        tensors = {d["name"]: Tensor(d, bytes_) for d, bytes_ in zip(header["tensors"], data)}
        result = tensors[self.operator.result]
        arguments: dict[str, Any] = dict(header["parameters"])
        for name, tensor in tensors.items():
            if tensor is not result:
                tensor.keep()
            if self.all or name in self.wanted:
                arguments[name] = tensor.as_torch() if self.torch else tensor.array
        if "sums" in self.wanted:
            sums = np.zeros(result.array.shape, wide(result.type))
            arguments["sums"] = self._native(sums)
        if "maxima" in self.wanted:
            arguments["maxima"] = self._native(unpack(
                tensors["mask"].array, tensors["grad_output"].array.shape, result.array.shape, header["parameters"]
            ))
        if not self.all:
            arguments = {name: arguments[name] for name in self.wanted if name in arguments}
        if "indices" in self.wanted and "indices" not in arguments:
            return {"failed": "the kernel takes 'indices', which need positions=True in gradproof.serve or gradproof.check"}
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # NaN and Inf come on purpose
                returned = self.function(**arguments)
            if returned is not None:
                result.assign(returned)
            elif "sums" in self.wanted:
                result.assign(sums)
            elif not self.torch:
                result.collect()
        except NotSupported as e:
            return {"not_supported": _as_utf8(_text(e))}
        except KeyboardInterrupt:
            raise
        except BaseException as e:  # pylint: disable=broad-except  # whatever a kernel raises is a finding
            return {"failed": _described(e)}
        for name, tensor in tensors.items():
            if tensor is not result and tensor.changed():
                return {"failed": f"the kernel has written into {name}"}
        return {"bytes": len(data[-1])}

    def _native(self, array: np.ndarray) -> Any:
        if not self.torch:
            return array
        import torch

        return torch.from_numpy(array)


_MOST_FRAMES, _MOST_TEXT = 3, 2000


def _as_utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _text(error: BaseException) -> str:
    """What it says."""
    try:
        text = str(error).strip()
    except Exception:  # pylint: disable=broad-except
        return "(its text cannot be had)"
    return text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT] + "…"


def _described(error: BaseException) -> str:
    """What was raised, and where: the last calls outside this module."""
    text = _text(error)
    lines = [f"the kernel raised {type(error).__name__}" + (f": {text}" if text else "")]
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent != _HERE]
    lines += [f"at {f.filename}:{f.lineno}, in {f.name}" for f in frames[-_MOST_FRAMES:]]
    return _as_utf8("\n".join(lines))


_served: dict[str, list[Kernel]] = {}  # of each operator; a function that is defined again replaces itself


def kernel(name: str, *, arrays: str = "numpy") -> Callable[[Function], Function]:
    """Makes a function the kernel of an operator.

    The function is given what its parameters name: tensors, parameters, `sums` (zeros of the result's
    shape in a wide type, which are the result when it returns), `maxima` (of the 2-D pool). It writes
    into the result, or into `sums`, or returns the result, which is then rounded once.

    @param arrays  "numpy", or "torch" for torch tensors
    """

    operator(name)

    def register(function: Function) -> Function:
        made = Kernel(name, function, arrays)
        others = [k for k in _served.get(name, []) if _place(k.function) != _place(function)]
        _served[name] = [*others, made]
        function.gradproof_kernels = (*getattr(function, "gradproof_kernels", ()), made)  # type: ignore[attr-defined]
        return function

    return register


def _place(function: Function) -> tuple[str, object]:
    """Where it is defined."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else ("", repr(function))


def kernel_of(function: Function, name: str | None = None) -> Kernel:
    """The kernel that @kernel made of a function, or a new one; of this operator if one is named."""
    # functools.wraps copies the attribute to functions that @kernel has not seen.
    made = {k.name: k for k in getattr(function, "gradproof_kernels", ()) if k.function is function}
    if name is None and len(made) == 1:
        return next(iter(made.values()))
    if name is None:
        raise ValueError(f"which operator does {function} compute? Name one of: {', '.join(made or sorted(OPERATORS))}")
    operator(name)
    if made and name not in made:
        raise ValueError(f"{function} is a kernel of {', '.join(made)}, not of {name}")
    return made.get(name) or Kernel(name, function, "numpy")


def greeting(names: list[str], *, contiguous: bool, positions: bool, profile: str | None) -> wire.Header:
    """The message that a process begins with."""
    header: wire.Header = {"gradproof": 1, "kernels": names}
    if contiguous:
        header["contiguous"] = True
    if positions:
        header["positions"] = True
    if profile is not None:
        header["profile"] = profile
    return header


def converse(incoming: BinaryIO, outgoing: BinaryIO, kernels: dict[str, Kernel], hello: wire.Header) -> None:
    """Greets, then computes call after call until the other side goes."""
    wire.write(outgoing, hello)
    while (header := wire.read_header(incoming)) is not None:
        sizes = [t["bytes"] for t in header["tensors"]]
        everything = memoryview(wire.read_exactly(incoming, sum(sizes)))
        data, at = [], 0
        for size in sizes:
            data.append(everything[at : at + size])
            at += size
        answer = kernels[header["kernel"]].perform(header, data)
        wire.write(outgoing, answer, data[-1:] if "bytes" in answer else ())


def serve(*, contiguous: bool = False, positions: bool = False, profile: str | None = None) -> None:
    """Serves all functions that @kernel has marked, to the end of stdin.

    @param contiguous  the kernels get contiguous copies of the tensors
    @param positions   the 2-D pool's kernel gets `indices` beside the mask
    @param profile     a shipped profile's name, or a .json file beside the program's
    """
    if not _served:
        raise ValueError("gradproof.serve: no function is a kernel; mark one with @gradproof.kernel(NAME)")
    for name, kernels in _served.items():
        if len(kernels) > 1:
            functions = ", ".join(getattr(k.function, "__name__", repr(k.function)) for k in kernels)
            raise ValueError(f"gradproof.serve: {name} has {len(kernels)} kernels: {functions}")
    if sys.stdin is not None and sys.stdin.isatty():
        sys.exit(f"{sys.argv[0]}: serves kernels to gradproof: gradproof verify --exec 'python3 {sys.argv[0]}'")
    if profile is not None and profile.endswith(".json"):
        profile = str(Path(sys.argv[0]).resolve().parent / profile)
    hello = greeting(list(_served), contiguous=contiguous, positions=positions, profile=profile)
    # What a kernel prints goes to stderr.
    with os.fdopen(os.dup(1), "wb") as outgoing, os.fdopen(os.dup(0), "rb") as incoming:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        converse(incoming, outgoing, {name: kernels[0] for name, kernels in _served.items()}, hello)
