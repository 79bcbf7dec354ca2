"""Storages as arrays: NumPy's, or PyTorch's tensors.

NumPy has no BF16. An array of that type is float32, whose values are those of the storage; what a
kernel writes into it is rounded when it goes back, and elements that it leaves alone keep their bits.
"""
from __future__ import annotations

from typing import Any

import numpy as np

Shape = tuple[int, ...]

DTYPES: dict[str, Any] = {
    "FLOAT": np.float32,
    "FLOAT16": np.float16,
    "BF16": np.float32,
    "DOUBLE": np.float64,
    "COMPLEX64": np.complex64,
    "COMPLEX128": np.complex128,
    "INT32": np.int32,
    "UINT8": np.uint8,
}
TYPES = tuple(name for name in DTYPES if name not in ("INT32", "UINT8"))  # of gradients


def as_numpy(tensor: Any) -> tuple[np.ndarray, str | None]:
    """The array, and "BF16" of a torch tensor of that type."""
    if type(tensor).__module__.startswith("torch"):
        is_bfloat16 = str(tensor.dtype) == "torch.bfloat16"
        return (tensor.float() if is_bfloat16 else tensor).numpy(force=True), "BF16" if is_bfloat16 else None
    return np.asarray(tensor), None


def numbers_of(result: Any) -> np.ndarray:
    """A result as an array; a TypeError if it is something else."""
    values, _ = as_numpy(result)
    if values.dtype.kind in "biufc":
        return values
    what = "None" if result is None else f"of type {type(result).__name__}"
    if isinstance(result, np.ndarray):
        what = f"an array of dtype {result.dtype}"
    raise TypeError(f"the result is {what}, which must be an array of numbers")


def widened(bits: np.ndarray) -> np.ndarray:
    """The float32 array of BF16 numbers given as uint16."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_odd(values: np.ndarray) -> np.ndarray:
    """As float32. An inexact value becomes the neighbour whose last bit is 1: rounding that to a
    narrower type gives the same number as rounding the value once."""
    if np.can_cast(values.dtype, np.float32):
        return values.astype(np.float32)
    if values.dtype != np.float64:
        values = values.astype(np.longdouble)  # holds every 64-bit integer
    with np.errstate(over="ignore", invalid="ignore"):
        narrow = values.astype(np.float32)
    bits = narrow.view(np.uint32)
    inexact = (narrow != values) & ~np.isnan(values)
    away = np.abs(narrow.astype(values.dtype)) > np.abs(values)
    return np.where(inexact, (bits - away) | np.uint32(1), bits).view(np.float32)


def to_bfloat16(values: np.ndarray) -> np.ndarray:
    """The nearest BF16 numbers, ties to even, as uint16. Each value is rounded once."""
    narrow = to_odd(values)
    bits = narrow.view(np.uint32)
    nearest = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(narrow), ((bits >> 16) | 0x40).astype(np.uint16), nearest)


def rounded(values: np.ndarray, type_name: str, what: str) -> np.ndarray:
    """Elements of a storage of that type. Each value is rounded once; an error if more would be lost."""
    if values.dtype.kind not in ("biufc" if type_name.startswith("COMPLEX") else "biuf"):
        raise TypeError(f"{what} has dtype {values.dtype}, which {type_name} cannot hold")
    if type_name == "BF16":
        return to_bfloat16(values)
    if type_name == "FLOAT16" and values.dtype == np.longdouble:
        values = to_odd(values)  # NumPy rounds to double first
    with np.errstate(over="ignore", invalid="ignore"):
        elements = values.astype(DTYPES[type_name])
    if type_name not in TYPES and (wrong := np.argwhere(elements != values)).size:
        at = tuple(wrong[0])
        raise ValueError(f"{what} is {values[at]} at [{','.join(map(str, at))}], which {type_name} cannot hold")
    return elements


def wide(type_name: str) -> Any:
    """The NumPy type that sums are formed in, so that they are rounded once."""
    return np.complex128 if type_name.startswith("COMPLEX") else np.float64


def strided(storage: np.ndarray, description: dict[str, Any]) -> np.ndarray:
    """The view that a header describes, of its storage."""
    size, shape = storage.itemsize, tuple(description["shape"])
    if 0 in shape:
        return np.empty(shape, storage.dtype)
    # Along an axis of one element a caller may give any number, also one that bytes do not fit in.
    strides = tuple(s * size if s * size < 1 << 63 else 0 for s in description["strides"])
    return np.ndarray(shape, storage.dtype, storage, description["offset"] * size, strides)  # type: ignore[arg-type]


class Tensor:
    """One tensor of a call, on the bytes of its storage."""

    def __init__(self, description: dict[str, Any], data: memoryview) -> None:
        self.type: str = description["type"]
        self.description = description
        self._data = data
        self._before: np.ndarray | None = None
        if self.type == "BF16":
            self._bits = np.frombuffer(data, np.uint16)
            self._storage = widened(self._bits)
        else:
            self._storage = np.frombuffer(data, DTYPES[self.type])
        self.array = strided(self._storage, description)

    def assign(self, values: Any) -> None:
        """Writes all elements, each rounded once."""
        values = numbers_of(values)
        if values.shape != self.array.shape:
            raise ValueError(f"the result has shape {values.shape}, which must be {self.array.shape}")
        target = strided(self._bits, self.description) if self.type == "BF16" else self.array
        target[...] = rounded(values, self.type, "the result")

    def collect(self) -> None:
        """Brings what was written into `array` to the storage."""
        if self.type != "BF16":
            return
        changed = self._storage.view(np.uint32) != widened(self._bits).view(np.uint32)
        self._bits[changed] = to_bfloat16(self._storage[changed])

    def keep(self) -> None:
        """Keeps what the storage holds, for `changed`."""
        self._before = np.frombuffer(self._data, np.uint8).copy()

    def changed(self) -> bool:
        """Whether somebody has written into the storage since `keep`, or into `array`."""
        if not np.array_equal(np.frombuffer(self._data, np.uint8), self._before):
            return True
        return self.type == "BF16" and not np.array_equal(self._storage.view(np.uint32), widened(self._bits).view(np.uint32))

    def as_torch(self) -> Any:
        """A torch tensor on the storage itself."""
        import torch

        names = {
            "FLOAT": torch.float32,
            "FLOAT16": torch.float16,
            "BF16": torch.bfloat16,
            "DOUBLE": torch.float64,
            "COMPLEX64": torch.complex64,
            "COMPLEX128": torch.complex128,
            "INT32": torch.int32,
            "UINT8": torch.uint8,
        }
        if 0 in self.array.shape:
            return torch.empty(self.array.shape, dtype=names[self.type])
        storage = torch.frombuffer(self._data, dtype=names[self.type])
        d = self.description
        return torch.as_strided(storage, d["shape"], d["strides"], d["offset"])
